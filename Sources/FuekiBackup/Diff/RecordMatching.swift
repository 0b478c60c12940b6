internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet

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
