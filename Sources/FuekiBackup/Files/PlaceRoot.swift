internal import FuekiSystem

/// The folder below which files are restored.
public enum PlaceRoot: Equatable, Sendable {
  /// The user's home directory, only for files from below a home.
  case home(String)
  /// A folder of the user's choice: files from below a home go below it, and the rest into folders of its own.
  case folder(String)

  /// The path as given.
  public var path: String {
    switch self {
    case .home(let path), .folder(let path): path
    }
  }

  /// The path from the root and without links, also of a folder that is not there yet.
  var resolvedPath: String {
    var path = path.hasPrefix("/") ? path : "\(CurrentProcess.folder ?? "")/\(path)"
    var missing = ""
    while (try? FileStatus.of(path)) == nil, PathParts(path).folder != path {
      let parts = PathParts(path)
      missing = "/\(parts.name)\(missing)"
      path = parts.folder
    }
    let found = CurrentProcess.absolutePath(of: path)
    return (found == "/" && !missing.isEmpty ? "" : found) + missing
  }

  /// Opens the folder; resolves links in its path only here.
  ///
  /// - Parameters:
  ///   - makes: whether to create the user's folder if it is missing. A refused one is removed again.
  ///   - request: the options of the restore.
  ///   - accepted: the file system without permissions that the user has accepted in this run; nil for none.
  /// - Returns: nil if it is missing.
  /// - Throws: the errors of ``CheckedRoot/init(_:_:accepted:)``.
  func open(makes: Bool, _ request: PlacingRequest, accepted: UInt64? = nil) throws -> CheckedRoot? {
    var made: MadeFolders?
    if case .folder(let path) = self {
      if makes { made = try MadeFolders(path) }
      guard (try? Directory.open(path)) != nil else {
        if makes { _ = try Directory.open(path) }
        return nil
      }
    }
    do {
      return try CheckedRoot(
        Directory.open(CurrentProcess.absolutePath(of: path)), request, accepted: accepted)
    } catch {
      made?.removeEmpty()
      throw error
    }
  }

  /// Where a file goes below the folder, name by name.
  func destination(of file: OriginalFile) -> PlaceDestination {
    let slash = UInt8(ascii: "/")
    switch (self, file.place) {
    case (.folder, let place?) where !place.starts(with: Self.homeMark):
      return Self.at([Array("absolute".utf8)] + place.split(separator: slash).map(Array.init))
    case (.folder, nil):
      return Self.at(
        [Array("unplaced".utf8)] + ExportPath.components(source: file.source, path: file.path))
    case (_, let place): return Self.homeDestination(place)
    }
  }

  private static let homeMark = Array("~/".utf8)

  /// Where a file with a place goes below a home directory.
  static func homeDestination(_ place: [UInt8]?) -> PlaceDestination {
    guard let place else { return .waits(.noPlace) }
    guard place.starts(with: homeMark) else { return .waits(.outsideHome) }
    return at(place.dropFirst(2).split(separator: UInt8(ascii: "/")).map(Array.init))
  }

  private static func at(_ names: [[UInt8]]) -> PlaceDestination {
    guard Self.arePlain(names) else { return .waits(.notAPlace) }
    guard !StartupPlaces.contains(names), !StartupPlaces.contains(Self.belowHome(names)) else {
      return .waits(.startup)
    }
    return .at(names)
  }

  /// Whether a folder can have these names: what a file system takes is what is put back, line breaks too.
  private static func arePlain(_ names: [[UInt8]]) -> Bool {
    !names.isEmpty && names.count <= 64
      && names.allSatisfy { name in
        1...PlacedName.limit ~= name.count && name != [UInt8(ascii: ".")] && !name.elementsEqual("..".utf8)
          && !name.contains(0)
      }
  }

  /// Returns the part of an absolute place below any user's home.
  private static func belowHome(_ names: [[UInt8]]) -> [[UInt8]] {
    guard names.first?.elementsEqual("absolute".utf8) == true, names.count > 2 else { return [] }
    if names[1].elementsEqual("root".utf8) { return Array(names[2...]) }
    return names[1].elementsEqual("home".utf8) ? Array(names.dropFirst(3)) : []
  }
}

/// Where a file goes.
enum PlaceDestination: Equatable {
  case at([[UInt8]])
  case waits(WaitReason)
}

/// The folder below which files go, once it is known who else can change its contents.
struct CheckedRoot: ~Copyable {
  let folder: Directory
  /// The file system's number if it keeps no permissions and the user accepts that; nil otherwise.
  let unprotectedDevice: UInt64?

  /// Checks an opened folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - request: the options of the restore.
  ///   - accepted: the file system for which the user has accepted it in this run; nil for none.
  /// - Throws: ``PlacingError/othersFolder(path:)`` if it is another user's, also when run as root;
  ///   ``PlacingError/sharedFolder(path:)`` if others can write to it; ``PlacingError/unprotectedFolder(path:)`` if its
  ///   file system cannot prevent either and the user does not accept that; system errors.
  init(_ folder: consuming Directory, _ request: PlacingRequest, accepted: UInt64?) throws {
    unprotectedDevice = try Self.check(folder, request, accepted)
    self.folder = folder
  }

  private static func check(
    _ folder: borrowing Directory, _ request: PlacingRequest, _ accepted: UInt64?
  ) throws -> UInt64? {
    let status = try folder.status()
    guard let problem = problem(status, folder.path) else { return nil }
    // Programs trust the files in a home.
    guard case .folder = request.root else { throw problem }
    guard accepted != status.device else { return accepted }
    let isUnprotected =
      request.isPreview ? request.unprotected.isAccepted : keepsNoPermissions(folder, request.token)
    guard isUnprotected else { throw problem }
    guard try request.unprotected.isYes(for: folder.path) else {
      throw PlacingError.unprotectedFolder(path: folder.path)
    }
    return status.device
  }

  private static func problem(_ status: FileStatus, _ path: String) -> PlacingError? {
    guard status.owner == CurrentUser.identifier else { return .othersFolder(path: path) }
    return status.isWritableByOthers ? .sharedFolder(path: path) : nil
  }

  /// Whether a new file in the folder does not get the permissions that it is given.
  ///
  /// The trial is a file: it is examined through the descriptor that created it, so that no other user can put a file
  /// of theirs in its place. If the trial fails, the file system is assumed to keep them.
  private static func keepsNoPermissions(_ folder: borrowing Directory, _ token: String) -> Bool {
    let name = PlacedWriting.temporaryName(token)
    defer { try? folder.remove(name) }
    // Closed before it is removed: a file system in user space would keep an open file under another name.
    guard let permissions = try? folder.createFile(name).permissions() else { return false }
    return permissions != 0o600
  }
}

/// The user's answer about a folder whose file system keeps no permissions, as exFAT and FAT do.
///
/// Anyone who has such a disk can read and change the files on it.
public enum UnprotectedAnswer: Sendable {
  /// No file goes there.
  case refuse
  /// Files go there.
  case accept
  /// The user decides, once it is known that the file system keeps none.
  case ask(@Sendable (_ path: String) throws -> Bool)

  /// Whether the user has accepted it before it is known.
  public var isAccepted: Bool { if case .accept = self { true } else { false } }

  func isYes(for path: String) throws -> Bool {
    switch self {
    case .refuse: false
    case .accept: true
    case .ask(let question): try question(path)
    }
  }
}
