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
