public import FuekiCrypto

/// An archive that a secret has opened: the keys are the header's own, and the opened streams' indices hold
/// (steps 5 to 7 of FORMAT.md section 8).
///
/// Its blocks are authenticated as they are read. There is no other way to one than
/// ``IntactArchive/unlock(with:allowance:plaintextLimit:)``.
public struct OpenArchive: Sendable {
  let intact: IntactArchive
  let streams: [ArchiveScope: OpenStream]
  private let openers: [Int: NewSlot]

  init(intact: IntactArchive, streams: [ArchiveScope: OpenStream], openers: [Int: NewSlot]) {
    self.intact = intact
    self.streams = streams
    self.openers = openers
  }

  /// One opened stream: how to read it, and what it holds.
  struct OpenStream: Sendable {
    let opening: StreamOpening
    let index: StreamIndex
  }

  /// The numbers of the slots that the secrets opened, from 1.
  public var openedSlots: [Int] { openers.keys.sorted() }

  /// A request for a slot of the same type and scopes that the same secret would open; nil where slot `number` is
  /// closed.
  public func newSlot(like number: Int) -> NewSlot? { openers[number] }

  /// The digest that names the archive.
  public var digest: Digest { intact.digest }
  /// What the header says.
  public var facts: HeaderFacts { intact.facts }
  /// The scopes that can be read, in ascending order.
  public var scopes: [ArchiveScope] { streams.keys.sorted() }
  /// The archive, as it was before it was opened.
  public var source: IntactArchive { intact }

  /// What the opened streams hold, in ascending section id, unknown sections included.
  public var sections: [SectionSummary] {
    scopes.flatMap { streams[$0]?.index.sections.map(SectionSummary.init) ?? [] }
  }

  /// Opens a key share's sealed bytes (FORMAT.md section 7): nobody else can.
  ///
  /// - Parameters:
  ///   - sealed: nonce ‖ ciphertext, as the share's record has them.
  ///   - id: the share's 16-byte id.
  /// - Returns: the share's secret bytes.
  /// - Throws: ``ArchiveError/forged(_:)`` where the share was altered, even inside a valid stream.
  package func open(share sealed: [UInt8], id: [UInt8]) throws(ArchiveError) -> SecretBytes {
    guard let keys = streams[.secrets]?.opening.keys else { throw .wrongSecret }
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

extension IntactArchive {
  /// Tries every slot that there is a secret for, and opens the streams whose keys it gives.
  ///
  /// - Parameters:
  ///   - secrets: what the caller has.
  ///   - allowance: what the key derivation may cost; checked before any is done.
  ///   - plaintextLimit: the most that all sections' plaintext may be, in bytes.
  /// - Returns: the archive, with every scope that a slot gave the key of.
  /// - Throws: ``ArchiveError/wrongSecret`` where no slot opens, ``ArchiveError/overLimit(_:)`` where opening would
  ///   cost more than is allowed, ``ArchiveError/forged(_:)`` where a key, a seal or an index does not hold.
  public func unlock(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> OpenArchive {
    let header = stored.header
    let unlocked = try UnlockedKeys.unlock(header, with: secrets, allowance: allowance)
    var streams: [ArchiveScope: OpenArchive.OpenStream] = [:]
    var keys: [ScopeKeys] = []
    for scope in unlocked.roots.keys.sorted() {
      guard let root = unlocked.roots[scope] else { continue }
      keys.append(try checkedKeys(scope, root: root))
    }
    for keys in keys where try !sealHolds(keys) { throw .forged(.seal(keys.scope)) }
    for keys in keys {
      let opening = StreamOpening(stored, keys: keys)
      streams[keys.scope] = OpenArchive.OpenStream(opening: opening, index: try opening.readIndex())
    }
    var remaining = min(plaintextLimit, Limits.plaintextBytes)
    for section in streams.values.flatMap(\.index.sections) {
      guard section.plaintextBytes <= remaining else { throw .overLimit(.plaintext) }
      remaining -= section.plaintextBytes
    }
    for scope in streams.keys.sorted() {
      guard let stream = streams[scope] else { continue }
      try stream.index.checkLengths(in: scope, chunkCount: stream.opening.chunkCount)
    }
    return OpenArchive(intact: self, streams: streams, openers: unlocked.slots)
  }

  /// The keys of a scope, once its confirmation shows that they are this header's.
  private func checkedKeys(_ scope: ArchiveScope, root: SharedSecret) throws(ArchiveError) -> ScopeKeys {
    let header = stored.header
    do {
      let keys = try ScopeKeys(
        scope: scope, root: root, archiveID: header.facts.archiveID, transcript: header.transcript)
      let stated = header.confirmation(of: scope)
      let derived = try keys.confirmation()
      guard ConstantTime.areEqual(derived.span, stated.span) else {
        throw ArchiveError.forged(.confirmation(scope))
      }
      return keys
    } catch let error as ArchiveError {
      throw error
    } catch { throw .outOfMemory }
  }

  private func sealHolds(_ keys: ScopeKeys) throws(ArchiveError) -> Bool {
    do {
      let derived = try keys.seal(over: digest)
      let stated = stored.trailer.seal(of: keys.scope)
      return ConstantTime.areEqual(derived.span, stated.span)
    } catch { throw .outOfMemory }
  }
}
