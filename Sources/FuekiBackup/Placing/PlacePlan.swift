public import FuekiArchive
internal import FuekiSystem
public import FuekiWallet

/// What becomes of a file that is there already and differs.
public enum PlacingPolicy: String, Sendable, CaseIterable {
  /// The archive's stays in the archive.
  case fail
  /// The archive's goes beside it, as `NAME.restored-DATE`.
  case rename
  /// The archive's takes its place, and the other stays beside it, as `NAME.replaced-DATE`.
  case replace
}

/// How files are put back.
public struct PlacingRequest: Sendable {
  /// Below which folder.
  public var root: PlaceRoot
  /// What becomes of files that are there and differ.
  public var policy = PlacingPolicy.fail
  /// Whether folders that are links are gone into.
  public var followsLinks = false
  /// Whether files are put back although their programs run.
  public var ignoresRunning = false
  /// The sections whose files are wanted.
  public var selection = SectionSelection.everything
  /// The places of the files that are wanted; nil for all.
  public var places: Set<[UInt8]>?
  /// Whether the archive is this person's; another one's goes only into an empty folder that was named.
  public var isMine: Bool
  /// When it began, as `20261121T063000Z`: what names are told apart by.
  public var stamp: String
  /// The beginning of the run's temporary names: a stopped run's are removed only if its journal has the same.
  public var token = PlacingJournal.newToken()

  /// Whether a file may go to a place below the person's home directory, by the names of the folders and of the file.
  public var homeAllows: @Sendable (_ names: [[UInt8]]) -> Bool

  /// What is written beside a file that goes under a name that its program does not look for.
  public var page: @Sendable (_ reason: HoldReason, _ name: String) -> String

  /// Files back below a folder, never over another one.
  public init(
    root: PlaceRoot, isMine: Bool, stamp: String,
    homeAllows: @escaping @Sendable (_ names: [[UInt8]]) -> Bool,
    page: @escaping @Sendable (_ reason: HoldReason, _ name: String) -> String
  ) {
    (self.root, self.isMine, self.stamp, self.page) = (root, isMine, stamp, page)
    self.homeAllows = homeAllows
  }
}

extension PlacingRequest {
  /// Whether a file is wanted, by its section and its place.
  func wants(_ file: OriginalFile) -> Bool {
    guard selection.contains(file.section) else { return false }
    guard let places else { return true }
    return file.place.map(places.contains) ?? false
  }
}

/// A file of the archive, and what becomes of it.
public struct PlannedFile: Sendable {
  /// What becomes of a file.
  public enum Fate: Equatable, Sendable {
    /// It goes to its place, where nothing is.
    case place
    /// It is there, byte for byte.
    case present
    /// It goes beside another one.
    case beside
    /// It takes another one's place, which is kept beside it.
    case replace
    /// It stays in the archive.
    case waits(WaitReason)
  }

  /// The file.
  public let file: OriginalFile
  /// What becomes of it.
  public internal(set) var fate: Fate
  /// Why it goes under a name that its program does not look for; nil where it does not.
  public internal(set) var hold: HoldReason?
  /// Where it is, or will be; its place in the archive where it stays there.
  public internal(set) var path: String
  /// What keeps it from its place; nil if nothing does.
  public internal(set) var obstacle: PlacingObstacle?
  /// The programs that work with its place.
  public internal(set) var users: [RunningProgram] = []
  /// The path that the file system refuses, or takes for another file's; nil if the file gets its own name.
  public internal(set) var refusedPath: String?
  /// Records of another network that lie there too: a slashing record is not merged with these.
  public internal(set) var unmergedWith: [String] = []
  /// Below the root, the name that it gets last.
  var names: [[UInt8]] = []
  /// Logs of another database, which are kept with that one.
  var foreignLogs: [[UInt8]] = []
  /// What is written in the place of the file's own bytes: these, and what another file there says.
  var merged: [UInt8]?

  /// Whether what is written is the file together with one that is there.
  public var isMerged: Bool { merged != nil }
  /// The length of what is written.
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
    let isName = obstacle.kind == .nameRefused
    (fate, self.obstacle) = (.waits(isName ? .nameRefused : .inTheWay), obstacle)
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

/// What will be done, file by file, before anything is.
public struct PlacePlan: Sendable {
  /// The files, in the archive's order.
  public internal(set) var files: [PlannedFile]
  /// Whether the files with secrets could not be read with this secret.
  public internal(set) var lacksSecrets = false

  /// What is in the way, each thing once.
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

  /// The files whose places are known, in the archive's order.
  ///
  /// - Parameters:
  ///   - selection: the sections that are wanted.
  ///   - items: the things that are wanted, as ``Holding/item`` has them; every file without any.
  /// - Returns: all but their bytes.
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

  /// Looks at the archive's files and at the places where they go; nothing is written.
  ///
  /// - Parameters:
  ///   - request: how they are put back.
  ///   - files: what was read of them before; nil where nothing was.
  /// - Returns: what would be done, file by file, and why a file waits.
  /// - Throws: ``PlacingError/othersFolder(path:)``, ``PlacingError/notEmpty(path:)``; what reading and the system
  ///   throw.
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
    if !request.ignoresRunning { RunningPrograms.hold(&plan, root: root.path) }
    plan.holdTogether()
    return plan
  }

  /// What goes where, before anything is looked for there.
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
