internal import FuekiArchive
internal import FuekiWallet
internal import Synchronization

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
