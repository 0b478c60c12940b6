internal import CSodium

/// CryptoNight's first variant, with which Monero's programs derive a key from a password.
///
/// Keccak's state fills two MiB with AES rounds, half a million dependent reads and writes follow, and one of
/// four functions hashes the result. See CryptoNote Standard 008.
public enum CryptoNight {
  private static let memoryWordCount = (2 << 20) / 8
  /// The words of the eight 16-byte blocks encrypted in parallel: bytes 64 to 191 of the state.
  private static let textWordCount = 16
  private static let stepCount = 1 << 19

  /// Hashes bytes in some tens of milliseconds, using two MiB of memory that is wiped afterwards.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func hash(_ bytes: Span<UInt8>) throws(CryptoError) -> SecretBytes {
    try Sodium.start()
    var state = Keccak256.state(of: bytes)
    defer { unsafe sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    let memory = UnsafeMutablePointer<UInt>.allocate(capacity: memoryWordCount)
    unsafe memory.initialize(repeating: 0, count: memoryWordCount)
    defer {
      unsafe sodium_memzero(memory, memoryWordCount * MemoryLayout<UInt>.size)
      unsafe memory.deallocate()
    }
    unsafe AESRounds.tables.withUnsafeBufferPointer { tables in
      guard let tables = tables.baseAddress else { return }
      unsafe fill(memory, from: state, tables)
      unsafe mix(memory, from: state, tables)
      unsafe fold(memory, into: &state, tables)
    }
    KeccakPermutation.apply(to: &state)
    return try finish(state)
  }

  private static func fill(
    _ memory: UnsafeMutablePointer<UInt>, from state: InlineArray<25, UInt64>, _ tables: UnsafePointer<UInt>
  ) {
    unsafe withText(of: state, keys: 0..<4) { text, keys in
      var start = 0
      while start < memoryWordCount {
        unsafe encrypt(text, keys, tables)
        unsafe (memory + start).update(from: text, count: textWordCount)
        start &+= textWordCount
      }
    }
  }

  private static func fold(
    _ memory: UnsafeMutablePointer<UInt>, into state: inout InlineArray<25, UInt64>,
    _ tables: UnsafePointer<UInt>
  ) {
    unsafe withText(of: state, keys: 4..<8) { text, keys in
      var start = 0
      while start < memoryWordCount {
        var place = 0
        while place < textWordCount {
          unsafe text[place] ^= unsafe memory[start &+ place]
          place &+= 1
        }
        unsafe encrypt(text, keys, tables)
        start &+= textWordCount
      }
      for place in 0..<textWordCount { state[8 + place] = unsafe UInt64(text[place]) }
    }
  }

  /// Lends a copy of the eight blocks and the round keys, which are wiped afterwards.
  private static func withText(
    of state: InlineArray<25, UInt64>, keys range: Range<Int>,
    _ body: (_ text: UnsafeMutablePointer<UInt>, _ keys: UnsafePointer<UInt>) -> Void
  ) {
    var keys = roundKeys(of: state, range)
    var text = words(state, 8..<24)
    defer {
      keys.wipe()
      text.wipe()
    }
    unsafe keys.withUnsafeBufferPointer { keys in
      unsafe text.withUnsafeMutableBufferPointer { text in
        guard let keys = keys.baseAddress, let text = text.baseAddress else { return }
        unsafe body(text, keys)
      }
    }
  }

  /// Encrypts each of the eight blocks with ten rounds.
  @inline(__always)
  private static func encrypt(
    _ text: UnsafeMutablePointer<UInt>, _ keys: UnsafePointer<UInt>, _ tables: UnsafePointer<UInt>
  ) {
    var place = 0
    while place < textWordCount {
      var low = unsafe text[place]
      var high = unsafe text[place &+ 1]
      var key = 0
      while key < AESRounds.keyWordCount {
        unsafe AESRounds.round(&low, &high, keys[key], keys[key &+ 1], tables)
        key &+= 2
      }
      unsafe text[place] = low
      unsafe text[place &+ 1] = high
      place &+= 2
    }
  }

  /// Runs the memory-hard loop: each step's address depends on the previous step.
  private static func mix(
    _ memory: UnsafeMutablePointer<UInt>, from state: InlineArray<25, UInt64>, _ tables: UnsafePointer<UInt>
  ) {
    var aLow = UInt(state[0] ^ state[4])
    var aHigh = UInt(state[1] ^ state[5])
    var bLow = UInt(state[2] ^ state[6])
    var bHigh = UInt(state[3] ^ state[7])
    // Addresses are of 16-byte blocks, hence of two words.
    let mask: UInt = 0x1F_FFF0
    var step = 0
    while step < stepCount {
      let first = Int(bitPattern: (aLow & mask) &>> 3)
      var cLow = unsafe memory[first]
      var cHigh = unsafe memory[first &+ 1]
      unsafe AESRounds.round(&cLow, &cHigh, aLow, aHigh, tables)
      unsafe memory[first] = bLow ^ cLow
      unsafe memory[first &+ 1] = bHigh ^ cHigh
      let second = Int(bitPattern: (cLow & mask) &>> 3)
      let dLow = unsafe memory[second]
      let dHigh = unsafe memory[second &+ 1]
      let product = cLow.multipliedFullWidth(by: dLow)
      let sumLow = aLow &+ product.high
      let sumHigh = aHigh &+ product.low
      unsafe memory[second] = sumLow
      unsafe memory[second &+ 1] = sumHigh
      aLow = sumLow ^ dLow
      aHigh = sumHigh ^ dHigh
      bLow = cLow
      bHigh = cHigh
      step &+= 1
    }
  }

  private static func roundKeys(of state: InlineArray<25, UInt64>, _ range: Range<Int>) -> [UInt] {
    var key = words(state, range)
    defer { key.wipe() }
    return AESRounds.keys(of: key)
  }

  private static func words(_ state: InlineArray<25, UInt64>, _ range: Range<Int>) -> [UInt] {
    range.map { UInt(state[$0]) }
  }

  private static func finish(_ state: InlineArray<25, UInt64>) throws(CryptoError) -> SecretBytes {
    var bytes = try SecretBytes(count: 200)
    bytes.withMutableBytes { bytes in
      for place in 0..<200 { bytes[place] = UInt8(truncatingIfNeeded: state[place / 8] >> (place % 8 * 8)) }
    }
    let last = FinalHash.allCases[Int(state[0] & 3)]
    var hash = bytes.withBytes { last.hash($0) }
    defer { hash.wipe() }
    return try SecretBytes(copying: hash.span)
  }
}

/// The final hashes of CryptoNight, in the order that two bits of its state select.
package enum FinalHash: CaseIterable, Sendable {
  /// ``BLAKE256``.
  case blake
  /// ``Groestl256``.
  case groestl
  /// ``JH256``.
  case jh
  /// ``Skein512``.
  case skein

  /// Returns the hash of the bytes, 32 bytes.
  package func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    switch self {
    case .blake: BLAKE256.hash(bytes)
    case .groestl: Groestl256.hash(bytes)
    case .jh: JH256.hash(bytes)
    case .skein: Skein512.hash(bytes)
    }
  }
}
