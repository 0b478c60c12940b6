internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// One section of the history on its way into an archive.
///
/// It records every record, and skips those that the base has.
///
/// The workers that make the batches also process them. The records of an identity are either all written or all
/// skipped, and skipped only if the base has the same records in the same number. If a record turns out to be needed
/// only after it was skipped, the batches are made again at the end to write it.
final class SectionPass: Sendable {
  /// The section.
  let id: UInt16
  private let keying: RecordKeying
  /// The keys of the base's records; nil without a base.
  private let base: [RecordKey]?
  private let notes: Locked<Notes>
  private let jobs = Locked(Jobs())

  /// The jobs that make the section's batches, kept to make them again.
  private struct Jobs {
    var made: [BatchJob] = []
    private var isAtEnd = false

    /// Whether this is the first time that there are no more.
    mutating func end() -> Bool {
      defer { isAtEnd = true }
      return !isAtEnd
    }
  }

  /// The state of the section so far.
  private struct Notes {
    /// The records of an archive without a base; nil if they exceed a table's limit.
    var records: PassedRecords?
    var sum = KeySum()
    var digest = SetDigest()
    /// For each of the base's records, at the first of equal ones: the number of equal records that were skipped.
    var leftOut: [UInt32] = []
    /// The places in the base of the first record of each identity of which records are written.
    var changed: Set<Int> = []
    var written: UInt64 = 0
  }

  init(_ id: UInt16, _ keying: RecordKeying, base: [RecordKey]?) {
    self.id = id
    self.keying = keying
    self.base = base
    var notes = Notes()
    if let base {
      notes.leftOut = [UInt32](repeating: 0, count: base.count)
    } else {
      notes.records = PassedRecords()
    }
    self.notes = Locked(notes)
  }

  /// Returns the next of the section's batches to write, given the source's collected ones; nil at the end.
  func next(_ source: () throws -> BatchJob?) throws -> BatchJob? {
    if let job = try source() {
      if base != nil { jobs.withLock { $0.made.append(job) } }
      return { try self.passed(job) }
    }
    guard base != nil, jobs.withLock({ $0.end() }) else { return nil }
    // The rest of a batch is made after all earlier batches were consumed, so every record has been seen by then.
    return {
      var batch = RecordBatch()
      batch.rest = { try self.again() }
      return batch
    }
  }

  private func passed(_ job: BatchJob) throws -> RecordBatch {
    let batch = try job()
    let records = BatchRecords(batch, in: id, keying, isCompared: base != nil)
    let isWritten = notes.withLock { Self.note(records, in: &$0, base) }
    var kept = records.keeping(isWritten)
    if let rest = batch.rest { kept.rest = { try self.passed(rest) } }
    return kept
  }

  /// Records a batch's records, and returns which to write.
  private static func note(
    _ records: BatchRecords, in notes: inout Notes, _ base: [RecordKey]?
  ) -> [Bool] {
    notes.digest.add(records.digest)
    notes.sum.add(records.sum)
    guard let base else {
      if notes.sum.count > BaseTable.mostRecords { notes.records = nil }
      notes.records?.append(records)
      return [Bool](repeating: true, count: records.keys.count)
    }
    var isWritten: [Bool] = []
    isWritten.reserveCapacity(records.keys.count)
    for key in records.keys {
      let first = base.firstPlace(ofIdentity: key.identity)
      isWritten.append(Self.isWritten(key, first, in: &notes, base))
      if isWritten.last == true { notes.written += 1 }
    }
    return isWritten
  }

  private static func isWritten(
    _ key: RecordKey, _ first: Int, in notes: inout Notes, _ base: [RecordKey]
  ) -> Bool {
    guard first < base.count, base[first].identity == key.identity else { return true }
    guard notes.changed.isEmpty || !notes.changed.contains(first) else { return true }
    let place = base.firstPlace(of: key, from: first)
    if place < base.count, base[place] == key,
      Int(notes.leftOut[place]) < base.endOfEqual(at: place) - place
    {
      notes.leftOut[place] += 1
      return false
    }
    notes.changed.insert(first)
    return true
  }

  // MARK: the end

  /// Returns the skipped records to write after all, since other records of their identity are written or missing.
  private func again() throws -> RecordBatch {
    let isNeeded = notes.withLock { notes in
      guard let base else { return false }
      return Self.markIncomplete(&notes, base)
    }
    guard isNeeded else { return RecordBatch() }
    return try again(jobs.withLock { $0.made }[...])
  }

  private func again(_ jobs: ArraySlice<BatchJob>) throws -> RecordBatch {
    var rest = jobs
    guard let job = rest.popFirst() else { return RecordBatch() }
    let batch = try job()
    if let more = batch.rest { rest.insert(more, at: rest.startIndex) }
    let records = BatchRecords(batch, in: id, keying, isCompared: true)
    var kept = records.keeping(notes.withLock { notes in records.keys.map { takeBack($0, &notes) } })
    let left = rest
    kept.rest = { try self.again(left) }
    return kept
  }

  /// Adds the identities with both present and missing records; returns whether a skipped record must be written.
  private static func markIncomplete(_ notes: inout Notes, _ base: [RecordKey]) -> Bool {
    var isNeeded = false
    var start = 0
    while start < base.count {
      let end = base.endOfIdentity(at: start)
      defer { start = end }
      let leftOut = notes.leftOut[start..<end].reduce(0) { $0 + Int($1) }
      guard leftOut > 0 else { continue }
      if leftOut < end - start { notes.changed.insert(start) }
      if notes.changed.contains(start) { isNeeded = true }
    }
    return isNeeded
  }

  /// Whether a record is to be written that was left out.
  private func takeBack(_ key: RecordKey, _ notes: inout Notes) -> Bool {
    guard let base else { return false }
    let first = base.firstPlace(ofIdentity: key.identity)
    guard first < base.count, base[first].identity == key.identity, notes.changed.contains(first) else {
      return false
    }
    let place = base.firstPlace(of: key, from: first)
    guard place < base.count, base[place] == key, notes.leftOut[place] > 0 else { return false }
    notes.leftOut[place] -= 1
    notes.written += 1
    return true
  }

  /// Returns the section's outcome, once all of it was written.
  func outcome() -> Outcome {
    notes.withLock { notes in
      notes.records?.sort()
      let count = notes.sum.count
      var outcome = Outcome(
        id: id, sum: notes.sum, records: notes.records, written: base == nil ? count : notes.written,
        setDigest: notes.digest.value(section: id, records: count))
      notes.records = nil
      guard let base else { return outcome }
      var start = 0
      while start < base.count {
        let end = base.endOfIdentity(at: start)
        if !notes.changed.contains(start), notes.leftOut[start..<end].allSatisfy({ $0 == 0 }) {
          outcome.removed.append(start)
        }
        start = end
      }
      notes.leftOut = []
      return outcome
    }
  }

  /// The outcome of a section.
  struct Outcome: Sendable {
    let id: UInt16
    /// The sum of all collected records.
    let sum: KeySum
    /// All collected records, in the order of their keys; nil with a base, or beyond a table's limit.
    let records: PassedRecords?
    /// How many of them are in the archive.
    let written: UInt64
    /// The digest of all collected records.
    let setDigest: Digest
    /// The places in the base of the first record of each identity of which no record is left.
    var removed: [Int] = []

    /// How many records were collected.
    var count: UInt64 { sum.count }
  }
}
