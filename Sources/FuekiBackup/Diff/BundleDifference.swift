internal import FuekiCrypto
internal import FuekiSystem
public import FuekiArchive
public import FuekiWallet

/// The differences between two archives, or between an archive and the current wallet.
public struct BundleDifference: Equatable, Sendable {
  /// Every section that was compared, in order, those that are equal included.
  public let sections: [SectionDifference]
  /// Scopes that one side does not open, sections that this version does not know and that differ, and sources that could
  /// not be looked at.
  public let notCompared: [String]

  /// Whether nothing differs, as far as it was compared.
  public var isEmpty: Bool { sections.allSatisfy(\.isEmpty) }
}

/// The records of one section that differ, by their ids; of settings, by their keys.
public struct SectionDifference: Equatable, Sendable {
  /// The section.
  public let section: Section
  /// Records that only the newer side has.
  public internal(set) var added: [String] = []
  /// Records that only the older side has.
  public internal(set) var removed: [String] = []
  /// Records that both sides have, and that say something else.
  public internal(set) var changed: [String] = []

  /// Whether the section is the same on both sides.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  init(section: Section) { self.section = section }
}

extension OpenArchive {
  /// Compares this archive with a newer one, record by record.
  ///
  /// Skips sections whose digests are equal. For secrets it reports only whether they are the same.
  ///
  /// - Parameters:
  ///   - newer: the other archive.
  ///   - selection: the sections to compare. The manifest is not compared.
  ///   - progress: receives the current section from time to time. An error that it throws ends the work.
  /// - Returns: the compared sections, and those that could not be compared.
  /// - Throws: ``ArchiveError``, and ``RecordsError/malformedRecord(section:)``.
  public func difference(
    to newer: OpenArchive, selection: SectionSelection = .everything,
    progress: @escaping (Section) throws -> Void = { _ in }
  ) throws -> BundleDifference {
    try Comparison(old: self, new: newer, progress: progress).run(selection)
  }

  /// Compares this archive with the wallet's collected contents.
  ///
  /// The bundle cannot be written afterwards.
  public func difference(
    to live: BackupBundle, selection: SectionSelection = .everything,
    progress: @escaping (Section) throws -> Void = { _ in }
  ) throws -> BundleDifference {
    let reports = try decodedManifest()?.manifest.sources ?? []
    let unseen = live.sectionsUnseen(of: reports)
    let difference = try Comparison(old: self, new: live, progress: progress).run(selection)
    guard !live.unseen.isEmpty else { return difference }
    return BundleDifference(
      sections: difference.sections.map { section in
        var section = section
        // What was not looked at may be there.
        if unseen.contains(section.section) { section.removed = [] }
        return section
      }, notCompared: difference.notCompared + live.unseen)
  }
}

extension BackupBundle {
  /// The sections in which an archive has records of sources that could not be looked at now.
  ///
  /// A pattern that could not be searched is no source of the archive: it may stand for each one that is not here now.
  fileprivate func sectionsUnseen(of archived: [SourceReport]) -> Set<Section> {
    let unseen = Set(unseen.map(ExactText.init(_:)))
    let seen = Set(reports.map { ExactText($0.name) }).subtracting(unseen)
    let isPattern = !unseen.isSubset(of: archived.map { ExactText($0.name) })
    let meant = archived.filter { report in
      let name = ExactText(report.name)
      return unseen.contains(name) || isPattern && !seen.contains(name)
    }
    return Set(
      meant.flatMap { $0.included.compactMap { Section(rawValue: UInt16(truncatingIfNeeded: $0.section)) } })
  }
}

/// One comparison, section by section.
private struct Comparison<Old: ComparedSide, New: ComparedSide> {
  let old: Old
  let new: New
  let progress: (Section) throws -> Void
  private let secrets = SecretDigests()

  init(old: Old, new: New, progress: @escaping (Section) throws -> Void) {
    self.old = old
    self.new = new
    self.progress = progress
  }

  func run(_ selection: SectionSelection) throws -> BundleDifference {
    var sections: [SectionDifference] = []
    var notCompared: [String] = []
    for scope in ArchiveScope.allCases where selection.touches(scope) {
      guard old.holds(scope), new.holds(scope) else {
        notCompared.append(scope.name)
        continue
      }
      for section in scope.sections where section != .manifest && selection.contains(section) {
        sections.append(try difference(of: section))
      }
    }
    for id in old.sectionIDs.union(new.sectionIDs).sorted() where Section(rawValue: id) == nil {
      if !isSame(id) { notCompared.append("section-\(id)") }
    }
    return BundleDifference(sections: sections, notCompared: notCompared)
  }

  private func isSame(_ id: UInt16) -> Bool {
    guard let old = old.summary(of: id), let new = new.summary(of: id) else { return false }
    return old == new
  }

  /// The two sides take turns, record by record, so that equal records meet soon.
  private func difference(of section: Section) throws -> SectionDifference {
    guard !isSame(section.rawValue) else { return SectionDifference(section: section) }
    var matching = RecordMatching(section)
    var older = EntryCursor(try old.entries(of: section, secrets))
    var newer = EntryCursor(try new.entries(of: section, secrets))
    var count = 0
    var isMore = true
    while isMore {
      if count % 4096 == 0 { try progress(section) }
      count += 1
      let (a, b) = (try older.next(), try newer.next())
      if let a { matching.take(old: a) }
      if let b { matching.take(new: b) }
      isMore = a != nil || b != nil
    }
    return matching.difference()
  }
}

/// Iterates over entries that arrive in batches.
private struct EntryCursor {
  private let source: () throws -> [RecordEntry]?
  private var held: [RecordEntry] = []
  private var place = 0
  private var isAtEnd = false

  init(_ source: @escaping () throws -> [RecordEntry]?) { self.source = source }

  mutating func next() throws -> RecordEntry? {
    while place == held.count {
      guard !isAtEnd, let more = try source() else {
        isAtEnd = true
        return nil
      }
      held = more
      place = 0
    }
    defer { place += 1 }
    return held[place]
  }
}

/// Finds the records that two sides do not share.
///
/// A record is dropped as soon as the other side has an equal one. Two archives of a vault hold their records in nearly
/// the same order, so memory use grows with the differences, not with the history.
struct RecordMatching {
  /// The records of one id that have no counterpart yet.
  private struct Unmatched {
    var old: [Digest] = []
    var new: [Digest] = []
  }

  private let section: Section
  private var unmatched: [[UInt8]: Unmatched] = [:]
  /// Files, and secrets, which one side may have twice.
  private var once: OnceMatching?

  init(_ section: Section) {
    self.section = section
    if section.kind.traits.contains(.inParts) {
      once = OnceMatching(isInParts: true)
    } else if section.scope == .secrets {
      once = OnceMatching(isInParts: false)
    }
  }

  mutating func take(old entry: RecordEntry) {
    guard once == nil else {
      once?.old.take(entry)
      return
    }
    take(entry, from: \.old, against: \.new)
  }

  mutating func take(new entry: RecordEntry) {
    guard once == nil else {
      once?.new.take(entry)
      return
    }
    take(entry, from: \.new, against: \.old)
  }

  private mutating func take(
    _ entry: RecordEntry, from own: WritableKeyPath<Unmatched, [Digest]>,
    against other: WritableKeyPath<Unmatched, [Digest]>
  ) {
    guard var known = unmatched[entry.id] else {
      var first = Unmatched()
      first[keyPath: own] = [entry.digest]
      unmatched[entry.id] = first
      return
    }
    if let place = known[keyPath: other].firstIndex(of: entry.digest) {
      known[keyPath: other].remove(at: place)
    } else {
      known[keyPath: own].append(entry.digest)
    }
    unmatched[entry.id] = known.old.isEmpty && known.new.isEmpty ? nil : known
  }

  /// Returns the differences once both sides are exhausted.
  func difference() -> SectionDifference {
    var difference = SectionDifference(section: section)
    func note(_ id: [UInt8], isOld: Bool, isNew: Bool) {
      let text = RecordEntry.text(of: id, in: section)
      switch (isOld, isNew) {
      case (true, true): difference.changed.append(text)
      case (true, false): difference.removed.append(text)
      default: difference.added.append(text)
      }
    }
    for (id, rest) in unmatched { note(id, isOld: !rest.old.isEmpty, isNew: !rest.new.isEmpty) }
    once?.forEachDifference { note($0, isOld: $1, isNew: $2) }
    difference.added.sort()
    difference.removed.sort()
    difference.changed.sort()
    return difference
  }
}

/// A comparison in which a record that a side has twice counts once, as it does in a keychain and where files are put
/// back: archives of version 0.2.0 may have a file and a key twice, from its source and from a restored store.
private struct OnceMatching {
  /// The records of one side, by their ids.
  struct Side {
    let isInParts: Bool
    var records: [[UInt8]: [UInt64: Set<Digest>]] = [:]
    /// The permissions of files.
    var modes: [[UInt8]: UInt32] = [:]

    mutating func take(_ entry: RecordEntry) {
      modes[entry.id] = entry.mode
      // A part takes the place of the same part before it: a file's bytes are in its id.
      if isInParts {
        records[entry.id, default: [:]][entry.offset] = [entry.digest]
      } else {
        records[entry.id, default: [:]][0, default: []].insert(entry.digest)
      }
    }
  }

  var old: Side
  var new: Side

  init(isInParts: Bool) {
    old = Side(isInParts: isInParts)
    new = Side(isInParts: isInParts)
  }

  func forEachDifference(_ body: (_ id: [UInt8], _ isOld: Bool, _ isNew: Bool) -> Void) {
    for id in Set(old.records.keys).union(new.records.keys) {
      let (before, now) = (old.records[id], new.records[id])
      // A file with a missing part still exists. A replaced key does not.
      guard before != now || !isSame(old.modes[id], new.modes[id]) else { continue }
      body(id, before != nil, now != nil)
    }
  }

  /// A file that was put back has the permissions that it got then, and is the same.
  private func isSame(_ before: UInt32?, _ now: UInt32?) -> Bool {
    before == now || now == UInt32(OriginalFile.permissions(for: before))
  }
}
