internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The description of another program's file that is kept byte for byte.
struct KeptFile {
  /// The collector's kind.
  let source: String
  /// The source's name in reports.
  let collector: String
  /// Whether it may have unencrypted secrets.
  var isSecret: Bool
  var format = ""
  /// The file's program; nil to derive it from the place.
  var program: String?
  /// The hazards of the file.
  var hazards: [String] = []
  var (address, kdf) = ("", "")

  init(_ kept: Kept, kind: String, collector: String) {
    (source, self.collector, isSecret, format) = (kind, collector, kept.isSecret, kept.format)
    (program, hazards) = (kept.program, kept.hazards.map(\.rawValue))
    (address, kdf) = (kept.address, kept.kdf)
  }

  /// A file that is not read.
  init(kind: String, collector: String, isSecret: Bool, format: String = "") {
    (source, self.collector, self.isSecret, self.format) = (kind, collector, isSecret, format)
  }
}

extension ImportedRecords {
  /// Whether a file is included in the archive.
  ///
  /// If not, the report has the reason.
  ///
  /// - Parameters:
  ///   - name: the file's name in the report.
  ///   - section: its section; secret files are included only on request.
  ///   - request: the requested sections, and whether secrets are included.
  ///   - holding: "holds", or "may hold" if the file is not proven to have secrets.
  /// - Returns: true if it is included.
  mutating func leaves(
    _ name: String, in section: Section, _ request: CollectionRequest, _ holding: String = "may hold"
  ) -> Bool {
    guard request.selection.contains(section) else {
      leaveOut(section)
      return false
    }
    guard section != .secretFiles || request.includesPrivateKeys else {
      exclude(
        name, "the file \(holding) secrets in the clear, and leaves \(request.condition)",
        loss: request.secretsAreUnwanted ? .requested : .possible)
      return false
    }
    return true
  }

  /// Reports once that key share files are not included.
  mutating func noteUnkeptShareFiles(_ request: CollectionRequest) {
    guard unkeptShareFiles > 0 else { return }
    let files = unkeptShareFiles == 1 ? "1 file" : "\(unkeptShareFiles) files"
    exclude(
      files, "key shares in the clear: the shares are in, sealed, and the files leave \(request.condition)",
      loss: .none)
  }
}
