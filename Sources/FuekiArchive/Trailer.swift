internal import FuekiCrypto

/// The 256 bytes that close an archive, the same in both places (fueki-archive(5), LAYOUT).
struct Trailer: Equatable {
  static let byteCount = 256
  static let signatureByteCount = 64
  static let sealByteCount = 16
  static let endMagic = Array(Layout.magic.reversed())

  let chunkCounts: [UInt64]
  let headerDigest: Digest
  let leafRoot: Digest
  let archiveDigest: Digest
  let signature: [UInt8]
  let seals: [UInt8]
  let reserved: [UInt8]

  /// Returns the archive's digest, over the trailer's first 88 bytes.
  static func archiveDigest(chunkCounts: [UInt64], headerDigest: Digest, leafRoot: Digest) -> Digest {
    SHA256.hash(.label("fueki/1 archive"), head(chunkCounts, headerDigest, leafRoot))
  }

  /// The digest computed from the trailer's first bytes, whatever it states.
  var computedDigest: Digest {
    Self.archiveDigest(chunkCounts: chunkCounts, headerDigest: headerDigest, leafRoot: leafRoot)
  }

  /// Returns the bytes that an archive's signer signs.
  ///
  /// - Parameters:
  ///   - archiveDigest: the archive's digest.
  ///   - seals: all three seals; nil if the signature does not cover them.
  /// - Returns: 106 bytes, or 49 without seals.
  static func signedBytes(_ archiveDigest: Digest, seals: [UInt8]?) -> [UInt8] {
    guard let seals else { return .label("fueki/1 signature") + archiveDigest.bytes }
    return .label("fueki/1 signature of seals") + archiveDigest.bytes + seals
  }

  /// Whether the signature is this signer's over a digest and, if the header states it, over the seals.
  func isSigned(by signer: Ed25519.PublicKey, over digest: Digest, coveringSeals: Bool) -> Bool {
    let signed = Self.signedBytes(digest, seals: coveringSeals ? seals : nil)
    return Ed25519.isValid(signature: signature, over: signed, publicKey: signer)
  }

  init(
    chunkCounts: [UInt64], headerDigest: Digest, leafRoot: Digest, archiveDigest: Digest, signature: [UInt8],
    seals: [UInt8]
  ) {
    self.chunkCounts = chunkCounts
    self.headerDigest = headerDigest
    self.leafRoot = leafRoot
    self.archiveDigest = archiveDigest
    self.signature = signature
    self.seals = seals
    reserved = [UInt8](repeating: 0, count: 8)
  }

  /// Decodes a trailer, or returns nil if its end magic or its check is wrong.
  init?(whole bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, Array(bytes[248...]) == Self.endMagic,
      Array(bytes[240..<248]) == Self.check(of: Array(bytes[..<240]))
    else { return nil }
    var reader = ByteReader(bytes)
    do {
      chunkCounts = [try reader.u64(), try reader.u64(), try reader.u64()]
      guard let header = Digest(bytes: try reader.bytes(32)), let root = Digest(bytes: try reader.bytes(32)),
        let archive = Digest(bytes: try reader.bytes(32))
      else { return nil }
      headerDigest = header
      leafRoot = root
      archiveDigest = archive
      signature = try reader.bytes(Self.signatureByteCount)
      seals = try reader.bytes(3 * Self.sealByteCount)
      reserved = try reader.bytes(8)
    } catch { return nil }
  }

  var bytes: [UInt8] {
    var bytes = Self.head(chunkCounts, headerDigest, leafRoot)
    bytes += archiveDigest.bytes + signature + seals + reserved
    return bytes + Self.check(of: bytes) + Self.endMagic
  }

  func seal(of scope: ArchiveScope) -> [UInt8] {
    let start = (Int(scope.rawValue) - 1) * Self.sealByteCount
    return Array(seals[start..<start + Self.sealByteCount])
  }

  private static func head(_ chunkCounts: [UInt64], _ headerDigest: Digest, _ leafRoot: Digest) -> [UInt8] {
    var bytes: [UInt8] = []
    for count in chunkCounts { bytes.append(littleEndian: count) }
    return bytes + headerDigest.bytes + leafRoot.bytes
  }

  private static func check(of bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(.label("fueki/1 trailer"), bytes).bytes[..<8])
  }
}
