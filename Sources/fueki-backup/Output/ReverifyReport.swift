internal import FuekiBackup

/// How many archives a verification with `--reverify` read, and how many it did not.
struct ReverifyReport: Encodable {
  /// The longest time between two verifications of an archive.
  let seconds: Double
  let read: Int
  let unread: Int
  /// The earliest verification of an archive that was not read.
  let earliest: String?
  /// Archives that are always read, because the storage lists neither a time nor a checksum.
  let untagged: Int
  /// The state of the machine's record at the start.
  let record: String
  /// Whether the record has the results of this run.
  var recorded = true

  init(
    _ memory: Reverification, every seconds: Double, _ results: [VerificationResult],
    _ subjects: [VerifySubject]
  ) {
    let times = results.compactMap(\.verifiedAt)
    (self.seconds, read, unread) = (seconds, results.count - times.count, times.count)
    earliest = times.min().map { Times.text(UInt64(clamping: $0)) }
    untagged = memory.untagged(subjects)
    record = memory.found.rawValue
  }
}

/// The same as lines.
enum ReverifyLines {
  static func print(_ report: ReverifyReport, _ console: Console) {
    var text = "\(Readable.count(report.read, "archive")) read"
    if let earliest = report.earliest {
      text +=
        ", and \(Readable.count(report.unread, "archive")) not read: unchanged since verified, the earliest on \(earliest)"
    }
    console.report(text)
    guard report.untagged > 0 else { return }
    console.note(
      "\(Readable.count(report.untagged, "archive")) cannot be recognized as unchanged: "
        + "the storage lists neither a time nor a checksum")
  }
}
