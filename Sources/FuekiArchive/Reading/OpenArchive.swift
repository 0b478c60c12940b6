public import FuekiCrypto

/// An unlocked archive: the keys belong to the header, and the opened streams' indices are valid.
///
/// These are steps 5 to 7 of fueki-archive(5). Its blocks are authenticated as they are read. Only
/// ``IntactArchive/unlock(with:allowance:plaintextLimit:)`` creates one or, for a differential archive,
/// ``UnjoinedArchive/joined(with:allowance:plaintextLimit:bases:progress:)``. Its history then comes
/// from both files.
public struct OpenArchive: UnlockedArchive {
  let intact: IntactArchive
  /// The streams that the secret opened.
  public let streams: UnlockedStreams

  /// Returns a request for a slot of the same type and scopes for the same secret; nil if slot `number` is
  /// locked.
  public func newSlot(like number: Int) -> NewSlot? { streams.slots[number] }

  /// The archive before it was opened.
  public var source: IntactArchive { intact }

  init(_ intact: IntactArchive, _ streams: UnlockedStreams) {
    self.intact = intact
    self.streams = streams
  }
}

extension IntactArchive {
  /// Tries every slot that a given secret may open, and opens the streams of the unwrapped keys.
  ///
  /// For an archive that needs no base.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of all sections' plaintext in bytes.
  /// - Returns: the archive with every unlocked scope.
  /// - Throws: ``ArchiveError/wrongSecret`` if no slot opens, ``ArchiveError/overLimit(_:)`` if opening would
  ///   exceed the limits, ``ArchiveError/forged(_:)`` if a key, a seal or an index is invalid,
  ///   ``ArchiveError/baseMissing(_:)`` if the history needs a base.
  public func unlock(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> OpenArchive {
    try unlockAlone(with: secrets, allowance: allowance, plaintextLimit: plaintextLimit).whole()
  }
}

/// An unlocked archive for restore and export: intact (``OpenArchive``) or salvaged (``SalvagedArchive``).
public protocol UnlockedArchive: Sendable {
  /// The streams that the secret opened.
  var streams: UnlockedStreams { get }
}

extension UnlockedArchive {
  /// The archive's digest, computed from its bytes.
  public var digest: Digest { streams.digest }
  /// The header's facts.
  public var facts: HeaderFacts { streams.archive.facts }
  /// The readable scopes, in ascending order.
  public var scopes: [ArchiveScope] { streams.opened.keys.sorted() }
  /// Scopes that are lost entirely, because their index is damaged.
  public var lostScopes: [ArchiveScope] { streams.lost }
  /// The numbers of the slots that the secrets opened, from 1.
  public var openedSlots: [Int] { streams.slots.keys.sorted() }

  /// The readable sections, in ascending section id, including unknown ones.
  ///
  /// A joined history appears as its result.
  public var sections: [SectionSummary] { streams.summaries }
  /// The sections in the opened streams of the archive's own file, in ascending section id.
  package var ownSections: [SectionSummary] { streams.ownSummaries }
  /// The base joined to the history; nil if there is none.
  public var joinedBase: BaseReference? { streams.based?.reference }
  /// Damage to the base's copies only, which does not stop readers.
  public var baseDamage: [ArchiveError.Damage] { streams.based?.base.archive.structuralDamage ?? [] }

  /// Returns the manifest's record without fields 1, 2 and 3, whose scope digests are verified.
  ///
  /// The digests are compared with the open scopes. Returns nil if the profile is locked or the manifest is
  /// lost.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` if a digest does not match.
  public func manifest() throws -> (body: [UInt8], bundleChecksum: Digest)? { try streams.manifest() }

  /// Opens a key share's inner seal (fueki-archive(5), SECTIONS), which requires the secrets scope.
  ///
  /// - Parameters:
  ///   - sealed: nonce ‖ ciphertext, from the share's record.
  ///   - id: the share's 16-byte id.
  /// - Returns: the share's secret bytes.
  /// - Throws: ``ArchiveError/forged(_:)`` if the share was altered, even inside a valid stream.
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
  /// Implements ``UnlockedArchive/manifest()``.
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
