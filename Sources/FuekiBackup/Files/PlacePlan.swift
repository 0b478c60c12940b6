internal import FuekiSystem
public import FuekiArchive
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

/// Files that are one thing together: a database and its logs.
///
/// A database without its log lacks its last changes, and a log next to another database is applied to that one.
struct FileSets {
  /// Two files or more each, as their places in the plan.
  let sets: [[Int]]
  /// The databases, as their places in the plan, by those of the logs that have their names.
  private let databases: [Int: Int]

  init(_ files: [PlannedFile]) {
    let paths = files.map { $0.file.place ?? $0.file.path }
    var members: [[UInt8]: [Int]] = [:]
    for (index, owner) in PassingFiles.owners(of: paths).enumerated() {
      members[owner, default: []].append(index)
    }
    sets = members.values.filter { $0.count > 1 }
    let places = Dictionary(paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    var databases: [Int: Int] = [:]
    for (index, path) in paths.enumerated() {
      databases[index] = PassingFiles.database(ofLog: path).flatMap { places[$0] }
    }
    self.databases = databases
  }

  /// Whether others are logs of a file.
  func isDatabase(_ index: Int) -> Bool { databases.values.contains(index) }

  /// The databases of those of some files that are logs.
  func databases(of indices: Set<Int>) -> Set<Int> { Set(indices.compactMap { databases[$0] }) }

  /// Renames the logs of databases along with the databases.
  ///
  /// - Parameters:
  ///   - files: all of the plan, in its order.
  ///   - isMoved: whether a database gets another name.
  /// - Returns: the places of the logs in the plan.
  func follow(_ files: inout [PlannedFile], where isMoved: (PlannedFile) -> Bool) -> [Int] {
    var moved: [Int] = []
    for (index, database) in databases.sorted(by: { $0.key < $1.key }) {
      let owner = files[database]
      let path = files[index].file.place ?? files[index].file.path
      guard isMoved(owner), files[index].isWritten || files[index].fate == .present,
        let name = owner.names.last,
        let ending = PassingFiles.endings.first(where: { path.suffix($0.count) == $0[...] })
      else { continue }
      files[index].names = owner.names.dropLast() + [name + ending]
      files[index].path = owner.path + String(decoding: ending, as: UTF8.self)
      files[index].hold = nil
      files[index].fate = owner.fate
      moved.append(index)
    }
    return moved
  }
}

extension PlacePlan {
  /// Holds back files that are restored only together with a waiting one.
  mutating func holdTogether() {
    let sets = FileSets(files)
    for set in sets.sets where set.contains(where: { stops($0, in: sets) }) {
      for index in set where files[index].isWritten { files[index].fate = .waits(.together) }
    }
  }

  private func stops(_ index: Int, in sets: FileSets) -> Bool {
    switch files[index].fate {
    case .waits(.inTheWay), .waits(.inUse), .waits(.nameRefused), .waits(.noRoom), .waits(.together): true
    case .waits(.superseded), .place, .present, .beside, .replace: false
    // Without the database its logs are nothing; without a log that is damaged, the database may be something.
    case .waits: sets.isDatabase(index)
    }
  }
}

/// Files of other programs of which a damaged archive has not one part left, so that nothing in their section names
/// them.
public struct LostFiles: Sendable, Equatable {
  private static let sections = [Section.files, .secretFiles]

  /// How many records they were: at least one for each.
  public let recordCount: UInt64
  /// The wallets of the manifest of which no file came back, as kind and name: each may be one of them.
  public let candidates: [String]

  /// Reads again which files are left; nil if no file was lost this way.
  ///
  /// - Parameters:
  ///   - archive: the remaining contents.
  ///   - losses: the lost contents.
  ///   - manifest: the archive's manifest, or an empty one if it is lost too.
  /// - Throws: errors from reading.
  public init?(_ archive: some UnlockedArchive, _ losses: Losses, _ manifest: Manifest) throws {
    let lost = losses.sections.filter { loss in Self.sections.contains { $0.rawValue == loss.section } }
    guard !lost.isEmpty else { return nil }
    let left = try archive.originalFiles().survey
    let count = lost.reduce(UInt64(0)) { sum, loss in
      let named = Section(rawValue: loss.section).map(left.missingParts) ?? 0
      return sum + (loss.lostRecords > named ? loss.lostRecords - named : 0)
    }
    guard count > 0 else { return nil }
    recordCount = count
    var names: Set<ExactText> = []
    for file in left.files {
      // Findings are called by a file's name, by its path below the source, or by the source's folder.
      let path = String(decoding: file.path, as: UTF8.self)
      let place = String(decoding: file.place ?? [], as: UTF8.self)
      for name in [path[...]] + "\(place)/\(path)".split(separator: "/") {
        names.insert(ExactText("\(file.source) \(name)"))
      }
    }
    let kinds = Self.kinds(manifest)
    candidates = manifest.findings.filter { kinds.contains($0.kind) }.map { "\($0.kind) \($0.name)" }
      .filter { names.insert(ExactText($0)).inserted }
  }

  /// The kinds of the sources that gave files.
  private static func kinds(_ manifest: Manifest) -> Set<String> {
    let sources = manifest.sources.filter { source in
      source.included.contains { included in
        included.records > 0 && sections.contains { UInt32($0.rawValue) == included.section }
      }
    }
    return Set(sources.compactMap { $0.name.split(separator: ":").first.map(String.init) })
  }
}
