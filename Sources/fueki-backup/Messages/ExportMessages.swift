internal import FuekiBackup

extension Failure {
  /// Explains why an archive is not exported.
  init(_ error: ExportLimitError) {
    let what =
      switch error {
      case .lines(let section): "the export of \(section) would be far larger than what the archive holds"
      case .file(let section):
        "a part of \(section) says that its file is far longer than what the archive holds"
      case .pieces(let section): "a file of \(section) is in more than \(ExportLimits.pieces) pieces"
      case .entries(let section):
        "\(section) would become more than \(ExportLimits.entries) files and folders"
      }
    self.init(
      .overLimit, what, meaning: "nothing was exported. The archive was made to exhaust this machine")
  }
}
