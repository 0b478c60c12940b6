internal import FuekiSystem

/// What a folder's place and its files say of copies elsewhere.
enum CopiedFolder: Equatable {
  /// A known service copies it to other machines.
  case service(String)
  /// It is on a disk that a person plugs in.
  case disk

  /// Looks at a folder and those that hold it; nil if nothing is known.
  static func of(_ path: String) -> CopiedFolder? {
    let path = CurrentProcess.absolutePath(of: path)
    var folder = path
    while !folder.isEmpty, folder != "/" {
      if let service = service(named: folder) ?? service(marking: folder) { return .service(service) }
      folder = PathParts(folder).folder
    }
    return MountedDisks.isOnDisk(path) ? .disk : nil
  }

  private static let services: [(beginning: String, service: String)] = [
    ("dropbox", "Dropbox"), ("nextcloud", "Nextcloud"), ("owncloud", "ownCloud"), ("onedrive", "OneDrive"),
    ("google drive", "Google Drive"), ("googledrive", "Google Drive"), ("google-drive", "Google Drive"),
    ("gdrive", "Google Drive"), ("my drive", "Google Drive"), ("icloud", "iCloud"),
    ("com~apple~clouddocs", "iCloud"), ("mobile documents", "iCloud"), ("syncthing", "Syncthing"),
  ]

  /// By the name that a service gives its folder: alone, or with an account's name behind it.
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

/// Whether a service copies the folder of a target, and what that means for keys in the clear.
struct FolderAnswer {
  let kind: TargetKind
  /// Whether the keys go there all the same; nil if it was not asked.
  var includesKeys: Bool?

  /// What the answer decides.
  private static let meaning =
    "Keys that their own program does not encrypt stay out of a folder that a service copies elsewhere, unless you "
    + "decide otherwise: a stranger with that copy has only your passphrase to guess."

  /// Recognises the folders, and asks about what cannot be recognised.
  ///
  /// - Parameters:
  ///   - paths: the folders, no remotes.
  ///   - asksForKeys: whether wallets are backed up that may have such keys.
  /// - Returns: the kind of the folders, and the decision about the keys.
  /// - Throws: a ``Failure`` after three answers that are none.
  static func ask(_ paths: [String], asksForKeys: Bool) throws -> FolderAnswer {
    let found = paths.map { (path: $0, place: CopiedFolder.of($0)) }
    if let (path, service) = found.lazy.compactMap({ found -> (String, String)? in
      guard case .service(let service)? = found.place else { return nil }
      return (found.path, service)
    }).first {
      Asking.say(["\(path) is in a folder that \(service) copies elsewhere: it counts as synced."])
      return try asked(.synced, asksForKeys)
    }
    if !found.isEmpty, found.allSatisfy({ $0.place == .disk }) {
      Asking.say(paths.map { "\($0) is on a disk of its own, which no service copies: it counts as local." })
      return FolderAnswer(kind: .local)
    }
    Asking.say([meaning])
    let what = paths.count == 1 ? paths[0] : "one of these folders"
    let isSynced = try Asking.yes("does a service, such as Dropbox or Syncthing, copy it elsewhere (\(what))")
    return try asked(isSynced ? .synced : .local, asksForKeys, isExplained: true)
  }

  /// The decision about the money is the person's: no default makes it.
  private static func asked(
    _ kind: TargetKind, _ asksForKeys: Bool, isExplained: Bool = false
  ) throws -> FolderAnswer {
    guard kind == .synced, asksForKeys else { return FolderAnswer(kind: kind) }
    if !isExplained { Asking.say([meaning]) }
    Asking.say([
      "Without them, these archives do not bring the money of such wallets back. "
        + "A second target on a disk of your own can have them."
    ])
    let includes = try Asking.yes("put the unencrypted keys into the archives there")
    return FolderAnswer(kind: kind, includesKeys: includes)
  }
}
