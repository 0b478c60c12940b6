import FuekiArchive
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import fueki_backup

extension ForeignFileError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notThisFormat(reason: "it is no such file")
    case .notThisFormat: .tooNew(reason: "it is of a later version")
    case .tooNew: .wrongPassphrase(file: "file")
    case .wrongPassphrase: .passphraseNeeded(file: "file")
    case .passphraseNeeded: .overLimit(reason: "it has too much")
    case .overLimit: nil
    }
  }
}

extension ReaderError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .ended(.exited(1))
    case .ended(.exited): .ended(.killed(signal: 9))
    case .ended(.killed): .nonsense
    case .nonsense: .told(reason: "it is no such file")
    case .told: nil
    }
  }
}

/// Each kind of work that a file can ask too much of.
enum WorkErrors {
  static let everything: [any Error] = WorkBudget.Unit.allCases.map { WorkBudget.Exceeded($0) }
}

extension CollectorKindError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .unknownKind(name: "elektrum", known: ["electrum"])
    case .unknownKind: .noPath(text: "electrum")
    case .noPath: nil
    }
  }
}

extension OWNDStoreError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .empty
    case .empty: .encrypted
    case .encrypted: .malformed(.truncated, record: 3)
    case .malformed: .unrecognised(record: 3)
    case .unrecognised: .mixed(record: 3)
    case .mixed: .noContent(record: 3)
    case .noContent: .overLimit(3)
    case .overLimit: .tooManyFields(record: 3)
    case .tooManyFields: .tooMuch
    case .tooMuch: nil
    }
  }

  static var everything: [Self] { all + WireError.all.map { .malformed($0, record: 3) } }
}

extension ZIPError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .damaged
    case .damaged: .unsupported
    case .unsupported: .overLimit
    case .overLimit: .wrongChecksum
    case .wrongChecksum: .overlapping
    case .overlapping: nil
    }
  }
}

extension CommandError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .usage("create needs a target")
    case .usage: .configuration(ConfigurationProblem(path: "config.toml", line: 3, what: "no such key"))
    case .configuration: .noSecret(.archive)
    case .noSecret: .secretUnreadable(source: "the command", reason: "it ended")
    case .secretUnreadable: .othersCanRead(path: "file")
    case .othersCanRead:
      .othersCanChange(path: "file", .writableFile(path: "file"), risk: "add their own key")
    case .othersCanChange(_, .writableFile, _):
      .othersCanChange(path: "file", .writableFolder(path: "folder"), risk: "add their own key")
    case .othersCanChange(_, .writableFolder, _):
      .othersCanChange(path: "file", .owner(path: "file", user: 1000), risk: "add their own key")
    case .othersCanChange: .foreignSecret(path: "file", .owner(path: "file", user: 1000))
    case .foreignSecret: .weakPassphrase(time: "an hour against 1000 graphics cards")
    case .weakPassphrase: .passphrasesDiffer
    case .passphrasesDiffer: .notVaultsPassphrase
    case .notVaultsPassphrase: .noPassphrase(.empty)
    case .noPassphrase: .noPassphraseIn(path: "file", .empty)
    case .noPassphraseIn: .privateKeysToSynced(target: "folder")
    case .privateKeysToSynced: .comparisonFailed("the two wallets differ")
    case .comparisonFailed: .closedSlots([1, 2])
    case .closedSlots: .signingKey(path: "signing.key", .malformed)
    case .signingKey: nil
    }
  }

  static var everything: [Self] {
    all + Secret.allCases.map(Self.noSecret)
      + SigningKeyError.all.map { .signingKey(path: "signing.key", $0) }
  }
}

extension DatabaseCopyError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .busy(path: "wallet.dat")
    case .busy: .damaged(path: "wallet.dat")
    case .damaged: .refused(code: 14, path: "wallet.dat")
    case .refused: .system(SystemError(.failed, call: "read", path: "wallet.dat"))
    case .system: nil
    }
  }
}
