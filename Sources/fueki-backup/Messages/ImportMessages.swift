package import FuekiBackup
internal import FuekiCollectors

extension Failure {
  /// What it means that another wallet's file cannot be read.
  init(_ error: ForeignFileError) {
    switch error {
    case .notThisFormat: self.init(.failed, error.sentence, meaning: "nothing was changed")
    case .tooNew:
      self.init(.tooNew, error.sentence, meaning: "nothing was changed", hint: "install a newer fueki-backup")
    case .wrongPassphrase:
      self.init(
        .wrongSecret, error.sentence, meaning: "nothing was changed",
        hint: "give the other wallet's own passphrase; check keyboard layout, capitals and spaces")
    case .passphraseNeeded:
      self.init(
        .wrongSecret, error.sentence, meaning: "nothing was changed",
        hint: "give --source-passphrase-file to import")
    case .overLimit: self.init(.overLimit, error.sentence, meaning: "nothing was changed")
    }
  }
}

extension WorkBudget.Exceeded {
  /// The work that a file asks for too much of.
  package var sentence: String { "the file asks for too much work: \(unit.sentence)" }
}

extension WorkBudget.Unit {
  fileprivate var sentence: String {
    switch self {
    case .bytesRead: "its parts refer to one another again and again"
    case .bytesProduced: "it expands far beyond its size"
    case .visits: "it has more pages or entries than its size allows"
    case .memoryHard: "its scrypt costs more than that of any wallet"
    case .rounds: "its key takes more rounds of hashing than that of any wallet"
    case .derivations: "more files need the password than one source has"
    case .candidates: "its descriptors have more branches than those of any wallet"
    case .findings: "it names more keys than one source has"
    }
  }
}

extension CollectorKindError {
  /// Why a text names no source.
  var sentence: String {
    switch self {
    case .unknownKind(let name, let known):
      "there is no source of kind \"\(name)\"; the kinds are \(known.joined(separator: ", "))"
    case .noPath(let text): "the source \(GivenWord.shown(text)) is not KIND:PATH"
    }
  }
}
