internal import FuekiCrypto

/// An archive's unlocked streams: the keys belong to the header, and the indices are valid.
///
/// These are steps 5 to 7 of fueki-archive(5).
public struct UnlockedStreams: Sendable {
  let archive: StoredArchive
  let digest: Digest
  let opened: [ArchiveScope: OpenStream]
  let lost: [ArchiveScope]
  /// Requests for slots that the same secret would open, by the number of the opened slot, from 1.
  let slots: [Int: NewSlot]
  /// The base joined to the history.
  var based: BasedHistory?

  /// An opened stream and its index.
  struct OpenStream: Sendable {
    let opening: StreamOpening
    let index: StreamIndex
  }

  /// Finds a section in this file.
  func locate(_ id: UInt16) -> SectionPart? {
    guard let scope = ArchiveScope(sectionID: id), let stream = opened[scope] else { return nil }
    return SectionPart(id, of: stream.index, opening: stream.opening)
  }
}

/// The verified keys of a secret, and the slots that it opened.
///
/// These are steps 5 and 6 of fueki-archive(5), except the seals.
struct UnlockedScopes {
  /// The keys in ascending scope.
  let keys: [ScopeKeys]
  /// Requests for slots that the same secret would open, by the number of the opened slot, from 1.
  let slots: [Int: NewSlot]
}

extension StoredArchive {
  /// Tries every slot that a given secret may open, and opens the streams of the unwrapped keys.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of all sections' plaintext in bytes.
  ///   - digest: the archive's digest, computed from its bytes.
  ///   - evidence: the evidence for the chunks.
  /// - Returns: every unlocked stream, listing those whose index is lost.
  /// - Throws: ``ArchiveError`` for steps 5 to 7.
  func unlockStreams(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance, plaintextLimit: UInt64,
    digest: Digest, evidence: ChunkEvidence
  ) throws(ArchiveError) -> UnlockedStreams {
    let scopes = try unlockScopes(with: secrets, allowance: allowance)
    if let seal = try brokenSeal(under: scopes, over: digest) { throw .forged(.seal(seal)) }
    return try openStreams(scopes, plaintextLimit: plaintextLimit, digest: digest, evidence: evidence)
  }

  /// Tries every slot that a given secret may open.
  ///
  /// - Throws: ``ArchiveError`` for steps 5 and 6, except the seals.
  func unlockScopes(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance
  ) throws(ArchiveError) -> UnlockedScopes {
    let unlocked = try UnlockedKeys.unlock(header, with: secrets, allowance: allowance)
    var keys: [ScopeKeys] = []
    for scope in unlocked.roots.keys.sorted() {
      guard let root = unlocked.roots[scope] else { continue }
      keys.append(try checkedKeys(scope, root: root))
    }
    return UnlockedScopes(keys: keys, slots: unlocked.slots)
  }

  /// Returns the first opened scope with an invalid seal; nil if all are valid.
  func brokenSeal(
    under scopes: UnlockedScopes, over digest: Digest
  ) throws(ArchiveError) -> ArchiveScope? {
    for keys in scopes.keys where try !sealHolds(keys, over: digest) { return keys.scope }
    return nil
  }

  /// Opens the streams of scopes with valid seals.
  ///
  /// - Throws: ``ArchiveError`` for step 7.
  func openStreams(
    _ scopes: UnlockedScopes, plaintextLimit: UInt64, digest: Digest, evidence: ChunkEvidence
  ) throws(ArchiveError) -> UnlockedStreams {
    var streams: [ArchiveScope: UnlockedStreams.OpenStream] = [:]
    for keys in scopes.keys {
      let opening = StreamOpening(self, keys: keys, evidence: evidence)
      guard let index = try opening.readIndex() else { continue }
      if keys.scope == .history { try index.checkChanges(isDifferential: header.facts.base != nil) }
      streams[keys.scope] = UnlockedStreams.OpenStream(opening: opening, index: index)
    }
    var remaining = min(plaintextLimit, Limits.plaintextBytes)
    for section in streams.values.flatMap(\.index.sections) {
      guard section.plaintextBytes <= remaining else { throw .overLimit(.plaintext) }
      remaining -= section.plaintextBytes
    }
    for scope in streams.keys.sorted() {
      guard let stream = streams[scope] else { continue }
      try stream.index.checkLengths(
        in: scope, suite: header.facts.suite, chunkCount: stream.opening.chunkCount)
    }
    let lost = scopes.keys.map(\.scope).filter { streams[$0] == nil }
    return UnlockedStreams(
      archive: self, digest: digest, opened: streams, lost: lost, slots: scopes.slots)
  }

  /// Returns the keys of a scope after its confirmation proves that they belong to this header.
  private func checkedKeys(_ scope: ArchiveScope, root: SharedSecret) throws(ArchiveError) -> ScopeKeys {
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

  private func sealHolds(_ keys: ScopeKeys, over digest: Digest) throws(ArchiveError) -> Bool {
    do {
      let derived = try keys.seal(over: digest)
      let stated = trailer.seal(of: keys.scope)
      return ConstantTime.areEqual(derived.span, stated.span)
    } catch { throw .outOfMemory }
  }
}
