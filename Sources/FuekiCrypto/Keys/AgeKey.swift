/// Keys in age's text format, so that people can use the keys they have.
///
/// See the age specification (C2SP), sections "The X25519 recipient type" and "The hybrid recipient type".
public enum AgeKey {
  /// Reads a public key: `age1…` in all lower or all upper case, or `age1pq1…` in lower case.
  ///
  /// - Throws: ``AgeKeyError/recipient(_:)``.
  public static func recipient(_ text: String) throws(AgeKeyError) -> AgeRecipient {
    let characters = Array(text.utf8)
    let small = characters.map(Bech32Code.small)
    // Both prefixes match a hybrid key. The longer one, which comes last, is right.
    let form = AgeKeyForm.allCases.last { small.starts(with: $0.recipientPart + [Bech32Code.separator]) }
    guard let form, form == .x25519 || characters == small else { throw .recipient(.otherKind) }
    var key = [UInt8](repeating: 0, count: form.recipientByteCount)
    do throws(AgeKeyError.Problem) {
      var output = key.mutableSpan
      try AgeText.decode(characters.span, readableCount: form.recipientPart.count, into: &output)
    } catch {
      throw .recipient(error)
    }
    return AgeRecipient(form: form, key: key)
  }

  /// Writes a public key, such as `age1…`.
  public static func text(recipient: [UInt8], _ form: AgeKeyForm) -> String {
    precondition(recipient.count == form.recipientByteCount, "a public key has the length of its kind")
    let part = form.recipientPart
    var text = [UInt8](repeating: 0, count: AgeText.length(of: recipient.count, behind: part))
    var output = text.mutableSpan
    AgeText.encode(recipient.span, readablePart: part.span, into: &output)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an identity file: keys and plugins' identities in their order, skipping comments and empty lines.
  ///
  /// - Throws: ``AgeKeyError``. An unusable line is an error and not skipped, because the user expects it to
  ///   be tried.
  public static func identities(in file: borrowing SecretBytes) throws(AgeKeyError) -> AgeIdentityFile {
    let found = try file.withBytes { (file) throws(AgeKeyError) in
      var found = AgeIdentityFile()
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
        let isEncrypted =
          AgeText.begins(text, with: Array("age-encryption.org/".utf8))
          || AgeText.begins(text, with: Array("-----BEGIN AGE ".utf8))
        if line == 1, isEncrypted { throw .encryptedFile }
        if AgeText.begins(text, with: AgePluginIdentity.beginning) {
          found.plugins.append(try pluginIdentity(text, line: line))
        } else {
          found.keys.append(try identity(text, line: line))
        }
      }
      return found
    }
    guard !found.keys.isEmpty || !found.plugins.isEmpty else { throw .noIdentity }
    return found
  }

  /// Writes a private key, such as `AGE-SECRET-KEY-1…`, without a line end.
  ///
  /// - Throws: ``CryptoError/invalidKey`` if the key is not 32 bytes, or the errors of
  ///   ``SecretBytes/init(count:)``.
  public static func identityText(
    _ key: borrowing SecretBytes, _ form: AgeKeyForm
  ) throws(CryptoError) -> SharedSecret {
    guard key.count == AgeKeyForm.identityByteCount else { throw .invalidKey }
    let part = form.identityPart
    var text = try SecretBytes(count: AgeText.length(of: key.count, behind: part))
    text.withMutableBytes { text in
      key.withBytes { key in AgeText.encode(key, readablePart: part.span, into: &text) }
      for index in text.indices where 0x61...0x7a ~= text[index] { text[index] &= 0xdf }
    }
    return SharedSecret(text)
  }

  private static func pluginIdentity(
    _ text: Span<UInt8>, line: Int
  ) throws(AgeKeyError) -> AgePluginIdentity {
    do {
      return try AgePluginIdentity(text)
    } catch let problem as AgeKeyError.Problem {
      throw .identity(line: line, problem)
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .crypto(.unavailable)
    }
  }

  private static func identity(_ text: Span<UInt8>, line: Int) throws(AgeKeyError) -> AgeIdentity {
    let form = AgeKeyForm.allCases.last {
      AgeText.begins(text, with: $0.identityPart + [Bech32Code.separator])
    }
    guard let form else { throw .identity(line: line, .otherKind) }
    do {
      let key = try SecretBytes(count: AgeKeyForm.identityByteCount) { (key) throws(AgeKeyError.Problem) in
        try AgeText.decode(text, readableCount: form.identityPart.count, into: &key)
      }
      return AgeIdentity(form, SharedSecret(key))
    } catch let problem as AgeKeyError.Problem {
      throw .identity(line: line, problem)
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .crypto(.unavailable)
    }
  }
}

/// The kinds of age key pairs, by the readable part of their text.
public enum AgeKeyForm: CaseIterable, Sendable {
  /// `age1…` and `AGE-SECRET-KEY-1…`.
  case x25519
  /// `age1pq1…` and `AGE-SECRET-KEY-PQ-1…`: an ``XWing`` key.
  case hybrid

  var recipientPart: [UInt8] {
    switch self {
    case .x25519: Array("age".utf8)
    case .hybrid: Array("age1pq".utf8)
    }
  }

  var identityPart: [UInt8] {
    switch self {
    case .x25519: Array("AGE-SECRET-KEY-".utf8)
    case .hybrid: Array("AGE-SECRET-KEY-PQ-".utf8)
    }
  }

  /// The length of a public key.
  public var recipientByteCount: Int {
    switch self {
    case .x25519: X25519.byteCount
    case .hybrid: XWing.publicKeyByteCount
    }
  }

  /// The length of a private key or of its seed.
  public static let identityByteCount = 32

  /// Computes the public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/unavailable``.
  public func publicKey(of key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    switch self {
    case .x25519: try X25519.publicKey(of: key)
    case .hybrid: try XWing.publicKey(of: key)
    }
  }
}

/// An age public key.
public struct AgeRecipient: Hashable, Sendable {
  /// The kind of key.
  public let form: AgeKeyForm
  /// The key's bytes, of the length that ``form`` requires.
  public let key: [UInt8]
}

/// The contents of an identity file.
public struct AgeIdentityFile: Sendable {
  /// Private keys.
  public internal(set) var keys: [AgeIdentity] = []
  /// Identities for plugins.
  public internal(set) var plugins: [AgePluginIdentity] = []
}

/// A key's bytes in Bech32 behind a readable part, encoded in place because keys may be private.
enum AgeText {
  /// The length in characters of a key of `byteCount` bytes.
  static func length(of byteCount: Int, behind readablePart: [UInt8]) -> Int {
    readablePart.count + 1 + symbolCount(byteCount) + Bech32Code.checksumLength
  }

  private static func symbolCount(_ byteCount: Int) -> Int { (8 * byteCount + 4) / 5 }

  /// Decodes five bits from each character.
  ///
  /// Leftover bits must be zero.
  static func decode(
    _ text: Span<UInt8>, readableCount: Int, into key: inout MutableSpan<UInt8>
  ) throws(AgeKeyError.Problem) {
    let symbols = symbolCount(key.count)
    let length = readableCount + 1 + symbols + Bech32Code.checksumLength
    let place: (separator: Int, checksum: Bech32.Checksum)
    do throws(Bech32Error) {
      // age limits the length only by that of its keys.
      place = try Bech32Code.check(text, limit: max(length, Bech32.characterCountLimit))
    } catch {
      throw .encoding(error)
    }
    guard place.checksum == .bech32 else { throw .encoding(.wrongChecksum) }
    guard place.separator == readableCount, text.count == length else { throw .notOneKey }
    var (bits, bitCount, count): (UInt32, UInt32, Int) = (0, 0, 0)
    for index in (readableCount + 1)..<(readableCount + 1 + symbols) {
      bits = bits << 5 & 0xfff | UInt32(Bech32Code.symbol(of: text[index]))
      bitCount += 5
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      key[count] = UInt8(truncatingIfNeeded: bits >> bitCount)
      count += 1
    }
    guard bits & (1 << bitCount - 1) == 0 else { throw .notOneKey }
  }

  /// Encodes a key.
  ///
  /// `text` must have the length that ``length(of:behind:)`` returns.
  static func encode(_ key: Span<UInt8>, readablePart: Span<UInt8>, into text: inout MutableSpan<UInt8>) {
    var remainder = Bech32Code.Remainder()
    remainder.take(readablePart: readablePart)
    for index in readablePart.indices { text[index] = readablePart[index] }
    text[readablePart.count] = Bech32Code.separator
    let symbols = symbolCount(key.count)
    var (bits, bitCount, taken): (UInt32, UInt32, Int) = (0, 0, 0)
    for index in 0..<symbols {
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
      text[readablePart.count + 1 + symbols + place] = Bech32Code.character(at: place, ofChecksum: check)
    }
  }

  static func begins(_ text: Span<UInt8>, with beginning: [UInt8]) -> Bool {
    guard text.count >= beginning.count else { return false }
    return beginning.indices.allSatisfy { text[$0] == beginning[$0] }
  }
}

/// An age private key.
public struct AgeIdentity: Sendable {
  /// The kind of key.
  public let form: AgeKeyForm
  /// The key's bytes: 32 if read by ``AgeKey/identities(in:)``.
  public let key: SharedSecret

  /// Creates an identity from a key of another source.
  public init(_ form: AgeKeyForm, _ key: SharedSecret) {
    self.form = form
    self.key = key
  }

  /// An X25519 private key.
  public static func x25519(_ key: SharedSecret) -> AgeIdentity { AgeIdentity(.x25519, key) }
}

/// Why a text is not a usable age key.
public enum AgeKeyError: Error, Equatable, Sendable {
  /// The recipient is invalid.
  case recipient(Problem)
  /// The line of an identity file, counted from 1, is neither a comment nor a usable identity.
  case identity(line: Int, Problem)
  /// The identity file is itself encrypted.
  case encryptedFile
  /// The identity file has no identity.
  case noIdentity
  /// Memory for a secret could not be allocated.
  case crypto(CryptoError)

  /// Why a single key is invalid.
  public enum Problem: Error, Equatable, Sendable {
    /// Its prefix is not supported here: a plugin's key, an SSH key, or no key.
    case otherKind
    /// It is mistyped or truncated.
    case encoding(Bech32Error)
    /// Its length is wrong for its kind, or its encoding is not canonical.
    case notOneKey
  }
}
