internal import CSodium

/// AEZ version 5 for texts of 16 to 31 bytes, as in LND's seeds.
///
/// The text is split into halves, which are mixed in eight rounds. AES is used without its key schedule. See
/// V. T. Hoang, T. Krovetz, P. Rogaway, "AEZ v5: Authenticated Encryption by Enciphering", figures 1 to 3.
public enum AEZTiny {
  private static let roundCount: UInt = 8

  /// Deciphers a text and verifies the zeros at its end.
  ///
  /// - Parameters:
  ///   - sealed: the whole text.
  ///   - key: of any length, because it is hashed.
  ///   - data: additional authenticated data, up to 15 bytes.
  ///   - tagByteCount: the required number of zeros.
  /// - Returns: the text without the zeros.
  /// - Throws: ``CryptoError/notAuthentic`` if the zeros are missing, ``CryptoError/invalidLength`` for
  ///   another length, or the errors of ``SecretBytes/init(count:)``.
  public static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, data: [UInt8], tagByteCount: Int
  ) throws(CryptoError) -> SecretBytes {
    guard 16..<32 ~= sealed.count, data.count < 16, 0...sealed.count ~= tagByteCount else {
      throw .invalidLength
    }
    let keys = try Keys(key)
    let tweak = keys.hash(data, tagBitCount: 8 * UInt(tagByteCount))
    let (count, half) = (sealed.count, (sealed.count + 1) / 2)
    let isOdd = count % 2 == 1
    var left = (0..<half).map { sealed[$0] }
    var right = (count / 2..<count / 2 + half).map { sealed[$0] }
    defer {
      left.wipe()
      right.wipe()
    }
    // An odd number of bytes is split in the middle of a byte.
    if isOdd {
      for place in 0..<half {
        right[place] = right[place] << 4 | (place + 1 < half ? right[place + 1] >> 4 : 0)
      }
    }
    for round in (0..<roundCount).reversed() {
      let isLeft = round % 2 == 1
      var mask = keys.round(isLeft ? right : left, round, tweak, isOdd: isOdd, place: count / 2)
      for place in 0..<half {
        if isLeft { left[place] ^= mask[place] } else { right[place] ^= mask[place] }
      }
      mask.wipe()
    }
    var text = try SecretBytes(count: count)
    text.withMutableBytes { text in
      for place in 0..<count / 2 { text[place] = right[place] }
      guard isOdd else {
        for place in 0..<half { text[count / 2 + place] = left[place] }
        return
      }
      text[count / 2] = right[count / 2] & 0xF0 | left[0] >> 4
      for place in 1..<half { text[count / 2 + place] = left[place - 1] << 4 | left[place] >> 4 }
    }
    let isRight = text.withBytes { text in (count - tagByteCount..<count).allSatisfy { text[$0] == 0 } }
    guard isRight else { throw .notAuthentic }
    return try text.copy(0..<count - tagByteCount)
  }

  /// 16 bytes as two little-endian words, as in ``AESRounds``.
  private struct Block {
    var low: UInt = 0
    var high: UInt = 0

    init() {}

    init(_ bytes: some Collection<UInt8>) {
      for (place, byte) in bytes.prefix(16).enumerated() {
        if place < 8 {
          low |= UInt(byte) << UInt(8 * place)
        } else {
          high |= UInt(byte) << UInt(8 * place - 64)
        }
      }
    }

    static func ^ (a: Block, b: Block) -> Block {
      var sum = Block()
      sum.low = a.low ^ b.low
      sum.high = a.high ^ b.high
      return sum
    }

    var bytes: [UInt8] {
      (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> UInt($0 % 8 * 8)) }
    }

    /// Multiplies in GF(2^128), whose elements are big-endian.
    func times(_ factor: UInt) -> Block {
      var (product, power) = (Block(), self)
      for bit in 0..<3 {
        if factor >> UInt(bit) & 1 == 1 { product = product ^ power }
        power = power.doubled
      }
      return product
    }

    private var doubled: Block {
      var (high, low) = (low.byteSwapped, high.byteSwapped)
      let carry = high >> 63
      high = high << 1 | low >> 63
      low = low << 1 ^ carry * 0x87
      var block = Block()
      block.low = high.byteSwapped
      block.high = low.byteSwapped
      return block
    }
  }

  /// The three subkeys derived from one key.
  private struct Keys: ~Copyable {
    private let bytes: SecretBytes

    private var i: Block { block(0) }
    private var j: Block { block(1) }
    private var l: Block { block(2) }

    /// Returns a subkey, for the duration of a calculation only.
    private func block(_ place: Int) -> Block {
      bytes.withBytes { bytes in
        var block = Block()
        for byte in 0..<8 {
          block.low |= UInt(bytes[16 * place + byte]) << UInt(8 * byte)
          block.high |= UInt(bytes[16 * place + 8 + byte]) << UInt(8 * byte)
        }
        return block
      }
    }

    init(_ key: borrowing SecretBytes) throws(CryptoError) {
      try Sodium.start()
      let hash = try SecretBytes(count: 48)
      let length = UInt64(key.count)
      let status = unsafe key.withPointer { secret in
        unsafe hash.withPointer { unsafe crypto_generichash($0, 48, secret, length, nil, 0) }
      }
      guard status == 0 else { throw .unavailable }
      bytes = hash
    }

    /// Encrypts the sum of a text and a tweak with four rounds of AES.
    private func encrypted(_ text: Block) -> Block {
      var block = text
      let (i, j, l) = (i, j, l)
      unsafe AESRounds.tables.withUnsafeBufferPointer { tables in
        guard let tables = tables.baseAddress else { return }
        unsafe AESRounds.round(&block.low, &block.high, j.low, j.high, tables)
        unsafe AESRounds.round(&block.low, &block.high, i.low, i.high, tables)
        unsafe AESRounds.round(&block.low, &block.high, l.low, l.high, tables)
        unsafe AESRounds.round(&block.low, &block.high, 0, 0, tables)
      }
      return block
    }

    /// AEZ's hash of everything but the text, without a nonce.
    func hash(_ data: [UInt8], tagBitCount: UInt) -> Block {
      var count = Block()
      count.high = tagBitCount.byteSwapped
      let none = Block([0x80])
      return encrypted(count ^ j.times(3) ^ i.times(2) ^ l) ^ encrypted(none ^ j.times(4) ^ i)
        ^ encrypted(Block(data + [0x80]) ^ j.times(5) ^ i)
    }

    /// The round function's value, which is added to the other half.
    func round(_ half: [UInt8], _ number: UInt, _ tweak: Block, isOdd: Bool, place: Int) -> [UInt8] {
      var bytes = half + [UInt8](repeating: 0, count: 16 - half.count)
      defer { bytes.wipe() }
      if isOdd { bytes[place] = bytes[place] & 0xF0 | 0x08 } else if place < 16 { bytes[place] |= 0x80 }
      var text = Block(bytes) ^ tweak
      text.high ^= number << 56
      return encrypted(text ^ i.times(2) ^ l.times(6)).bytes
    }
  }
}
