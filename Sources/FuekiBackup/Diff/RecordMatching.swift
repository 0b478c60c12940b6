internal import FuekiCrypto
internal import FuekiWallet

/// Finds which records two sides do not share.
///
/// A record is forgotten as soon as the other side has given an equal one. Two archives of a vault hold their records
/// in nearly the same order, so what is remembered grows with what differs, not with the history.
struct RecordMatching {
  /// The records of one id that have no counterpart yet.
  private struct Unmatched {
    var old: [Digest] = []
    var new: [Digest] = []
  }

  /// A file is as many records as it has parts: it is not gone because one of them is.
  private struct Parts {
    var old: Set<[UInt8]> = []
    var new: Set<[UInt8]> = []
  }

  private let section: Section
  private var unmatched: [[UInt8]: Unmatched] = [:]
  private var parts: Parts?
  /// The most ids that were ever remembered at once.
  private(set) var peak = 0

  init(_ section: Section) {
    self.section = section
    parts = section.kind.traits.contains(.inParts) ? Parts() : nil
  }

  mutating func take(old entry: RecordEntry) {
    parts?.old.insert(entry.id)
    take(entry, from: \.old, against: \.new)
  }

  mutating func take(new entry: RecordEntry) {
    parts?.new.insert(entry.id)
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
      peak = max(peak, unmatched.count)
      return
    }
    if let place = known[keyPath: other].firstIndex(of: entry.digest) {
      known[keyPath: other].remove(at: place)
    } else {
      known[keyPath: own].append(entry.digest)
    }
    unmatched[entry.id] = known.old.isEmpty && known.new.isEmpty ? nil : known
  }

  /// What is left once both sides have given everything.
  func difference() -> SectionDifference {
    var difference = SectionDifference(section: section)
    for (id, rest) in unmatched {
      let isOld = parts?.old.contains(id) ?? !rest.old.isEmpty
      let isNew = parts?.new.contains(id) ?? !rest.new.isEmpty
      let text = RecordEntry.text(of: id, in: section)
      switch (isOld, isNew) {
      case (true, true): difference.changed.append(text)
      case (true, false): difference.removed.append(text)
      default: difference.added.append(text)
      }
    }
    difference.added.sort()
    difference.removed.sort()
    difference.changed.sort()
    return difference
  }
}
