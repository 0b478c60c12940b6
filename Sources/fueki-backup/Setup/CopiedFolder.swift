internal import FuekiSystem

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
