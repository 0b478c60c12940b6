internal import FuekiSystem
package import FuekiBackup
package import FuekiCollectors

extension ForeignFileError: Explained {
  var failure: Failure {
    switch self {
    case .notThisFormat:
      Failure(
        .failed, sentence, meaning: "nothing was changed",
        hint: "fueki-backup-wallets(7) lists what each kind reads")
    case .tooNew:
      Failure(.tooNew, sentence, meaning: "nothing was changed", hint: "install a newer fueki-backup")
    case .wrongPassphrase:
      Failure(
        .wrongSecret, sentence, meaning: "nothing was changed",
        hint: "use the other wallet's own passphrase. Check keyboard layout, capitals and spaces")
    case .passphraseNeeded:
      Failure(
        .wrongSecret, sentence, meaning: "nothing was changed",
        hint: "run import with --source-passphrase-from file:PATH")
    case .overLimit: Failure(.overLimit, sentence, meaning: "nothing was changed")
    }
  }
}

extension ReaderError: Worded {}

extension WorkBudget.Exceeded: Explained {
  var failure: Failure { Failure(.overLimit, sentence, meaning: "nothing was changed") }

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

/// The kind that takes any file as it is.
private let anyFile = "file"

extension Failure {
  /// A file that is of no kind that is recognised by itself.
  static func unknownFile(_ path: String, isFolder: Bool) -> Failure {
    let kinds = CollectorKind.all.map(\.name).filter { $0 != anyFile }
    return Failure(
      .failed,
      isFolder
        ? "no file in \(GivenWord.shown(path)) is of a kind that import finds by itself"
        : "\(GivenWord.shown(path)) is not of a known kind",
      meaning: "nothing was imported. \"fueki-backup create --from file:PATH\" backs up any file as it is",
      hint: "if you know what wrote it, use --format with its kind: \(kinds.joined(separator: ", "))")
  }

  /// Explains why a text is no source.
  fileprivate static func source(_ text: String) -> Failure {
    let kind = (try? CollectorKind.recognised(at: text))?.name ?? anyFile
    let isThere = (try? FileStatus.of(text)) != nil
    return Failure(
      .usage, "the source \(GivenWord.shown(text)) does not say of which kind it is: write KIND:PATH",
      meaning: "nothing was backed up",
      hint: isThere
        ? "did you mean \"\(kind):\(text)\"?"
        : "the kinds are \(CollectorKind.all.map(\.name).joined(separator: ", "))")
  }
}

extension CollectorKindError: Explained {
  var failure: Failure {
    switch self {
    case .unknownKind(let name, let known):
      Failure(
        .usage, "there is no source of kind \"\(name)\". The kinds are \(known.joined(separator: ", "))",
        meaning: "nothing was done")
    case .noPath(let text): .source(text)
    }
  }
}

extension ExportLimitError: Explained {
  var failure: Failure {
    let what =
      switch self {
      case .lines(let section): "the export of \(section) would be far larger than what the archive holds"
      case .file(let section):
        "a part of \(section) says that its file is far longer than what the archive holds"
      case .pieces(let section): "a file of \(section) is in more than \(ExportLimits.pieces) pieces"
      case .entries(let section):
        "\(section) would become more than \(ExportLimits.entries) files and folders"
      }
    return Failure(
      .overLimit, what, meaning: "nothing was exported. The archive was made to exhaust this machine")
  }
}

extension WalletDanger {
  /// The danger, and the advice.
  package var sentence: String {
    switch self {
    case .clearSecret: "the secret is not encrypted: anyone who reads a copy of the file has the money"
    case .oldChannels: "an old copy of Lightning channels forfeits their funds if it is ever used"
    case .closesChannels: "restoring it closes every channel, and channels opened later are not in it"
    case .signsTwice: "two validators that run with the same key are slashed: stop the old one first"
    case .oldRecord: "an older record forgets what was signed since: merge it, never replace a newer one"
    case .laterKeys: "keys and labels added later are not in an older copy"
    case .oldShares: "after a reshare or refresh an older share looks valid but signs with no other party"
    case .noSeed: "this cannot spend: the seed is elsewhere. Keep it, too"
    case .closeFirst: "close the program for a backup: its files change together"
    }
  }
}
