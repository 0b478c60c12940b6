public import FuekiArchive
public import FuekiSystem
public import FuekiWallet

/// The handling of an existing file that differs.
public enum PlacingPolicy: String, Sendable, CaseIterable {
  /// The archive's stays in the archive.
  case fail
  /// Writes the archive's file next to it, as `NAME.restored-DATE`.
  case rename
  /// Writes the archive's file in its place, and keeps the other next to it, as `NAME.replaced-DATE`.
  case replace
}

/// The options for restoring files.
public struct PlacingRequest: Sendable {
  /// Below which folder.
  public var root: PlaceRoot
  /// The handling of existing files that differ.
  public var policy = PlacingPolicy.fail
  /// Whether to follow symbolic links to folders.
  public var followsLinks = false
  /// Whether to restore files while their programs run.
  public var ignoresRunning = false
  /// The sections whose files to restore.
  public var selection = SectionSelection.everything
  /// The places of the files to restore; nil for all.
  public var places: Set<[UInt8]>?
  /// Whether the archive is the user's.
  ///
  /// Another one's files go only into an empty folder of the user's choice.
  public var isMine: Bool
  /// The start time, as `20261121T063000Z`, which makes names unique.
  public var stamp: String
  /// The beginning of the run's temporary names: a stopped run's are removed only if its journal has the same.
  public var token = PlacingJournal.newToken()

  /// Returns whether a file may go to a place below the user's home directory, by the names of the folders and the
  /// file, and by its content.
  public var homeAllows: @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> Bool

  /// Returns why a file does harm where its program finds it; nil if it does none.
  public var holds: @Sendable (_ file: OriginalFile) -> HoldReason?

  /// Lists the paths that other programs have open; in a sandbox, another process does.
  public var openPaths: @Sendable () throws -> OpenPaths = { OpenPaths() }

  /// Returns the page to write next to a file whose name its program does not look for.
  public var page: @Sendable (_ reason: HoldReason, _ name: String) -> String

  /// Files back below a folder, never over another one.
  public init(
    root: PlaceRoot, isMine: Bool, stamp: String,
    homeAllows: @escaping @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> Bool,
    holds: @escaping @Sendable (_ file: OriginalFile) -> HoldReason?,
    page: @escaping @Sendable (_ reason: HoldReason, _ name: String) -> String
  ) {
    (self.root, self.isMine, self.stamp, self.page) = (root, isMine, stamp, page)
    (self.homeAllows, self.holds) = (homeAllows, holds)
  }
}

extension PlacingRequest {
  /// Returns whether a file is selected, by its section and its place.
  func wants(_ file: OriginalFile) -> Bool {
    guard selection.contains(file.section) else { return false }
    guard let places else { return true }
    return file.place.map(places.contains) ?? false
  }
}

/// A file of the archive, and what becomes of it.
public struct PlannedFile: Sendable {
  /// The fate of a file.
  public enum Fate: Equatable, Sendable {
    /// It goes to its place, where nothing is.
    case place
    /// It is there, byte for byte.
    case present
    /// It is written next to another one.
    case beside
    /// It replaces another one, which is kept next to it.
    case replace
    /// It stays in the archive.
    case waits(WaitReason)
  }

  /// The file.
  public let file: OriginalFile
  /// Its fate.
  public internal(set) var fate: Fate
  /// The reason for a name that its program does not look for; nil if it keeps its own name.
  public internal(set) var hold: HoldReason?
  /// Where it is, or will be; its place in the archive where it stays there.
  public internal(set) var path: String
  /// The obstacle at its place; nil if there is none.
  public internal(set) var obstacle: PlacingObstacle?
  /// The programs that work with its place.
  public internal(set) var users: [RunningProgram] = []
  /// The path that the file system refuses, or takes for another file's; nil if the file gets its own name.
  public internal(set) var refusedPath: String?
  /// Records of another network in the same folder: a slashing record is not merged with these.
  public internal(set) var unmergedWith: [String] = []
  /// Below the root, the name that it gets last.
  var names: [[UInt8]] = []
  /// Logs of another database, which are kept with that one.
  var foreignLogs: [[UInt8]] = []
  /// The bytes to write instead of the file's own: these merged with another file there.
  var merged: [UInt8]?

  /// Whether the file is merged with an existing one.
  public var isMerged: Bool { merged != nil }
  /// The length of the written bytes.
  var byteCount: UInt64 { merged.map { UInt64($0.count) } ?? file.byteCount }
  /// The names that it gets where the file system refuses its own.
  var safeNames: [[UInt8]] { PlacedName.safe(names.last ?? [], of: file.place ?? file.path) }

  /// Whether something is written.
  var isWritten: Bool {
    switch fate {
    case .place, .beside, .replace: true
    case .present, .waits: false
    }
  }

  /// Leaves the file in the archive because of something in its way.
  mutating func wait(for obstacle: PlacingObstacle) {
    let reason: WaitReason =
      switch obstacle.kind {
      case .nameRefused: .nameRefused
      case .noRoom: .noRoom
      default: .inTheWay
      }
    (fate, self.obstacle) = (.waits(reason), obstacle)
  }

  /// Lets the file go under other names than its own.
  ///
  /// - Parameters:
  ///   - names: below the root.
  ///   - root: the path that they are below.
  mutating func go(to names: [[UInt8]], below root: String) {
    guard names != self.names else { return }
    if refusedPath == nil { refusedPath = path }
    self.names = names
    path = "\(root)/\(names.map(PathText.text).joined(separator: "/"))"
  }
}

/// The plan of a restore, file by file, made before anything is written.
public struct PlacePlan: Sendable {
  /// The files, in the archive's order.
  public internal(set) var files: [PlannedFile]
  /// Whether the files with secrets could not be read with this secret.
  public internal(set) var lacksSecrets = false

  /// The obstacles, without repetition.
  public var obstacles: [PlacingObstacle] {
    files.compactMap(\.obstacle).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The programs that work with the places, each once.
  public var running: [RunningProgram] {
    files.flatMap(\.users).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Whether nothing waits.
  public var isComplete: Bool {
    !lacksSecrets
      && files.allSatisfy { planned in
        switch planned.fate {
        case .waits(.superseded): true
        case .waits: false
        case .place, .present, .beside, .replace: true
        }
      }
  }
}

/// The original files of an archive, as one reading of it tells of them.
public struct OriginalFiles: Sendable {
  var survey = PlaceSurvey()

  /// Returns the files whose places are known, in the archive's order.
  ///
  /// - Parameters:
  ///   - selection: the selected sections.
  ///   - items: the selected things, in the form of ``Holding/item``; empty for every file.
  /// - Returns: the files without their bytes.
  public func placeable(in selection: SectionSelection, of items: [String] = []) -> [OriginalFile] {
    let files = items.isEmpty ? survey.files : survey.files.chosen(by: Set(items))
    return files.filter { $0.place != nil && selection.contains($0.section) }
  }
}

extension UnlockedArchive {
  /// Reads what original files there are, and whether all parts of them.
  ///
  /// - Throws: what reading throws.
  public func originalFiles() throws -> OriginalFiles {
    var files = OriginalFiles()
    try forEachOriginalPart { part, content in files.survey.note(part, content) }
    return files
  }

  /// Inspects the archive's files and their places without writing.
  ///
  /// - Parameters:
  ///   - request: the options of the restore.
  ///   - files: the files as read before; nil to read them.
  /// - Returns: the plan, file by file, with the reason for each waiting file.
  /// - Throws: ``PlacingError/othersFolder(path:)``, ``PlacingError/notEmpty(path:)``; errors from reading and the
  ///   system.
  public func placePlan(_ request: PlacingRequest, of files: OriginalFiles? = nil) throws -> PlacePlan {
    guard let root = try request.root.open(makes: false) else {
      return try surveyed(request, files, below: request.root.resolvedPath)
    }
    if !request.isMine {
      guard case .folder = request.root, try root.list().isEmpty else {
        throw PlacingError.notEmpty(path: root.path)
      }
    }
    var plan = try surveyed(request, files, below: root.path)
    try PlaceComparison(request: request).settle(&plan, in: root, with: self)
    if !request.ignoresRunning { try RunningPrograms.hold(&plan, root: root.path, request.openPaths) }
    plan.holdTogether()
    return plan
  }

  /// Returns the plan before the places are inspected.
  private func surveyed(
    _ request: PlacingRequest, _ files: OriginalFiles?, below root: String
  ) throws -> PlacePlan {
    let files = try files ?? originalFiles()
    var plan = PlacePlan(files: files.survey.planned(request, root))
    plan.lacksSecrets =
      request.selection.contains(.secretFiles) && !scopes.contains(.secrets)
    return plan
  }
}
