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

extension CollectorKindError {
  /// Why a text names no source.
  var sentence: String {
    switch self {
    case .unknownKind(let name, let known):
      "there is no source of kind \"\(name)\"; the kinds are \(known.joined(separator: ", "))"
    case .noPath(let text): "\"\(text)\" is not KIND:PATH"
    }
  }
}
