internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A file of FROST packages: JSON, postcard or its hexadecimal text, or frost-client's `credentials.toml`.
enum FROSTFile {
  /// A file of signing nonces, which must never be used twice.
  struct Nonces: Error {}

  private static let byteCountLimit = 4 << 20

  /// Whether a file's first bytes look like one.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    if FROSTPostcard.suite(beginning) != nil { return true }
    if beginning.contains("key_package") && beginning.contains("[group.") { return true }
    guard beginning.firstVisible == UInt8(ascii: "{"), beginning.contains("\"ciphersuite\"") else {
      return false
    }
    // A dealer's share of 2023 has only a value and its commitment.
    return [
      ["\"verifying_key\""], ["\"signing_share\""], ["\"group_public\""], ["\"value\"", "\"commitment\""],
    ].contains { names in names.allSatisfy { contains(beginning, $0) } }
  }

  private static func contains(_ bytes: Span<UInt8>, _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { start in
      bytes[start] == wanted[0] && wanted.indices.allSatisfy { bytes[start + $0] == wanted[$0] }
    }
  }

  /// Returns the contents of a file; nil for other kinds of files.
  static func content(_ bytes: borrowing SecretBytes, name: String) throws -> Kept? {
    var content = Kept(format: FROSTContent.format)
    if bytes.withBytes({ $0.firstVisible == UInt8(ascii: "{") }) {
      let copy = try bytes.copied()
      let document: GuardedDocument
      do throws(JSONError) {
        document = try GuardedDocument(copy, limit: byteCountLimit)
      } catch {
        guard bytes.withBytes({ isLikely($0) }) else { return nil }
        return Kept(
          format: FROSTContent.format, isSecret: true,
          WalletFinding(kind: FROSTCollector.kind, name: name, .faulty(.malformed)))
      }
      let found = try read(document.root, name: name)
      guard let package = found.package else { return found.content }
      try FROSTContent.add(package, bytes, name: name, to: &content)
      content.isSecret = package.identifier != nil
      return content
    }
    if bytes.withBytes({ FROSTPostcard.isNonces($0) }) { throw Nonces() }
    if let package = try bytes.withBytes({ try binary($0) }) {
      try FROSTContent.add(package, bytes, name: name, to: &content)
      content.isSecret = package.identifier != nil
      return content
    }
    if bytes.withBytes({ FROSTPostcard.suite($0) != nil }) {
      return Kept(
        format: FROSTContent.format, isSecret: true,
        WalletFinding(kind: FROSTCollector.kind, name: name, .faulty(.length)))
    }
    return try FROSTCredentials.content(bytes, name: name)
  }

  /// Returns the package of a file that is exactly one package; nil for other files.
  static func package(_ bytes: Span<UInt8>) throws -> FROSTPackage? {
    guard bytes.firstVisible == UInt8(ascii: "{") else { return try binary(bytes) }
    let copy = try SecretBytes(copying: bytes)
    guard let document = try? GuardedDocument(copy, limit: byteCountLimit) else { return nil }
    return try? FROSTPackage(document.root)
  }

  private static func read(
    _ root: GuardedValue, name: String
  ) throws -> (package: FROSTPackage?, content: Kept?) {
    do {
      return (try FROSTPackage(root), nil)
    } catch let error as FROSTPackage.Refusal {
      let result: WalletFinding.Result
      switch error {
      case .damaged: result = .faulty(.malformed)
      case .unknownSuite: result = .notProved(.unknownScheme)
      case .nonces: throw Nonces()
      }
      let finding = WalletFinding(kind: FROSTCollector.kind, name: name, result)
      return (nil, Kept(format: FROSTContent.format, isSecret: true, finding))
    }
  }

  /// Parses a package in postcard, or its hexadecimal text; nil for anything else.
  static func binary(_ bytes: Span<UInt8>) throws(CryptoError) -> FROSTPackage? {
    if let package = try FROSTPostcard.package(bytes) { return package }
    guard bytes.count <= byteCountLimit, bytes.starts(with: Array("00".utf8)),
      let decoded = try GuardedEncodings.hex(bytes)
    else { return nil }
    return try decoded.withBytes { (bytes) throws(CryptoError) in try FROSTPostcard.package(bytes) }
  }
}

/// The file of frost-client: for each group two packages, as hexadecimal text of postcard.
///
/// Only these lines are read. The file has other unencrypted secrets, so its packages are not everything.
enum FROSTCredentials {
  private static let lineLimit = 10_000
  private static let packageByteCountLimit = 1 << 17

  static func content(_ bytes: borrowing SecretBytes, name: String) throws -> Kept? {
    guard bytes.withBytes({ $0.contains("key_package") && $0.contains("[group.") }) else { return nil }
    var content = Kept(format: "frost-credentials")
    content.program = "frost-client"
    content.sharesAreAll = false
    let values = bytes.withBytes { Self.values($0) }
    for (place, value) in values.enumerated() {
      let title = "\(name) \(place / 2 + 1)"
      let digits = try bytes.copy(value.range)
      guard let package = try digits.withBytes({ try FROSTFile.binary($0) }),
        (package.identifier == nil) == value.isPublic
      else {
        content.findings.append(
          WalletFinding(kind: FROSTCollector.kind, name: title, .faulty(.malformed)))
        continue
      }
      if value.isPublic, package.suite.curve != nil { continue }
      try FROSTContent.add(package, digits, name: title, to: &content)
    }
    try compare(values, bytes, &content)
    if content.shares.isEmpty, content.findings.isEmpty {
      content.findings.append(
        WalletFinding(kind: FROSTCollector.kind, name: name, .notProved(.nothingToCompare)))
    }
    return content
  }

  /// Checks that each share's point equals the one in the group's public package.
  private static func compare(
    _ values: [(range: Range<Int>, isPublic: Bool)], _ bytes: borrowing SecretBytes,
    _ content: inout Kept
  ) throws {
    for value in values where value.isPublic {
      let digits = try bytes.copy(value.range)
      guard let package = try digits.withBytes({ try FROSTFile.binary($0) }) else { continue }
      content.hold(package)
    }
  }

  /// Returns the positions of the hexadecimal texts of both kinds of packages.
  private static func values(_ bytes: Span<UInt8>) -> [(range: Range<Int>, isPublic: Bool)] {
    var (values, start, lines) = ([(range: Range<Int>, isPublic: Bool)](), 0, 0)
    while start < bytes.count, lines < lineLimit {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      let line = bytes.extracting(start..<end)
      for (key, isPublic) in [("key_package", false), ("public_key_package", true)] {
        guard let range = value(of: key, line), range.count <= packageByteCountLimit else { continue }
        values.append((range.lowerBound + start..<range.upperBound + start, isPublic))
      }
      start = end + 1
      lines += 1
    }
    return values
  }

  /// Returns the text between quotation marks in a line `key = "…"`.
  private static func value(of key: String, _ line: Span<UInt8>) -> Range<Int>? {
    var place = 0
    func skipSpace() { while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 } }
    skipSpace()
    for byte in key.utf8 {
      guard place < line.count, line[place] == byte else { return nil }
      place += 1
    }
    skipSpace()
    guard place < line.count, line[place] == UInt8(ascii: "=") else { return nil }
    place += 1
    skipSpace()
    guard place < line.count, line[place] == 0x22 || line[place] == 0x27 else { return nil }
    let mark = line[place]
    let start = place + 1
    place = start
    while place < line.count, line[place] != mark { place += 1 }
    return place < line.count && place > start ? start..<place : nil
  }
}
