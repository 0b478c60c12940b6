internal import FuekiCrypto

/// What a secret opened of an archive: the keys are the header's own, and the indices hold
/// (steps 5 to 7 of fueki-archive(5)).
public struct UnlockedStreams: Sendable {
  let archive: StoredArchive
  let digest: Digest
  let opened: [ArchiveScope: OpenStream]
  let lost: [ArchiveScope]
  /// By number, from 1, of the slots that opened: a slot that the same secret would open.
  let slots: [Int: NewSlot]
  /// What the history was joined with.
  var based: BasedHistory?

  /// One opened stream: how to read it, and what it holds.
  struct OpenStream: Sendable {
    let opening: StreamOpening
    let index: StreamIndex
  }

  /// Where this file holds a section.
  func locate(_ id: UInt16) -> SectionPart? {
    guard let scope = ArchiveScope(sectionID: id), let stream = opened[scope] else { return nil }
    return SectionPart(id, of: stream.index, opening: stream.opening)
  }
}

/// The keys that a secret gave, which are the header's own, and the slots that gave them (steps 5 and 6 of
/// fueki-archive(5), but for the seals).
struct UnlockedScopes {
  /// In ascending scope.
  let keys: [ScopeKeys]
  /// By number, from 1, of the slots that opened: a slot that the same secret would open.
  let slots: [Int: NewSlot]
}

extension StoredArchive {
  /// Tries every slot that there is a secret for, and opens the streams whose keys it gives.
  ///
  /// - Parameters:
  ///   - secrets: what the caller has.
  ///   - allowance: what the key derivation may cost; checked before any is done.
  ///   - plaintextLimit: the most that all sections' plaintext may be, in bytes.
  ///   - digest: the archive's, computed from its bytes.
  ///   - evidence: what is known of the chunks.
  /// - Returns: every stream that a slot gave the key of; those whose index is lost are named.
  /// - Throws: ``ArchiveError`` for steps 5 to 7.
  func unlockStreams(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance, plaintextLimit: UInt64,
    digest: Digest, evidence: ChunkEvidence
  ) throws(ArchiveError) -> UnlockedStreams {
    let scopes = try unlockScopes(with: secrets, allowance: allowance)
    if let seal = try brokenSeal(under: scopes, over: digest) { throw .forged(.seal(seal)) }
    return try openStreams(scopes, plaintextLimit: plaintextLimit, digest: digest, evidence: evidence)
  }

  /// Tries every slot that there is a secret for.
  ///
  /// - Throws: ``ArchiveError`` for steps 5 and 6, but for the seals.
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

  /// The first of the opened scopes whose seal does not hold; nil where all do.
  func brokenSeal(
    under scopes: UnlockedScopes, over digest: Digest
  ) throws(ArchiveError) -> ArchiveScope? {
    for keys in scopes.keys where try !sealHolds(keys, over: digest) { return keys.scope }
    return nil
  }

  /// Opens the streams of scopes whose seals hold.
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

  /// The keys of a scope, once its confirmation shows that they are this header's.
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
