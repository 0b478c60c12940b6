internal import FuekiCrypto

/// One of the three scopes of an archive, each with its own root key and stream (fueki-archive(5), SCOPES AND KEYS).
public enum ArchiveScope: UInt8, CaseIterable, Sendable, Comparable {
  case profile = 1
  case history = 2
  case secrets = 3

  /// The scope's bit in a slot's mask.
  var bit: UInt8 { 1 << (rawValue - 1) }

  /// The scope's name in commands and JSON.
  public var name: String {
    switch self {
    case .profile: "profile"
    case .history: "history"
    case .secrets: "secrets"
    }
  }

  /// The ids of the sections that the scope's stream may hold.
  public var sectionIDs: ClosedRange<UInt16> {
    switch self {
    case .profile: 1...31
    case .history: 32...63
    case .secrets: 64...95
    }
  }

  /// Returns the scope of section `id`, or nil if no stream may hold it.
  public init?(sectionID id: UInt16) {
    guard let scope = Self.allCases.first(where: { $0.sectionIDs.contains(id) }) else { return nil }
    self = scope
  }

  /// The order of the scopes' streams in the file.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The scopes opened by a slot, 1…7.
public struct ScopeMask: Hashable, Sendable {
  /// The combined bits of ``ArchiveScope/bit``.
  package let rawValue: UInt8

  /// Every scope.
  public static let all = ScopeMask(ArchiveScope.allCases)

  init?(rawValue: UInt8) {
    guard (1...7).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a mask of `scopes`, which must not be empty.
  public init(_ scopes: [ArchiveScope]) {
    precondition(!scopes.isEmpty, "a slot that opens nothing is not a slot")
    rawValue = scopes.reduce(0) { $0 | $1.bit }
  }

  /// The scopes of the mask, in ascending order.
  public var scopes: [ArchiveScope] { ArchiveScope.allCases.filter { rawValue & $0.bit != 0 } }
}

/// The keys of one scope, all derived from its 32-byte root key (fueki-archive(5), SCOPES AND KEYS).
///
/// A class, so that the workers that seal and open chunks share one copy of the key.
final class ScopeKeys: Sendable {
  let scope: ArchiveScope
  let root: SharedSecret
  private let prk: SecretBytes
  private let transcript: Digest
  let streamKey: SecretBytes
  private let noncePrefix: [UInt8]

  init(scope: ArchiveScope, root: SharedSecret, archiveID: [UInt8], transcript: Digest) throws(CryptoError) {
    self.scope = scope
    self.root = root
    self.transcript = transcript
    prk = try HKDF.extract(salt: archiveID, ikm: root.bytes)
    let stream = try HKDF.expand(
      prk: prk, info: .label("fueki/1 stream") + [scope.rawValue] + transcript.bytes, count: 48)
    streamKey = try stream.copy(0..<32)
    noncePrefix = stream.withBytes { bytes in (32..<48).map { bytes[$0] } }
  }

  /// Returns the nonce of chunk `index` of the scope's stream.
  func nonce(chunk index: UInt64, isLast: Bool) -> [UInt8] {
    var nonce = noncePrefix
    nonce.append(littleEndian: isLast ? index | 1 << 63 : index)
    return nonce
  }

  func confirmation() throws(CryptoError) -> [UInt8] {
    try expand(.label("fueki/1 confirm") + [scope.rawValue] + transcript.bytes, count: 32)
  }

  func seal(over archiveDigest: Digest) throws(CryptoError) -> [UInt8] {
    try expand(
      .label("fueki/1 seal") + [scope.rawValue] + archiveDigest.bytes, count: Trailer.sealByteCount)
  }

  /// Returns d(s), over the entries of the scope's sections except the manifest.
  func scopeDigest(_ sections: [StreamIndex.Section]) throws(CryptoError) -> [UInt8] {
    var entries: [UInt8] = []
    for section in sections where section.id != StreamIndex.manifestID {
      entries.append(littleEndian: section.id)
      entries.append(littleEndian: section.records)
      entries.append(littleEndian: section.plaintextBytes)
      entries += section.digest.bytes
    }
    let sum = SHA256.hash(entries)
    return try expand(
      .label("fueki/1 scope") + [scope.rawValue] + transcript.bytes + sum.bytes, count: 32)
  }

  /// Returns the key that seals the share `id` a second time.
  ///
  /// Only the secrets scope's keys use it.
  func shareKey(id: [UInt8]) throws(CryptoError) -> SecretBytes {
    try HKDF.expand(prk: prk, info: .label("fueki/1 share") + id, count: 32)
  }

  private func expand(_ info: [UInt8], count: Int) throws(CryptoError) -> [UInt8] {
    let bytes = try HKDF.expand(prk: prk, info: info, count: count)
    return bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}

/// Returns the checksum of the bundle's contents: H over the three scope digests.
func bundleChecksum(_ digests: [[UInt8]]) -> Digest {
  SHA256.hash(.label("fueki/1 bundle"), digests.flatMap { $0 })
}
