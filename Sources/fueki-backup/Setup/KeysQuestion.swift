internal import FuekiBackup

/// Finds out, target by target, whether a service copies its folder.
struct FolderQuestions {
  /// Whether the consequence of the answer was shown.
  private(set) var isExplained = false

  /// Recognises a folder, or asks about it: no default answers, since the answer decides about the money.
  ///
  /// - Throws: a ``Failure`` after three answers that are none.
  mutating func kind(of path: String) throws -> TargetKind {
    switch CopiedFolder.of(path) {
    case .service(let service):
      Asking.say(["\(path) is in a folder that \(service) copies elsewhere: it counts as synced."])
      return .synced
    case .disk:
      Asking.say(["\(path) is on a disk that you plugged in, which no service copies: it counts as local."])
      return .local
    case nil:
      if !isExplained { Asking.say([KeysQuestion.meaning]) }
      isExplained = true
      let question = "does a service, such as Dropbox or Syncthing, copy it elsewhere (\(path))"
      return try Asking.yes(question) ? .synced : .local
    }
  }
}

/// The question about unencrypted keys in archives that leave this machine.
enum KeysQuestion {
  /// The consequence of a folder's kind.
  static let meaning =
    "Keys that their own program does not encrypt stay out of the archives if one of their folders is copied elsewhere, "
    + "unless you decide otherwise: a stranger with such a copy has only your passphrase to guess."

  /// Asks for the decision, once for all targets: they get the same archive.
  ///
  /// A remote never gets such keys by a question: there it is asked only whether they may be missing.
  ///
  /// - Parameters:
  ///   - targets: all targets of a backup.
  ///   - isExplained: whether ``meaning`` was just shown.
  /// - Returns: whether the keys go into the archives; nil if no target is seen by others, or if nothing was decided.
  /// - Throws: a ``Failure`` after three answers that are none.
  static func ask(_ targets: [Target], isExplained: Bool) throws -> Bool? {
    let seen = targets.filter(\.isSeenByOthers)
    guard !seen.isEmpty else { return nil }
    if !isExplained { Asking.say([meaning]) }
    Asking.say([
      "Every target gets the same archive. Without these keys, no target's archives bring the money of such wallets back."
    ])
    guard let remote = seen.first(where: { $0.kind == .rclone }) else {
      let folders = seen.map(\.path).joined(separator: ", ")
      return try Asking.yes("put the unencrypted keys into the archives there (\(folders))")
    }
    Asking.say(["\(remote.path) is on a remote, so they stay out of these archives."])
    if try Asking.yes("leave the unencrypted keys out of the archives there") { return false }
    Asking.say(["Nothing is decided: create ends with status 3 for each wallet that has such keys."])
    return nil
  }
}
