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
  ///
  /// - Throws: ``Refusal``, or the errors of ``SecretBytes/init(count:)``.
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
