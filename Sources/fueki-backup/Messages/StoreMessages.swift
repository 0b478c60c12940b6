internal import FuekiBackup
package import FuekiStore
internal import FuekiSystem

extension StoreError: Explained {
  var failure: Failure {
    switch self {
    case .notThere(let path):
      Failure(
        .notFound, "there is no wallet store at \(path)",
        meaning: "this program's own wallet is not on this machine, or not here. Nothing was changed",
        hint:
          "\"fueki-backup init\" sets up backups of the wallets that it finds. \"fueki-backup restore\" brings one back. "
          + "For a wallet in another place, use --datadir DIR")
    case .alreadyThere(let path): Failure(.wouldOverwrite, "there is a wallet store at \(path) already")
    case .newer(let schema, let path):
      Failure(
        .tooNew, "\(path) was made by a newer version (schema \(schema))", meaning: "nothing was changed",
        hint: "install the newer version")
    case .notAStore(let path): Failure(.failed, "\(path) is a database, but not a wallet store")
    case .damaged(let path):
      Failure(
        .damaged, "the wallet's store is damaged: \(path)",
        meaning: "nothing was changed",
        hint: "restore the newest archive that verifies into another data directory")
    case .danglingReference(let table, let parent, let path):
      Failure(
        .failed, "a row of \(table) refers to a row of \(parent) that is not there: \(path)",
        meaning: "another program changed it, and part of it cannot be read; "
          + "nothing was removed: what was there before is kept",
        hint: "look at it with \"show\" and \"diff\", or restore the newest archive into another --datadir; "
          + "remove the previous one once the restored one is complete")
    case .noSoundKeychain(let path):
      Failure(
        .damaged, "the keychain in \(path) is damaged or missing",
        meaning: "nothing was removed: what was there before is kept",
        hint: "restore the newest archive that verifies, or put back the previous keychain")
    case .malformedRow(let table, let row): Failure(.failed, "row \(row) of \(table) cannot be read")
    case .noRecord(let table): Failure(.notFound, "there is no such record in \(table)")
    case .invalid(let table, let problems):
      Failure(
        .failed, "the record does not fit into \(table): \(problems.joined(separator: "; "))",
        meaning: "nothing was changed")
    case .busy(let path):
      Failure(.locked, "another program holds \(path)", meaning: "nothing was changed", hint: "try again")
    case .system(let error): error.failure
    case .database(let code, let path): Failure(.failed, "SQLite refused \(path) (code \(code))")
    }
  }
}

extension KeychainError: Explained {
  var failure: Failure {
    if let problem { return problem.failure }
    return switch self {
    case .system(let error): error.failure
    case .crypto(let error): error.failure
    case .alreadyThere(let path): Failure(.wouldOverwrite, "there is a keychain at \(path) already")
    case .changedMeanwhile(let path):
      Failure(
        .failed, "another program changed the keychain in the meantime: \(path)",
        meaning: "nothing was changed",
        hint: "try again")
    case .slotCount(let count):
      Failure(.failed, "a keychain cannot have \(count) slots", meaning: "nothing was changed")
    case .notThere, .damaged, .newer, .missingSecret, .wrongSecret, .overLimit:
      Failure(.failed, "the keychain cannot be used", meaning: "nothing was changed")
    }
  }
}

extension SystemError: Explained {
  var failure: Failure {
    let sentence = SystemError(
      code: code, call: call, path: path.map { GivenWord.shown(TemporaryFile.place($0)) },
      explanation: explanation
    ).sentence
    let meaning = "nothing half-written is left"
    return if isInterrupted {
      Failure(.interrupted, "interrupted", meaning: meaning)
    } else if isNoSpace {
      Failure(
        .failed, sentence, meaning: meaning, hint: "free some space there, or choose another place")
    } else if isNotInstalled {
      Failure(.failed, sentence, meaning: meaning, hint: "apt-get install rclone")
    } else if isTimedOut {
      Failure(
        .failed, sentence, meaning: meaning,
        hint: "check the network, or allow more time with FUEKI_DEADLINE=SECONDS")
    } else if isAlreadyThere {
      Failure(.wouldOverwrite, sentence, meaning: meaning)
    } else if isNotFound {
      Failure(.notFound, sentence)
    } else if isNotPermitted || code == SystemError(.readOnly, call: "").code {
      Failure(
        .failed, sentence, meaning: meaning,
        hint: "use a folder or file that your user may write to, or have its permissions changed")
    } else {
      Failure(.failed, sentence, meaning: meaning)
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
