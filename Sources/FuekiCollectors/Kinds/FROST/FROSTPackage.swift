internal import FuekiCrypto
internal import FuekiWallet

/// A package of the Zcash Foundation's FROST: a party's secret package or the public one.
struct FROSTPackage {
  let suite: FROSTSuite
  /// The party's x coordinate, big-endian; nil in the public package.
  var identifier: [UInt8]?
  /// The party's secret, big-endian.
  var secret: SharedSecret?
  var ownPoint: [UInt8] = []
  var groupKey: [UInt8] = []
  /// The points of the coefficients, in a share as its dealer created it.
  var commitment: [[UInt8]] = []
  /// Every party's x coordinate and point.
  var parties: [(place: [UInt8], point: [UInt8])] = []
  var threshold: Int?

  static let partyLimit = 1024

  /// Why a document is not a package.
  enum Refusal: Error {
    /// It has a package's members, but their values are invalid.
    case damaged
    /// Its ciphersuite is unknown.
    case unknownSuite
    /// It has nonces, which may be used only once and must not be backed up.
    case nonces
  }

  init(suite: FROSTSuite) { self.suite = suite }

  /// Parses JSON; nil for other documents.
  init?(_ root: GuardedValue) throws {
    guard root.kind == .object else { return nil }
    if root.member("hiding") != nil, root.member("binding") != nil { throw Refusal.nonces }
    // In 2023 there was no header, and some members had other names.
    let name = (root.member("header")?.member("ciphersuite") ?? root.member("ciphersuite"))?.string
    let listed = root.member("verifying_shares") ?? root.member("signer_pubkeys")
    guard let name,
      listed != nil || root.member("signing_share") != nil
        || root.member("secret_share") != nil || root.member("value") != nil
    else { return nil }
    guard let suite = FROSTSuite.named(name) else { throw Refusal.unknownSuite }
    self.suite = suite
    func point(_ value: GuardedValue?) throws -> [UInt8] {
      guard let value else { return [] }
      guard let bytes = value.string.flatMap({ Hex.decode($0) }), bytes.count == suite.pointByteCount else {
        throw Refusal.damaged
      }
      return bytes
    }
    func place(_ text: String?) throws -> [UInt8] {
      guard let bytes = text.flatMap({ Hex.decode($0) }), bytes.count == suite.scalarByteCount else {
        throw Refusal.damaged
      }
      return suite.number(bytes)
    }
    if let version = root.member("header")?.member("version"), version.number != "0" { throw Refusal.damaged }
    groupKey = try point(root.member("verifying_key") ?? root.member("group_public"))
    if let number = root.member("min_signers")?.number {
      guard let count = UInt16(number) else { throw Refusal.damaged }
      threshold = Int(count)
    }
    if let listed {
      let members = listed.members
      guard members.count <= Self.partyLimit else { throw Refusal.damaged }
      for member in members { parties.append((try place(member.name), try point(member.value))) }
      parties.sort { $0.place.lexicographicallyPrecedes($1.place) }
      return
    }
    identifier = try place(root.member("identifier")?.string)
    let share = root.member("signing_share") ?? root.member("secret_share") ?? root.member("value")
    guard let text = try share?.secret(),
      let bytes = try text.bytes.withBytes({ try GuardedEncodings.hex($0) }),
      bytes.count == suite.scalarByteCount
    else { throw Refusal.damaged }
    secret = SharedSecret(try suite.scalar(bytes))
    ownPoint = try point(root.member("verifying_share") ?? root.member("public"))
    if let values = root.member("commitment")?.elements, !values.isEmpty {
      guard values.count <= Self.partyLimit else { throw Refusal.damaged }
      commitment = try values.map { try point($0) }
    }
  }
}

/// The ciphersuites of the Zcash Foundation's FROST, by their names in files.
struct FROSTSuite: Sendable {
  let name: String
  /// Nil for an unsupported group.
  let curve: Curve?
  /// The group's name in descriptors.
  let curveName: String
  let scalarByteCount: Int
  let pointByteCount: Int
  let isLittleEndian: Bool
  /// The prefix of a serialised package: the CRC-32 of the name.
  let mark: [UInt8]

  static let all: [FROSTSuite] = [
    FROSTSuite("FROST-ED25519-SHA512-v1", .ed25519, [0xB1, 0x69, 0xF0, 0xDA]),
    FROSTSuite("FROST-secp256k1-SHA256-v1", .secp256k1, [0xEE, 0xD6, 0xB1, 0xB1]),
    FROSTSuite("FROST-secp256k1-SHA256-TR-v1", .secp256k1, [0x23, 0x0F, 0x8A, 0xB3]),
    FROSTSuite("FROST-P256-SHA256-v1", .p256, [0xA1, 0x32, 0xF0, 0xC9]),
    FROSTSuite("FROST-RISTRETTO255-SHA512-v1", .ristretto255, [0xD7, 0x6E, 0xCF, 0xF5]),
    FROSTSuite("FROST-ED448-SHAKE256-v1", "ed448", 57, 57, [0x5A, 0x06, 0x4C, 0xFD]),
    FROSTSuite("FROST(Pallas, BLAKE2b-512)", "pallas", 32, 32, [0xFF, 0xBD, 0xAB, 0xD2]),
    FROSTSuite("FROST(Jubjub, BLAKE2b-512)", "jubjub", 32, 32, [0xC3, 0xD2, 0x05, 0x1E]),
  ]

  private init(_ name: String, _ curve: Curve, _ mark: [UInt8]) {
    self.name = name
    self.curve = curve
    curveName = curve.rawValue
    scalarByteCount = Curve.scalarByteCount
    pointByteCount = curve.compressedByteCount
    isLittleEndian = curve == .ed25519 || curve == .ristretto255
    self.mark = mark
  }

  private init(_ name: String, _ curveName: String, _ scalar: Int, _ point: Int, _ mark: [UInt8]) {
    self.name = name
    curve = nil
    self.curveName = curveName
    (scalarByteCount, pointByteCount) = (scalar, point)
    isLittleEndian = true
    self.mark = mark
  }

  /// The suites' names in the libraries of 2023.
  private static let older = [
    "FROST(Ed25519, SHA-512)": "FROST-ED25519-SHA512-v1",
    "FROST(secp256k1, SHA-256)": "FROST-secp256k1-SHA256-v1",
    "FROST(P-256, SHA-256)": "FROST-P256-SHA256-v1",
    "FROST(ristretto255, SHA-512)": "FROST-RISTRETTO255-SHA512-v1",
    "FROST(Ed448, SHAKE256)": "FROST-ED448-SHAKE256-v1",
  ]

  static func named(_ name: String) -> FROSTSuite? {
    let name = older[name] ?? name
    return all.first { $0.name == name }
  }

  /// Converts a number from a file to big-endian.
  func number(_ bytes: [UInt8]) -> [UInt8] { isLittleEndian ? bytes.reversed() : bytes }

  /// Converts a secret number from a file to big-endian.
  func scalar(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    isLittleEndian ? try bytes.reversed() : try bytes.copied()
  }
}

/// Packages in postcard's binary form.
///
///     00 ‖ CRC-32 of the suite's name ‖ the fields one after another; counts and u16 are varints
enum FROSTPostcard {
  private static let headByteCount = 5

  /// Returns the suite by the first bytes; nil if it is not a package.
  static func suite(_ bytes: Span<UInt8>) -> FROSTSuite? {
    guard bytes.count > headByteCount, bytes[0] == 0 else { return nil }
    let mark = bytes.extracting(1..<headByteCount).copied()
    return FROSTSuite.all.first { $0.mark == mark }
  }

  /// Parses a complete package; nil for other bytes.
  ///
  /// The three forms have no distinguishing mark. The form whose end matches the end of the bytes is right.
  static func package(_ bytes: Span<UInt8>) throws(CryptoError) -> FROSTPackage? {
    guard let suite = suite(bytes) else { return nil }
    if let package = publicPackage(bytes, suite) { return package }
    let shareEnd = headByteCount + 2 * suite.scalarByteCount
    guard bytes.count > shareEnd else { return nil }
    var package = FROSTPackage(suite: suite)
    package.identifier = suite.number(
      bytes.extracting(headByteCount..<headByteCount + suite.scalarByteCount).copied())
    var reader = Reader(position: shareEnd)
    if bytes.count > shareEnd + 2 * suite.pointByteCount,
      let own = reader.bytes(suite.pointByteCount, in: bytes),
      let key = reader.bytes(suite.pointByteCount, in: bytes), let threshold = reader.varint(in: bytes),
      reader.isAtEnd(of: bytes)
    {
      (package.ownPoint, package.groupKey, package.threshold) = (own, key, threshold)
    } else {
      reader = Reader(position: shareEnd)
      guard let count = reader.varint(in: bytes), 1...FROSTPackage.partyLimit ~= count else { return nil }
      for _ in 0..<count {
        guard let point = reader.bytes(suite.pointByteCount, in: bytes) else { return nil }
        package.commitment.append(point)
      }
      guard reader.isAtEnd(of: bytes) else { return nil }
    }
    let secret = try SecretBytes(
      copying: bytes.extracting(headByteCount + suite.scalarByteCount..<shareEnd))
    package.secret = SharedSecret(try suite.scalar(secret))
    return package
  }

  /// Whether bytes are one signature's nonces: two numbers, and their points with a separate header.
  static func isNonces(_ bytes: Span<UInt8>) -> Bool {
    guard let suite = suite(bytes) else { return false }
    let second = headByteCount + 2 * suite.scalarByteCount
    guard bytes.count == second + headByteCount + 2 * suite.pointByteCount, bytes[second] == 0 else {
      return false
    }
    return bytes.extracting(second + 1..<second + headByteCount).copied() == suite.mark
  }

  private static func publicPackage(_ bytes: Span<UInt8>, _ suite: FROSTSuite) -> FROSTPackage? {
    var package = FROSTPackage(suite: suite)
    var reader = Reader(position: headByteCount)
    guard let count = reader.varint(in: bytes), 1...FROSTPackage.partyLimit ~= count else { return nil }
    for _ in 0..<count {
      guard let place = reader.bytes(suite.scalarByteCount, in: bytes),
        let point = reader.bytes(suite.pointByteCount, in: bytes)
      else { return nil }
      package.parties.append((suite.number(place), point))
    }
    guard let key = reader.bytes(suite.pointByteCount, in: bytes) else { return nil }
    package.groupKey = key
    if reader.isAtEnd(of: bytes) { return package }
    // Since version 3 the threshold follows, if it is known.
    switch reader.byte(in: bytes) {
    case 0: break
    case 1:
      guard let threshold = reader.varint(in: bytes) else { return nil }
      package.threshold = threshold
    default: return nil
    }
    return reader.isAtEnd(of: bytes) ? package : nil
  }

  private struct Reader {
    var position: Int

    func isAtEnd(of bytes: Span<UInt8>) -> Bool { position == bytes.count }

    mutating func byte(in bytes: Span<UInt8>) -> UInt8? {
      guard position < bytes.count else { return nil }
      position += 1
      return bytes[position - 1]
    }

    mutating func bytes(_ count: Int, in bytes: Span<UInt8>) -> [UInt8]? {
      guard count <= bytes.count - position else { return nil }
      position += count
      return bytes.extracting(position - count..<position).copied()
    }

    /// Reads a number of up to 21 bits, enough for counts and u16.
    mutating func varint(in bytes: Span<UInt8>) -> Int? {
      var value = 0
      for shift in [0, 7, 14] {
        guard let byte = byte(in: bytes) else { return nil }
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      return nil
    }
  }
}
