/// What a differential archive's history is joined with: its base's, and what becomes of each section.
final class BasedHistory: Sendable {
  let reference: BaseReference
  /// The base's own streams; its history is among them.
  let base: UnlockedStreams
  let changes: Changes

  init(reference: BaseReference, base: UnlockedStreams, changes: Changes) {
    self.reference = reference
    self.base = base
    self.changes = changes
  }
}

extension UnlockedStreams {
  /// The archive's base, where its history is open and needs one that it was not joined with.
  var missingBase: BaseReference? {
    opened[.history] != nil && based == nil ? archive.facts.base : nil
  }

  /// Both parts of a section of a history that was joined; nil of any other section, and where neither file has it.
  func joinedSection(_ id: UInt16) -> JoinedSection? {
    guard let based, Changes.sectionIDs.contains(id), let change = based.changes.change(of: id) else {
      return nil
    }
    return JoinedSection(
      id: id, own: locate(id), base: based.base.locate(id), reference: based.reference, change: change)
  }

  /// What the opened streams of this file alone hold, in ascending section id.
  var ownSummaries: [SectionSummary] {
    opened.keys.sorted().flatMap { opened[$0]?.index.sections.map(SectionSummary.init) ?? [] }
  }

  /// What can be read, in ascending section id: of a history that was joined the result, without the record that says
  /// how it is put together.
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

  /// The record of section 62, and what step 9 says of it by itself; nil where its block is lost.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` where it is none or has no entry for a section that is here,
  ///   ``ArchiveError/overLimit(_:)`` where too much differs.
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
    // The index was judged by itself, so that the sum cannot overflow.
    guard here.reduce(changes.removedCount, { $0 + $1.records }) <= Changes.mostRecords else {
      throw ArchiveError.overLimit(.changes)
    }
    guard here.allSatisfy({ changes.change(of: $0.id) != nil }) else { throw ArchiveError.forged(.changes) }
    return changes
  }

  /// The streams with a history that takes from a base what it has not itself.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` where the changes do not speak of the sections that the two have.
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

  /// The streams without the history, whose other scopes need no base.
  var withoutHistory: UnlockedStreams {
    UnlockedStreams(
      archive: archive, digest: digest, opened: opened.filter { $0.key != .history },
      lost: lost.filter { $0 != .history }, slots: slots)
  }

  /// How many bytes of plaintext a limit leaves to another file, after all sections that are open here.
  func remaining(of plaintextLimit: UInt64) -> UInt64 {
    let used = ownSummaries.reduce(0) { $0 + $1.plaintextBytes }
    let limit = min(plaintextLimit, Limits.plaintextBytes)
    return limit > used ? limit - used : 0
  }
}

extension ArchiveError {
  /// The error as one of an archive's base; what says nothing of the file stays as it is.
  func ofBase(_ reference: BaseReference) -> ArchiveError {
    switch self {
    case .unreadable, .outOfMemory, .inBase, .baseMissing: self
    default: .inBase(reference, self)
    }
  }
}
