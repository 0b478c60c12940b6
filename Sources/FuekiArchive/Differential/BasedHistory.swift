internal import FuekiCrypto

/// A base joined to a differential archive's history, and the changes to each section.
final class BasedHistory: Sendable {
  let reference: BaseReference
  /// The base's own streams, including its history.
  let base: UnlockedStreams
  let changes: Changes

  init(reference: BaseReference, base: UnlockedStreams, changes: Changes) {
    self.reference = reference
    self.base = base
    self.changes = changes
  }
}

extension UnlockedStreams {
  /// The archive's base if its history is open, needs one, and was not joined with it.
  var missingBase: BaseReference? {
    opened[.history] != nil && based == nil ? archive.facts.base : nil
  }

  /// Returns both parts of a section of a joined history; nil for other sections, or if neither file has it.
  func joinedSection(_ id: UInt16) -> JoinedSection? {
    guard let based, Changes.sectionIDs.contains(id), let change = based.changes.change(of: id) else {
      return nil
    }
    return JoinedSection(
      id: id, own: locate(id), base: based.base.locate(id), reference: based.reference, change: change)
  }

  /// The contents of this file's opened streams alone, in ascending section id.
  var ownSummaries: [SectionSummary] {
    opened.keys.sorted().flatMap { opened[$0]?.index.sections.map(SectionSummary.init) ?? [] }
  }

  /// The readable sections, in ascending section id.
  ///
  /// A joined history appears as its result, without the record of changes.
  var summaries: [SectionSummary] {
    guard let based else { return ownSummaries.filter { $0.id != Changes.sectionID } }
    let own = ownSummaries
    let result = based.changes.sections.filter { $0.records > 0 }.map { change in
      let bytes = [self, based.base].compactMap { $0.locate(change.section)?.section.plaintextBytes }
      return SectionSummary(change, plaintextBytes: bytes.reduce(0, +))
    }
    let others = own.filter { !Changes.sectionIDs.contains($0.id) && $0.id != Changes.sectionID }
    return (others + result).sorted { $0.id < $1.id }
  }

  /// Reads the record of section 62 and validates it by itself (step 9); nil if its block is lost.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` if it is invalid or lacks an entry for a section of this archive,
  ///   ``ArchiveError/overLimit(_:)`` if there are too many differences.
  func readChanges() throws -> Changes? {
    guard let part = locate(Changes.sectionID), let history = opened[.history] else {
      throw ArchiveError.forged(.changes)
    }
    let reader = PartReader(part) { block in
      let bytes = block.bytes.span
      guard let message = block.messages.first, let changes = Changes(decoding: bytes.extracting(message))
      else { throw ArchiveError.forged(.changes) }
      return changes
    }
    let found = try reader.next()
    guard try reader.next() == nil, reader.loss == nil, let changes = found else { return nil }
    let here = history.index.sections.filter { Changes.sectionIDs.contains($0.id) }
    // The index was validated by itself, so the sum cannot overflow.
    guard here.reduce(changes.removedCount, { $0 + $1.records }) <= Changes.mostRecords else {
      throw ArchiveError.overLimit(.changes)
    }
    guard here.allSatisfy({ changes.change(of: $0.id) != nil }) else { throw ArchiveError.forged(.changes) }
    return changes
  }

  /// Joins the streams with a base that completes their history.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` if the changes do not match the sections of both.
  func joined(
    with base: UnlockedStreams, _ reference: BaseReference, _ changes: Changes
  ) throws(ArchiveError) -> UnlockedStreams {
    let ids = [self, base].flatMap { $0.opened[.history]?.index.sections.map(\.id) ?? [] }
    let present = Set(ids.filter(Changes.sectionIDs.contains))
    let stated = Set(changes.sections.map(\.section))
    if let differing = present.symmetricDifference(stated).min() {
      throw .forged(.result(section: differing))
    }
    return UnlockedStreams(
      archive: archive, digest: digest, opened: opened, lost: lost, slots: slots,
      based: BasedHistory(reference: reference, base: base, changes: changes))
  }

  /// The streams without the history.
  ///
  /// The other scopes need no base.
  var withoutHistory: UnlockedStreams {
    UnlockedStreams(
      archive: archive, digest: digest, opened: opened.filter { $0.key != .history },
      lost: lost.filter { $0 != .history }, slots: slots)
  }

  /// Returns the plaintext bytes left for another file within a limit, after all sections open here.
  func remaining(of plaintextLimit: UInt64) -> UInt64 {
    let used = ownSummaries.reduce(0) { $0 + $1.plaintextBytes }
    let limit = min(plaintextLimit, Limits.plaintextBytes)
    return limit > used ? limit - used : 0
  }
}

extension ArchiveError {
  /// The error attributed to an archive's base.
  ///
  /// Errors that do not concern the file are unchanged.
  func ofBase(_ reference: BaseReference) -> ArchiveError {
    switch self {
    case .unreadable, .outOfMemory, .inBase, .baseMissing: self
    default: .inBase(reference, self)
    }
  }
}

/// An unlocked archive whose history is not yet joined with its base and cannot be read.
///
/// If no base is needed, because the archive is full or its history is locked, ``whole()`` returns an
/// ``OpenArchive``. Otherwise use ``joined(with:allowance:plaintextLimit:bases:progress:)``. Only
/// ``IntactArchive/unlockAlone(with:allowance:plaintextLimit:)`` creates one.
public struct UnjoinedArchive: Sendable {
  let intact: IntactArchive
  let streams: UnlockedStreams

  /// The base needed to read the history; nil if none is needed.
  public var missingBase: BaseReference? { streams.missingBase }
  /// The unlocked scopes, in ascending order.
  public var scopes: [ArchiveScope] { streams.opened.keys.sorted() }
  /// The numbers of the slots that the secrets opened, from 1.
  public var openedSlots: [Int] { streams.slots.keys.sorted() }

  /// Returns the archive if it needs no base.
  ///
  /// - Throws: ``ArchiveError/baseMissing(_:)``.
  public func whole() throws(ArchiveError) -> OpenArchive {
    if let missingBase { throw .baseMissing(missingBase) }
    return OpenArchive(intact, streams)
  }

  /// Returns the archive without its history.
  ///
  /// The other scopes never depend on a base.
  public func withoutHistory() -> OpenArchive { OpenArchive(intact, streams.withoutHistory) }

  /// Reads all open contents of this file alone, like ``OpenArchive/checkContents(judging:progress:)``.
  public func checkContents(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    try streams.checkAlone(judging: judge, progress: progress)
  }
}

/// Returns the files that may be a base, such as all archives of a directory, in the order to try.
public typealias BaseCandidates = (BaseReference) throws -> [ArchiveFile]

extension IntactArchive {
  /// Tries every slot that a given secret may open, and opens the streams of the unwrapped keys, without a
  /// base.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of all sections' plaintext in bytes.
  /// - Returns: the archive with every unlocked scope.
  /// - Throws: ``ArchiveError/wrongSecret`` if no slot opens, ``ArchiveError/overLimit(_:)`` if opening would
  ///   exceed the limits, ``ArchiveError/forged(_:)`` if a key, a seal or an index is invalid.
  public func unlockAlone(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> UnjoinedArchive {
    UnjoinedArchive(
      intact: self,
      streams: try stored.unlockStreams(
        with: secrets, allowance: allowance, plaintextLimit: plaintextLimit, digest: digest,
        evidence: .allWhole))
  }
}

extension UnjoinedArchive {
  /// Joins the archive's history with its base's.
  ///
  /// Returns the archive unchanged if no base is needed.
  ///
  /// - Parameters:
  ///   - secrets: the secrets that opened the archive, which must also open the base's history.
  ///   - allowance: the limit of the key derivation's cost.
  ///   - plaintextLimit: the limit of both files' plaintext in bytes.
  ///   - bases: finds candidates for the base.
  ///   - progress: receives the bytes read of the base so far and its total; an error thrown by it ends the
  ///     work.
  /// - Returns: the archive with the history of both files.
  /// - Throws: ``ArchiveError/baseMissing(_:)``; ``ArchiveError/inBase(_:_:)`` for faults of the base alone;
  ///   ``ArchiveError/forged(_:)`` if the two contradict the archive; the errors of `bases` and `progress`.
  public func joined(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes, bases: BaseCandidates,
    progress: (UInt64, UInt64) throws -> Void = { _, _ in }
  ) throws -> OpenArchive {
    guard let reference = missingBase else { return OpenArchive(intact, streams) }
    guard let changes = try streams.readChanges() else { throw ArchiveError.forged(.changes) }
    let search = BaseSearch(
      reference: reference, archive: streams.archive, secrets: secrets, allowance: allowance,
      plaintextLimit: streams.remaining(of: plaintextLimit))
    switch try search.open(among: try bases(reference), progress: progress) {
    case nil: throw ArchiveError.baseMissing(reference)
    case .damaged(let found):
      throw ArchiveError.inBase(reference, .damaged(found.report.damage.first ?? .structure))
    case .opened(let base):
      return OpenArchive(intact, try streams.joined(with: base, reference, changes))
    }
  }
}

extension DamagedArchive {
  /// Salvages the intact parts of the archive and, if its history needs one, of its base.
  ///
  /// Without the base or the record of changes, the archive's own records are returned.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of both files' plaintext in bytes.
  ///   - bases: finds candidates for the base.
  /// - Returns: the intact parts, with the origin of the history.
  /// - Throws: as ``salvage(with:allowance:plaintextLimit:)``, for either file, and the errors of `bases`.
  public func salvage(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes, bases: BaseCandidates
  ) throws -> SalvagedArchive {
    let alone = try salvage(with: secrets, allowance: allowance, plaintextLimit: plaintextLimit)
    guard let reference = alone.streams.missingBase else { return alone }
    guard let changes = try alone.streams.readChanges() else {
      return SalvagedArchive(source: self, streams: alone.streams, history: .withoutChanges(reference))
    }
    let search = BaseSearch(
      reference: reference, archive: stored, secrets: secrets, allowance: allowance,
      plaintextLimit: alone.streams.remaining(of: plaintextLimit))
    let base: UnlockedStreams
    switch try search.open(among: try bases(reference), progress: { _, _ in }) {
    case nil: return alone
    case .opened(let streams): base = streams
    case .damaged(let found): base = try search.salvage(found)
    }
    guard base.opened[.history] != nil else { return alone }
    return SalvagedArchive(
      source: self, streams: try alone.streams.joined(with: base, reference, changes),
      history: .joined(reference))
  }
}

extension IntactArchive {
  /// The archive as a candidate for salvage, because its base is damaged or missing.
  public var forSalvage: DamagedArchive { DamagedArchive(stored, .allWhole, trusting: nil, isDamaged: false) }
}
