internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet
internal import SwiftProtobuf
internal import Synchronization

extension BackupBundle {
  /// Encodes, compresses, seals and writes the bundle: collect → bundle → **encode → compress → seal → write**.
  ///
  /// The complete file is not yet durable, and has not been read back.
  ///
  /// - Parameters:
  ///   - file: empty, open for writing.
  ///   - draft: the header's facts.
  ///   - slots: open the archive.
  ///   - facts: the manifest's facts, apart from the records.
  ///   - randomness: for keys, salts and nonces. Use another source than the system's only for test vectors.
  ///   - progress: receives each section before it is written. An error that it throws ends the work.
  /// - Returns: the archive's digest, and its contents.
  /// - Throws: ``RecordsError/countDiffers(section:reported:written:)`` if a source wrote another number of records
  ///   than it reported. Do not publish such an archive.
  public func write(
    to file: ArchiveFile, draft: ArchiveDraft, slots: [NewSlot], facts: ManifestFacts,
    randomness: RandomSource = .system, progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> WrittenArchive {
    var pass: HistoryPass?
    return try write(
      to: file, draft: draft, slots: slots, facts: facts, randomness: randomness, passing: &pass,
      progress: progress)
  }

  /// Writes the bundle, and of its history what `pass` lets through; `absent` returns the things that it lacks of those in
  /// the archives before, once its own are known.
  func write(
    to file: ArchiveFile, draft: ArchiveDraft, slots: [NewSlot], facts: ManifestFacts,
    randomness: RandomSource = .system, passing pass: inout HistoryPass?,
    losing absent: (CountedHoldings) -> [Absence] = { _ in [] },
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> WrittenArchive {
    let manifest = manifest(facts)
    let manifestByteCount = try manifest.byteCount(for: facts.inventory)
    try progress(.sealing)
    var writer = try ArchiveWriter(
      to: file, draft: draft, slots: slots, manifestByteCount: manifestByteCount, randomness: randomness)
    let count = RecordCount(of: reports)
    for section in sections where section.scope != .secrets {
      try progress(count.writing(section))
      try write(section, to: &writer, passing: &pass, count, progress: progress)
    }
    if let changes = try pass?.changes() {
      var batch = RecordBatch()
      batch.append(changes)
      let source = SingleBatch(batch)
      try writer.write(section: Changes.sectionID) { source.take() }
    }
    for section in sections where section.scope == .secrets {
      try progress(count.writing(section))
      try write(section, to: &writer, passing: &pass, count, progress: progress)
    }
    var written = try writer.finish(
      manifest: try manifest.serialized(losing: absent(holdings), paddedTo: manifestByteCount))
    written.resultCounts = pass?.resultCounts
    try compareCounts(written)
    return written
  }

  private func write(
    _ section: Section, to writer: inout ArchiveWriter, passing pass: inout HistoryPass?,
    _ count: RecordCount,
    progress: (BackupProgress) throws -> Void
  ) throws {
    switch section {
    case .keyShares:
      try writeShares(to: &writer)
    case .privateKeys, .secretFiles:
      try writer.writeSecret(section: section.rawValue) { emit in
        try forEachSecretRecord(of: section) { record in
          record.withBytes {
            holdingCount.note($0, of: section)
            fileAssembly.note(framed: $0, of: section)
          }
          try emit(record)
        }
      }
    default:
      var rest = sources[section] ?? []
      func next() throws -> BatchJob? {
        try progress(count.writing(section))
        while let source = rest.first {
          if let job = try source() { return count.counting(noting(job, of: section)) }
          rest.removeFirst()
        }
        return nil
      }
      guard section.scope == .history, let passing = pass?.section(section.rawValue) else {
        return try writer.write(section: section.rawValue, from: next)
      }
      try writer.write(section: section.rawValue) { try passing.next(next) }
      pass?.end(passing)
    }
  }

  /// The things of worth that were written so far.
  var holdings: CountedHoldings { holdingCount.holdings(findings) }

  /// The same job, which also notes the things of worth in its records.
  private func noting(_ job: @escaping BatchJob, of section: Section) -> BatchJob {
    guard section == .wallets || section == .files else { return job }
    return {
      var batch = try job()
      holdingCount.note(batch.bytes.span, of: section)
      if section == .files { fileAssembly.note(framed: batch.bytes.span, of: section) }
      batch.rest = batch.rest.map { noting($0, of: section) }
      return batch
    }
  }

  /// Each share is sealed once more under its own key, so that its record holds no secret.
  private func writeShares(to writer: inout ArchiveWriter) throws {
    var batch = RecordBatch()
    for share in shares {
      holdingCount.note(.share(share.descriptor))
      let id = [UInt8](share.descriptor.id)
      var record = KeyShare()
      record.id = share.descriptor.id
      record.sealed = .init(try writer.seal(share: share.secret.bytes, id: id))
      let bytes: [UInt8] = try record.serializedBytes()
      batch.append(bytes)
    }
    let source = SingleBatch(batch)
    try writer.write(section: Section.keyShares.rawValue) { source.take() }
  }

  private func compareCounts(_ written: WrittenArchive) throws {
    var reported: [Section: UInt64] = [:]
    for report in reports {
      for included in report.included {
        guard let section = Section(rawValue: UInt16(truncatingIfNeeded: included.section)) else { continue }
        reported[section, default: 0] += included.records
      }
    }
    let counts = written.recordCounts
    for (section, count) in reported.sorted(by: { $0.key < $1.key }) {
      let actual = counts[section.rawValue] ?? 0
      guard actual == count else {
        throw RecordsError.countDiffers(section: section.name, reported: count, written: actual)
      }
    }
  }
}

/// A step of a backup.
public enum BackupProgress: Equatable, Sendable {
  case collecting(source: String)
  /// Deriving keys.
  case sealing
  /// Reading the archive that the new one holds the differences from.
  case checkingBase(target: String)
  /// Writing a section; `of` is the number of all records of the archive, 0 if unknown.
  case writing(Section, records: UInt64, of: UInt64)
  case readingBack(bytes: UInt64, of: UInt64)
  /// Checking an archive before it is re-encrypted.
  case checking
  /// Computing recovery files.
  case makingParity(percent: Int)
  case publishing(target: String)
}

/// How many records of a bundle have been encoded, for progress: batches are encoded by several threads.
final class RecordCount: Sendable {
  private let encoded = Atomic<UInt64>(0)
  private let all: UInt64

  /// - Parameter reports: the sources' reports of their contents.
  init(of reports: [SourceReport]) {
    all = reports.flatMap(\.included).reduce(0) { sum, included in
      let (total, overflow) = sum.addingReportingOverflow(included.records)
      return overflow ? .max : total
    }
  }

  /// The same work, counted when it is done.
  func counting(_ job: @escaping BatchJob) -> BatchJob {
    { [self] in
      var batch = try job()
      batch.rest = batch.rest.map(counting)
      encoded.wrappingAdd(UInt64(batch.count), ordering: .relaxed)
      return batch
    }
  }

  func writing(_ section: Section) -> BackupProgress {
    .writing(section, records: min(encoded.load(ordering: .relaxed), all), of: all)
  }
}

/// Records that are in memory already, handed out once.
final class SingleBatch: Sendable {
  private let batch: Locked<RecordBatch?>

  init(_ batch: RecordBatch) { self.batch = Locked(batch) }

  func take() -> BatchJob? {
    batch.withLock { held in
      guard let batch = held else { return nil }
      held = nil
      return { batch }
    }
  }
}
