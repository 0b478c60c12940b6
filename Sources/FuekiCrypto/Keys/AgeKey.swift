/// Why a text is no key of age's that can be used here.
public enum AgeKeyError: Error, Equatable, Sendable {
  /// The recipient is not one.
  case recipient(Problem)
  /// The line of an identity file, counted from 1, is neither a comment nor an identity that can be used.
  case identity(line: Int, Problem)
  /// The identity file is itself encrypted.
  case encryptedFile
  /// The identity file has no identity.
  case noIdentity
  /// A secret could not be held.
  case crypto(CryptoError)

  /// What is wrong with one key.
  public enum Problem: Error, Equatable, Sendable {
    /// It does not begin as an X25519 key does: a plugin's, an SSH key, or no key.
    case otherKind
    /// It is mistyped or cut.
    case encoding(Bech32Error)
    /// It has not 32 bytes, or is written in more than one way.
    case notOneKey
  }
}

/// X25519 keys as age writes them, so that people can use the keys they have.
///
/// See the age specification (C2SP), section "The X25519 recipient type".
public enum AgeKey {
  private static let recipientPart = Array("age".utf8)
  private static let identityPart = Array("AGE-SECRET-KEY-".utf8)
  /// The characters of 32 bytes.
  private static let dataLength = 52

  /// Reads a public key, `age1…`, all in small letters or all in capitals.
  ///
  /// - Throws: ``AgeKeyError/recipient(_:)``.
  public static func recipient(_ text: String) throws(AgeKeyError) -> [UInt8] {
    let characters = Array(text.utf8)
    let beginning = characters.prefix(4).map(Bech32Code.small)
    guard beginning == Array("age1".utf8) else { throw .recipient(.otherKind) }
    var key = [UInt8](repeating: 0, count: X25519.byteCount)
    do throws(AgeKeyError.Problem) {
      var output = key.mutableSpan
      try decode(characters.span, readableCount: 3, into: &output)
    } catch {
      throw .recipient(error)
    }
    return key
  }

  /// Writes a public key, as `age1…`.
  public static func text(recipient: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: 4 + dataLength + Bech32Code.checksumLength)
    let part = recipientPart
    var output = text.mutableSpan
    encode(recipient.span, readablePart: part.span, into: &output)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the private keys of an identity file, in their order; comments and empty lines are passed over.
  ///
  /// - Throws: ``AgeKeyError``; a line that cannot be used is an error and not passed over, because a person who
  ///   gives the file expects it to be tried.
  public static func identities(in file: borrowing SecretBytes) throws(AgeKeyError) -> [SharedSecret] {
    let keys = try file.withBytes { (file) throws(AgeKeyError) in
      var keys: [SharedSecret] = []
      var line = 0
      var start = 0
      while start < file.count {
        line += 1
        var end = start
        while end < file.count, file[end] != UInt8(ascii: "\n") { end += 1 }
        let next = end + 1
        if end > start, file[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let text = file.extracting(start..<end)
        start = next
        if text.isEmpty || text[0] == UInt8(ascii: "#") { continue }
        if line == 1, begins(text, with: "age-encryption.org/") || begins(text, with: "-----BEGIN AGE ") {
          throw .encryptedFile
        }
        keys.append(try identity(text, line: line))
      }
      return keys
    }
    guard !keys.isEmpty else { throw .noIdentity }
    return keys
  }

  /// Writes a private key as `AGE-SECRET-KEY-1…`, without a line end.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length than 32 bytes, or what making a ``SecretBytes``
  ///   throws.
  public static func identityText(_ key: borrowing SecretBytes) throws(CryptoError) -> SharedSecret {
    guard key.count == X25519.byteCount else { throw .invalidKey }
    var text = try SecretBytes(
      count: identityPart.count + 1 + dataLength + Bech32Code.checksumLength)
    let part = identityPart
    text.withMutableBytes { text in
      key.withBytes { key in encode(key, readablePart: part.span, into: &text) }
      for index in text.indices where 0x61...0x7a ~= text[index] { text[index] &= 0xdf }
    }
    return SharedSecret(text)
  }

  private static func identity(_ text: Span<UInt8>, line: Int) throws(AgeKeyError) -> SharedSecret {
    guard begins(text, with: "AGE-SECRET-KEY-1") else { throw .identity(line: line, .otherKind) }
    do {
      let key = try SecretBytes(count: X25519.byteCount) { (key) throws(AgeKeyError.Problem) in
        try decode(text, readableCount: identityPart.count, into: &key)
      }
      return SharedSecret(key)
    } catch let problem as AgeKeyError.Problem {
      throw .identity(line: line, problem)
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .crypto(.unavailable)
    }
  }

  /// Takes the bytes out of the five bits that each character has; the four bits left over must be zero.
  private static func decode(
    _ text: Span<UInt8>, readableCount: Int, into key: inout MutableSpan<UInt8>
  ) throws(AgeKeyError.Problem) {
    let place: (separator: Int, checksum: Bech32.Checksum)
    do throws(Bech32Error) {
      place = try Bech32Code.check(text)
    } catch {
      throw .encoding(error)
    }
    guard place.checksum == .bech32 else { throw .encoding(.wrongChecksum) }
    let length = readableCount + 1 + dataLength + Bech32Code.checksumLength
    guard place.separator == readableCount, text.count == length else { throw .notOneKey }
    var (bits, bitCount, count): (UInt32, UInt32, Int) = (0, 0, 0)
    for index in (readableCount + 1)..<(readableCount + 1 + dataLength) {
      bits = bits << 5 & 0xfff | UInt32(Bech32Code.symbol(of: text[index]))
      bitCount += 5
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      key[count] = UInt8(truncatingIfNeeded: bits >> bitCount)
      count += 1
    }
    guard bits & (1 << bitCount - 1) == 0 else { throw .notOneKey }
  }

  private static func encode(
    _ key: Span<UInt8>, readablePart: Span<UInt8>, into text: inout MutableSpan<UInt8>
  ) {
    precondition(key.count == X25519.byteCount, "an X25519 key has 32 bytes")
    var remainder = Bech32Code.Remainder()
    remainder.take(readablePart: readablePart)
    for index in readablePart.indices { text[index] = readablePart[index] }
    text[readablePart.count] = Bech32Code.separator
    var (bits, bitCount, taken): (UInt32, UInt32, Int) = (0, 0, 0)
    for index in 0..<dataLength {
      if bitCount < 5 {
        bits = bits << 8 & 0xfff | (taken < key.count ? UInt32(key[taken]) : 0)
        bitCount += 8
        taken += 1
      }
      bitCount -= 5
      let symbol = UInt8(truncatingIfNeeded: bits >> bitCount) & 31
      remainder.take(symbol)
      text[readablePart.count + 1 + index] = Bech32Code.character(of: symbol)
    }
    let check = remainder.finish(.bech32)
    for place in 0..<Bech32Code.checksumLength {
      text[readablePart.count + 1 + dataLength + place] = Bech32Code.character(at: place, ofChecksum: check)
    }
  }

  private static func begins(_ text: Span<UInt8>, with beginning: StaticString) -> Bool {
    let beginning = Array(beginning.description.utf8)
    guard text.count >= beginning.count else { return false }
    return beginning.indices.allSatisfy { text[$0] == beginning[$0] }
  }
}
