internal import FuekiBackup

/// The archives that were copied to targets that lacked them, as lines.
enum CopyLines {
  /// The copies that could not be made; no option hides them.
  static func warn(_ report: CopyReport, _ console: Console) {
    for warning in report.warnings { console.warning(warning.sentence) }
    for failure in report.failures {
      console.warning(
        "\(failure.target) still lacks archive \(failure.link.digest.prefix(12)), number "
          + "\(failure.link.sequence): \(Failure(describing: failure.error).message)")
    }
    for path in report.withoutParity {
      console.warning("\(path) has no recovery files: they could not be made")
    }
  }

  /// The copies that were made.
  static func print(_ report: CopyReport, _ console: Console) {
    for copy in report.copied {
      console.report(
        "copied archive \(copy.link.digest.prefix(12)), number \(copy.link.sequence), to \(copy.path), "
          + "\(Readable.bytes(copy.byteCount)), read back and verified")
    }
  }
}

/// A copy that was made, in JSON.
struct CopiedDocument: Encodable {
  let path: String
  let id: String
  let sequence: UInt64
  let bytes: UInt64
  let recoveryFiles: [String]

  init(_ copy: CopiedArchive) {
    (path, id, sequence, bytes) = (copy.path, copy.link.digest, copy.link.sequence, copy.byteCount)
    recoveryFiles = copy.parity.map(\.name)
  }
}
