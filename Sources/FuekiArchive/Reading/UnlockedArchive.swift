public import FuekiCrypto

/// What restore and export read: an archive that a secret has opened, whole (``OpenArchive``) or what is left of it
/// (``SalvagedArchive``).
public protocol UnlockedArchive: Sendable {
  /// The streams that the secret opened.
  var streams: UnlockedStreams { get }
}

extension UnlockedArchive {
  /// The digest that names the archive, computed from its bytes.
  public var digest: Digest { streams.digest }
  /// What the header says.
  public var facts: HeaderFacts { streams.archive.facts }
  /// The scopes that can be read, in ascending order.
  public var scopes: [ArchiveScope] { streams.opened.keys.sorted() }
  /// Scopes whose keys are there and whose index is damaged, so that all of them is lost.
  public var lostScopes: [ArchiveScope] { streams.lost }
  /// The numbers of the slots that the secrets opened, from 1.
  public var openedSlots: [Int] { streams.slots.keys.sorted() }

  /// What can be read, in ascending section id, unknown sections included; of a history that was joined with its base's,
  /// what the two come to.
  public var sections: [SectionSummary] { streams.summaries }
  /// What the opened streams of the archive's own file hold, in ascending section id.
  public var ownSections: [SectionSummary] { streams.ownSummaries }
  /// The full archive that the history was joined with; nil where it needed none, or has none.
  public var joinedBase: BaseReference? { streams.based?.reference }
  /// Damage to the base's copies only, which stopped nobody.
  public var baseDamage: [ArchiveError.Damage] { streams.based?.base.archive.structuralDamage ?? [] }

  /// The manifest's record without fields 1, 2 and 3, after the scope digests in those fields were compared with
  /// the scopes that are open; nil where the profile is not, or the manifest is lost.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` where a digest does not hold.
  public func manifest() throws -> (body: [UInt8], bundleChecksum: Digest)? { try streams.manifest() }

  /// Opens a key share's sealed bytes (fueki-archive(5), SECTIONS): nobody else can.
  ///
  /// - Parameters:
  ///   - sealed: nonce ‖ ciphertext, as the share's record has them.
  ///   - id: the share's 16-byte id.
  /// - Returns: the share's secret bytes.
  /// - Throws: ``ArchiveError/forged(_:)`` where the share was altered, even inside a valid stream.
  package func open(share sealed: [UInt8], id: [UInt8]) throws(ArchiveError) -> SecretBytes {
    guard let keys = streams.opened[.secrets]?.opening.keys else { throw .wrongSecret }
    let nonceBytes = XChaCha20Poly1305.nonceByteCount
    guard id.count == 16, sealed.count >= nonceBytes + XChaCha20Poly1305.tagByteCount else {
      throw .forged(.keyShare)
    }
    do {
      let key = try keys.shareKey(id: id)
      return try XChaCha20Poly1305.openSecret(
        sealed.span.extracting(nonceBytes..<sealed.count), key: key, nonce: Array(sealed[..<nonceBytes]),
        additionalData: id)
    } catch { throw error == .notAuthentic ? .forged(.keyShare) : .outOfMemory }
  }
}

extension UnlockedStreams {
  /// As ``UnlockedArchive/manifest()``.
  func manifest() throws -> (body: [UInt8], bundleChecksum: Digest)? {
    guard opened[.profile] != nil else { return nil }
    var record: [UInt8] = []
    let loss = try readRecords(of: StreamIndex.manifestID) { block in
      block.messages.first.map { Array(block.bytes[$0]) } ?? []
    } body: {
      record = $0
    }
    guard loss == nil else { return nil }
    guard let (digests, body) = ManifestRecord.decode(record) else { throw ArchiveError.forged(.manifest) }
    for scope in opened.keys.sorted() {
      guard let stream = opened[scope] else { continue }
      let stated = digests[Int(scope.rawValue) - 1]
      guard try stream.opening.keys.scopeDigest(stream.index.sections) == stated else {
        throw ArchiveError.forged(.scopeDigest(scope))
      }
    }
    return (body, bundleChecksum(digests))
  }
}
