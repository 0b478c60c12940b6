public import FuekiArchive
internal import FuekiSystem
public import FuekiWallet

/// The plan of a restore, file by file, made before anything is written.
public struct PlacePlan: Sendable {
  /// The files, in the archive's order.
  public internal(set) var files: [PlannedFile]
  /// Whether the files with secrets could not be read with this secret.
  public internal(set) var lacksSecrets = false

  /// The folders that it makes, from the root, without hidden ones.
  var newFolders: Set<[UInt8]> = []

  /// The user's own files that wait for consent alone.
  public var awaitingConsent: [OriginalFile] {
    files.filter { $0.fate == .waits(.ownFiles) }.map(\.file)
  }

  /// The file system without permissions that the user accepts for the files; nil if there is none.
  var unprotectedDevice: UInt64?

  /// Whether the files go to a file system that keeps no permissions.
  public var isUnprotected: Bool { unprotectedDevice != nil }

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
  /// - Throws: ``PlacingError/othersFolder(path:)``, ``PlacingError/sharedFolder(path:)``,
  ///   ``PlacingError/unprotectedFolder(path:)``, ``PlacingError/notEmpty(path:)``; errors from reading and the system.
  public func placePlan(_ request: PlacingRequest, of files: OriginalFiles? = nil) throws -> PlacePlan {
    guard let checked = try request.root.open(makes: false, request) else {
      return try surveyed(request, files, below: request.root.resolvedPath)
    }
    let unprotectedDevice = checked.unprotectedDevice
    let root = try checked.folder.duplicate()
    if !request.isMine {
      guard case .folder = request.root, try root.list().isEmpty else {
        throw PlacingError.notEmpty(path: root.path)
      }
    }
    var plan = try surveyed(request, files, below: root.path)
    plan.unprotectedDevice = unprotectedDevice
    try PlaceComparison(request: request, unprotectedDevice: unprotectedDevice).settle(
      &plan, in: root, with: self)
    try HomeClaims(request, unprotectedDevice: unprotectedDevice).settle(&plan, in: root)
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
