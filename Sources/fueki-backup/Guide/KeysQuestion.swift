internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

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

/// Evidence in a folder's place and files that it is copied elsewhere.
enum CopiedFolder: Equatable {
  /// A known service copies it to other machines.
  case service(String)
  /// It is on a removable disk.
  case disk

  /// Looks at a folder and those that hold it, by the path that was given and by the one without links; nil if nothing
  /// is known.
  static func of(_ path: String) -> CopiedFolder? {
    let real = CurrentProcess.absolutePath(of: path)
    for path in [path, real] {
      var folder = path
      while !folder.isEmpty, folder != "/" {
        if let service = service(named: folder) ?? service(marking: folder) { return .service(service) }
        folder = PathParts(folder).folder
      }
    }
    return MountedDisks.isOnDisk(real) ? .disk : nil
  }

  private static let services: [(beginning: String, service: String)] = [
    ("dropbox", "Dropbox"), ("nextcloud", "Nextcloud"), ("owncloud", "ownCloud"), ("onedrive", "OneDrive"),
    ("google drive", "Google Drive"), ("googledrive", "Google Drive"), ("google-drive", "Google Drive"),
    ("gdrive", "Google Drive"), ("my drive", "Google Drive"), ("icloud", "iCloud"),
    ("com~apple~clouddocs", "iCloud"), ("mobile documents", "iCloud"), ("syncthing", "Syncthing"),
  ]

  /// Returns the service that the folder's name suggests, alone or with an account's name after it.
  private static func service(named folder: String) -> String? {
    let name = PathParts(folder).name.lowercased()
    return services.first { known in
      guard name.hasPrefix(known.beginning) else { return false }
      let rest = name.dropFirst(known.beginning.count)
      return rest.isEmpty || rest.hasPrefix(" ") || rest.hasPrefix("-") || rest == "drive"
    }?.service
  }

  /// By the files that a service keeps in its folder.
  private static func service(marking folder: String) -> String? {
    guard let directory = try? Directory.open(folder), let entries = try? directory.list() else { return nil }
    for name in entries.compactMap(\.text) where name.hasPrefix(".") {
      switch name {
      case ".stfolder": return "Syncthing"
      case ".dropbox", ".dropbox.cache": return "Dropbox"
      case ".owncloudsync.log", ".nextcloudsync.log": return "Nextcloud"
      case _ where name.hasSuffix(".db") && (name.hasPrefix(".sync_") || name.hasPrefix("._sync_")):
        return "Nextcloud"
      default: continue
      }
    }
    return nil
  }
}

/// The handling of a source's keys that their own program does not encrypt.
enum KeysDecision {
  case included
  /// They stay out because a target is synced, which leaves the backup incomplete.
  case undecided
  /// They stay out as their owner decided.
  case declined
}

/// The wallets whose unencrypted keys stay out by a decision: shown each time, since it is the money that stays out.
enum DeclinedKeysLines {
  /// One line for each kind of decision.
  static func lines(_ declined: [DeclinedKeys]) -> [String] {
    DeclinedKeys.Decision.allCases.compactMap { decision in
      let sources = declined.filter { $0.decision == decision }.map(\.source)
      guard !sources.isEmpty else { return nil }
      return "left out by your decision: the unencrypted keys of \(sources.joined(separator: ", ")). "
        + decision.change
    }
  }
}

extension DeclinedKeys.Decision {
  /// The way to decide otherwise.
  fileprivate var change: String {
    switch self {
    case .target: "To include them, change private_keys in the [[target]], or use --accept synced-keys."
    case .source: "To include them, remove include_private_keys = false from the [[source]]."
    }
  }
}

extension DeclinedKeys {
  /// A decision in JSON.
  var document: Members { ["source": source, "decision": decision.rawValue] }
}
