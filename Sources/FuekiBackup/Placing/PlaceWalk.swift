internal import FuekiSystem

/// The way from the root to a file's folder, one folder at a time, so that nobody can lead it elsewhere.
struct PlaceWalk {
  private static let root: UInt32 = 0

  /// Whether folders that are links are gone into.
  let followsLinks: Bool

  /// Something on the way that is no folder to go into.
  struct Blocked: Error {
    let obstacle: PlacingObstacle
  }

  /// Opens the folder of a place.
  ///
  /// - Parameters:
  ///   - names: the folders' names, below the root.
  ///   - root: where they begin.
  ///   - makes: whether those that are missing are made, for their owner only.
  /// - Returns: nil where it is not there.
  /// - Throws: ``Blocked``, and what the system refuses.
  func open(_ names: ArraySlice<[UInt8]>, in root: borrowing Directory, makes: Bool) throws -> Directory? {
    var folder = try root.duplicate()
    var hasLinks = false
    for name in names {
      if try Self.status(of: name, in: folder) == nil {
        guard makes else { return nil }
        try folder.makeDirectory(name)
        try folder.sync()
      }
      let next = try step(name, in: folder, &hasLinks)
      folder = next
    }
    // A link of one's own can lead to where things are run, too.
    let real = hasLinks ? CurrentProcess.absolutePath(of: folder.path) : ""
    guard !hasLinks || !StartupPlaces.isBelowHome(real, []) else {
      throw Blocked(obstacle: PlacingObstacle(path: folder.path, kind: .folderIsLink(to: real)))
    }
    return folder
  }

  /// What lies under a name; nil where nothing does.
  static func status(of name: [UInt8], in folder: borrowing Directory) throws(SystemError) -> FileStatus? {
    do {
      return try folder.status(of: name)
    } catch let error where error.isNotFound {
      return nil
    }
  }

  private func step(
    _ name: [UInt8], in folder: borrowing Directory, _ hasLinks: inout Bool
  ) throws -> Directory {
    let path = "\(folder.path)/\(PathText.text(name))"
    switch try folder.status(of: name).kind {
    case .directory:
      let next = try folder.openDirectory(name)
      // Whoever owns a folder can take away what is in it, and put something else there.
      guard [CurrentUser.identifier, Self.root].contains(try next.status().owner) else {
        throw Blocked(obstacle: PlacingObstacle(path: path, kind: .folderIsOthers))
      }
      guard try !next.status().isWritableByOthers else {
        throw Blocked(obstacle: PlacingObstacle(path: path, kind: .folderIsShared))
      }
      return next
    case .symbolicLink:
      let target = PathText.text(try folder.target(ofLink: name))
      let link = Blocked(obstacle: PlacingObstacle(path: path, kind: .folderIsLink(to: target)))
      guard followsLinks else { throw link }
      let next = try folder.openDirectory(following: name)
      guard try next.status().owner == CurrentUser.identifier else { throw link }
      guard try !next.status().isWritableByOthers else {
        throw Blocked(obstacle: PlacingObstacle(path: path, kind: .folderIsShared))
      }
      hasLinks = true
      return next
    case .file, .other: throw Blocked(obstacle: PlacingObstacle(path: path, kind: .otherKind))
    }
  }
}

extension FileStatus {
  /// Whether other users can write to a folder, and so put something else in a file's place.
  ///
  /// Many systems give each user a group of the same number, and let it write: nobody else is in that one.
  var isWritableByOthers: Bool {
    let isOwnGroup = group == CurrentUser.group && group == CurrentUser.identifier
    return permissions & (isOwnGroup ? 0o002 : 0o022) != 0
  }
}
