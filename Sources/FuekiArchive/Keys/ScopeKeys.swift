internal import FuekiCrypto

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
