internal import FuekiBackup
internal import FuekiSystem

/// Asks whether to put files on a file system that keeps no permissions.
enum UnprotectedQuestion {
  /// The answer if the user has not given `--accept unprotected`.
  static var answer: UnprotectedAnswer { Terminal.isAvailable ? .ask { try ask($0) } : .refuse }

  /// Whether the user was asked in this run and accepted.
  static var wasAccepted: Bool { Replay.words.contains(Consent.Kind.unprotected.rawValue) }

  private static func ask(_ path: String) throws -> Bool {
    Asking.say(["Careful: \(UnprotectedText.warning(path))."])
    let isAccepted = try Asking.yes("put the files there anyway", default: false)
    if isAccepted { Replay.note("--accept", Consent.Kind.unprotected.rawValue) }
    return isAccepted
  }
}

/// The limits of a file system without permissions, in words.
enum UnprotectedText {
  static let price =
    "anyone who has the disk, and any other user of this machine, can read and change the files on it"

  static func fact(_ path: String) -> String {
    "the file system of \(path) keeps no owner and no permissions, as exFAT and FAT do"
  }

  static func warning(_ path: String) -> String { "\(fact(path)): \(price)" }
}
