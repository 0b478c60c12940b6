internal import FuekiSystem

/// A walk from the root to a file's folder, one folder at a time, so that an attacker cannot redirect it.
struct PlaceWalk {
  private static let root: UInt32 = 0

  /// Whether to follow symbolic links to folders.
  let followsLinks: Bool
  /// The file system without permissions that the user accepts, by its number; nil if there is none.
  let unprotectedDevice: UInt64?

  /// Something on the way that is no folder to go into.
  struct Blocked: Error {
    let obstacle: PlacingObstacle
  }

  /// A folder, and the names that lead to it: other ones than those wanted where the file system refuses these.
  struct Opened: ~Copyable {
    let folder: Directory
    let names: [[UInt8]]
    /// The folders that the names lead to.
    let folders: [Identity]
    /// Those of them that this walk made.
    let made: [Identity]
  }

  /// Tells a file or a folder from others, whatever its name: a file system may take two names for one.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
  }

  /// Opens the folder of a place.
  ///
  /// - Parameters:
  ///   - names: the folders' names, below the root.
  ///   - root: the folder to start from.
  ///   - makes: whether to create missing folders, for their owner only.
  /// - Returns: nil if it does not exist.
  /// - Throws: ``Blocked``, and system errors.
  func open(_ names: ArraySlice<[UInt8]>, in root: borrowing Directory, makes: Bool) throws -> Opened? {
    var folder = try root.duplicate()
    var hasLinks = false
    var opened: [[UInt8]] = []
    var (folders, made): ([Identity], [Identity]) = ([], [])
    for name in names {
      let present = try self.found(name, in: folder)
      guard let found = try present ?? (makes ? make(name, in: folder) : nil) else { return nil }
      let next = try step(found, in: folder, &hasLinks)
      folder = next
      opened.append(found)
      folders.append(Identity(try folder.status()))
      if present == nil { made.append(contentsOf: folders.suffix(1)) }
    }
    // A link of one's own can lead to where things are run, too.
    let real = hasLinks ? CurrentProcess.absolutePath(of: folder.path) : ""
    guard !hasLinks || !StartupPlaces.isBelowHome(real, []) else {
      throw Blocked(obstacle: PlacingObstacle(path: folder.path, kind: .folderIsLink(to: real)))
    }
    return Opened(folder: folder, names: opened, folders: folders, made: made)
  }

  /// Returns the name of an existing folder: its own, or its safe name; nil if there is neither.
  private func found(_ name: [UInt8], in folder: borrowing Directory) throws -> [UInt8]? {
    for candidate in [name] + PlacedName.safe(name)
    where try Self.status(of: candidate, in: folder) != nil {
      return try listed(candidate, in: folder)
    }
    return nil
  }

  /// Returns the name that an existing entry has in the listing.
  ///
  /// File systems without permissions take names in other letters for the same, and some number one file differently
  /// under each of them.
  private func listed(_ name: [UInt8], in folder: borrowing Directory) throws -> [UInt8] {
    guard unprotectedDevice != nil else { return name }
    let names = try folder.list().map(\.name)
    if names.contains(name) { return name }
    let folded = PlacedName.folded(name)
    return names.first { PlacedName.folded($0) == folded } ?? name
  }

  /// Makes a folder under its own name, or under a safe one if the file system refuses that.
  private func make(_ name: [UInt8], in folder: borrowing Directory) throws -> [UInt8] {
    let path = "\(folder.path)/\(PathText.text(name))"
    for candidate in [name] + PlacedName.safe(name) {
      do {
        try folder.makeDirectory(candidate)
        guard try PlacedName.isPortable(candidate) || Self.lists(candidate, in: folder) else {
          // The file system made it under another name.
          try folder.removeDirectory(candidate)
          continue
        }
        try folder.sync()
        return candidate
      } catch let error as SystemError where error.isNameRefused {
        continue
      } catch let error as SystemError where error.isNotPermitted || error.isReadOnly {
        throw Blocked(obstacle: PlacingObstacle(path: folder.path, kind: .notWritable))
      }
    }
    throw Blocked(obstacle: PlacingObstacle(path: path, kind: .nameRefused))
  }

  /// Whether a folder has exactly this name in it.
  static func lists(_ name: [UInt8], in folder: borrowing Directory) throws(SystemError) -> Bool {
    try folder.list().contains { $0.name == name }
  }

  /// Returns the status of a name; nil if it does not exist or the file system rejects the name.
  static func status(of name: [UInt8], in folder: borrowing Directory) throws(SystemError) -> FileStatus? {
    do {
      return try folder.status(of: name)
    } catch let error where error.isNotFound || error.isNameRefused {
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
      // Owners and permissions say nothing on a file system that keeps none.
      guard try unprotectedDevice != next.status().device else { return next }
      // A folder's owner can replace its contents.
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
  /// Whether other users can write to a folder, and so replace a file in it.
  ///
  /// On many systems each user has a group of the same number, without other members, which may write.
  var isWritableByOthers: Bool {
    let isOwnGroup = group == CurrentUser.group && group == CurrentUser.identifier
    return permissions & (isOwnGroup ? 0o002 : 0o022) != 0
  }
}
