internal import FuekiBackup
package import FuekiStore
internal import FuekiSystem

extension Failure {
  /// Explains why a wallet's store cannot be used.
  init(_ error: StoreError) {
    switch error {
    case .notThere(let path):
      self.init(
        .notFound, "there is no wallet store at \(path)",
        meaning: "this program's own wallet is not on this machine, or not here. Nothing was changed",
        hint:
          "\"fueki-backup init\" sets up backups of the wallets that it finds. \"fueki-backup restore\" brings one back. "
          + "For a wallet in another place, use --datadir DIR")
    case .alreadyThere(let path): self.init(.wouldOverwrite, "there is a wallet store at \(path) already")
    case .newer(let schema, let path):
      self.init(
        .tooNew, "\(path) was made by a newer version (schema \(schema))", meaning: "nothing was changed",
        hint: "install the newer version")
    case .notAStore(let path): self.init(.failed, "\(path) is a database, but not a wallet store")
    case .damaged(let path):
      self.init(
        .damaged, "the wallet's store is damaged: \(path)",
        meaning: "nothing was changed",
        hint: "restore the newest archive that verifies into another data directory")
    case .danglingReference(let table, let parent, let path):
      self.init(
        .failed, "a row of \(table) refers to a row of \(parent) that is not there: \(path)",
        meaning: "another program changed it, and part of it cannot be read; "
          + "nothing was removed: what was there before is kept",
        hint: "look at it with \"show\" and \"diff\", or restore the newest archive into another --datadir; "
          + "remove the previous one once the restored one is complete")
    case .noSoundKeychain(let path):
      self.init(
        .damaged, "the keychain in \(path) is damaged or missing",
        meaning: "nothing was removed: what was there before is kept",
        hint: "restore the newest archive that verifies, or put back the previous keychain")
    case .malformedRow(let table, let row): self.init(.failed, "row \(row) of \(table) cannot be read")
    case .noRecord(let table): self.init(.notFound, "there is no such record in \(table)")
    case .busy(let path):
      self.init(.locked, "another program holds \(path)", meaning: "nothing was changed", hint: "try again")
    case .system(let error): self.init(error)
    case .database(let code, let path): self.init(.failed, "SQLite refused \(path) (code \(code))")
    }
  }

  /// Explains why a wallet's keychain cannot be used.
  init(_ error: KeychainError) {
    if let problem = error.problem {
      self.init(CollectError.keychain(problem))
      return
    }
    switch error {
    case .system(let error): self.init(error)
    case .crypto(let error): self.init(describing: error)
    case .alreadyThere(let path): self.init(.wouldOverwrite, "there is a keychain at \(path) already")
    case .changedMeanwhile(let path):
      self.init(
        .failed, "another program changed the keychain in the meantime: \(path)",
        meaning: "nothing was changed",
        hint: "try again")
    case .slotCount(let count):
      self.init(.failed, "a keychain cannot have \(count) slots", meaning: "nothing was changed")
    case .notThere, .damaged, .newer, .missingSecret, .wrongSecret, .overLimit:
      self.init(.failed, "the keychain cannot be used", meaning: "nothing was changed")
    }
  }

  /// Explains a refusal of the system.
  init(_ error: SystemError) {
    let error = SystemError(
      code: error.code, call: error.call, path: error.path.map { GivenWord.shown(TemporaryFile.place($0)) },
      explanation: error.explanation)
    let meaning = "nothing half-written is left"
    if error.isInterrupted {
      self.init(.interrupted, "interrupted", meaning: meaning)
    } else if error.isNoSpace {
      self.init(
        .failed, error.sentence, meaning: meaning, hint: "free some space there, or choose another place")
    } else if error.isNotInstalled {
      self.init(.failed, error.sentence, meaning: meaning, hint: "apt-get install rclone")
    } else if error.isTimedOut {
      self.init(
        .failed, error.sentence, meaning: meaning,
        hint: "check the network, or allow more time with FUEKI_DEADLINE=SECONDS")
    } else if error.isAlreadyThere {
      self.init(.wouldOverwrite, error.sentence, meaning: meaning)
    } else if error.isNotFound {
      self.init(.notFound, error.sentence)
    } else if error.isNotPermitted || error.code == SystemError(.readOnly, call: "").code {
      self.init(
        .failed, error.sentence, meaning: meaning,
        hint: "use a folder or file that your user may write to, or have its permissions changed")
    } else {
      self.init(.failed, error.sentence, meaning: meaning)
    }
  }
}

extension DatabaseCopyError {
  /// Why another program's database was not copied.
  package var sentence: String {
    switch self {
    case .busy(let path): "\(path) is locked by its program: close the program, or export the wallet from it"
    case .damaged(let path): "\(path) is damaged, or not a database"
    case .refused(let code, let path): "SQLite cannot read \(path) (code \(code))"
    case .system(let error): error.sentence
    }
  }
}

/// A file that has a name only while it is written, as messages show it.
enum TemporaryFile {
  /// Returns the folder of a temporary file, whose own name is meaningless to users.
  ///
  /// Other paths are returned unchanged.
  static func place(_ path: String) -> String {
    let parts = PathParts(path)
    let name = parts.name
    guard name.hasPrefix("."), name.hasSuffix(".tmp") || name.hasSuffix(".partial") else { return path }
    return parts.folder
  }
}
