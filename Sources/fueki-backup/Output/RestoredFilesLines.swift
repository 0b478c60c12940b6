internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

extension RestoredFiles {
  /// Prints the results for the files of other programs, and the waiting ones.
  func print(_ console: Console) {
    switch self {
    case .none: break
    case .placed(let plan, let root):
      PlacingLines(plan, archive: "", root: root, isWritten: true).print(console)
    case .stopped(let error, let files):
      let failure = Failure(describing: error)
      console.warning("no file of another program was put back: \(failure.message)")
      if let meaning = failure.meaning { console.line(meaning) }
      Self.print(files, console)
      if let hint = failure.hint { console.line(hint) }
    case .waiting(let files):
      Self.print(files, console)
      console.line("fueki-backup put-back puts them where their programs look for them")
    }
  }

  private static func print(_ files: [OriginalFile], _ console: Console) {
    for file in files.prefix(20) { console.line("LEFT IN THE ARCHIVE: \(file.placeText)") }
    if files.count > 20 { console.line("and \(files.count - 20) more files of other programs") }
  }
}

extension OriginalFile {
  /// Where it lay, for people.
  var placeText: String { PathText.text(place ?? path) }
}

/// The files of other programs, in `restore --json`.
struct RestoredFilesDocument: Encodable {
  let state: String
  let root: String?
  let reason: String?
  let files: [PlacingDocument.Entry]

  init?(_ files: RestoredFiles) {
    switch files {
    case .none: return nil
    case .placed(let plan, let root):
      (state, self.root, reason) = ("placed", root, nil)
      self.files = plan.files.map(PlacingDocument.Entry.init)
    case .waiting(let waiting):
      (state, root, reason) = ("waiting", nil, nil)
      self.files = waiting.map(PlacingDocument.Entry.init(waiting:))
    case .stopped(let error, let waiting):
      (state, root, reason) = ("stopped", nil, Failure(describing: error).message)
      self.files = waiting.map(PlacingDocument.Entry.init(waiting:))
    }
  }
}
