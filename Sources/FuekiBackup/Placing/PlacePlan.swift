public import FuekiArchive
internal import FuekiSystem
public import FuekiWallet

/// What becomes of a file that is there already and differs.
public enum PlacingPolicy: String, Sendable, CaseIterable {
  /// Nothing is put back.
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
  /// Whether the archive is this person's; another one's goes only into an empty folder that was named.
  public var isMine: Bool
  /// When it began, as `20261121T063000Z`: what names are told apart by.
  public var stamp: String

  /// What is written beside a file that goes under a name that its program does not look for.
  public var page: @Sendable (_ reason: HoldReason, _ name: String) -> String

  /// Files back below a folder, never over another one.
  public init(
    root: PlaceRoot, isMine: Bool, stamp: String,
    page: @escaping @Sendable (_ reason: HoldReason, _ name: String) -> String
  ) {
    (self.root, self.isMine, self.stamp, self.page) = (root, isMine, stamp, page)
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
  /// Records of another network that lie there too: a slashing record is not merged with these.
  public internal(set) var unmergedWith: [String] = []
  /// Below the root, the name that it gets last.
  var names: [[UInt8]] = []
  /// What is written in the place of the file's own bytes: these, and what another file there says.
  var merged: [UInt8]?

  /// Whether what is written is the file together with one that is there.
  public var isMerged: Bool { merged != nil }
  /// The length of what is written.
  var byteCount: UInt64 { merged.map { UInt64($0.count) } ?? file.byteCount }
}

/// What will be done, file by file, before anything is.
public struct PlacePlan: Sendable {
  /// The files, in the archive's order.
  public internal(set) var files: [PlannedFile]
  /// What is in the way.
  public internal(set) var obstacles: [PlacingObstacle] = []
  /// Programs that work with the places.
  public internal(set) var running: [RunningProgram] = []
  /// Whether the files with secrets could not be read with this secret.
  public internal(set) var lacksSecrets = false

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
  fileprivate var survey = PlaceSurvey()

  /// The files whose places are known, in the archive's order.
  ///
  /// - Parameter selection: the sections that are wanted.
  /// - Returns: all but their bytes.
  public func placeable(in selection: SectionSelection) -> [OriginalFile] {
    survey.files.filter { $0.place != nil && selection.contains($0.section) }
  }
}

extension UnlockedArchive {
  /// Reads what original files there are, and whether all parts of them.
  ///
  /// - Throws: what reading throws.
  public func originalFiles() throws -> OriginalFiles {
    var files = OriginalFiles()
    try forEachOriginalPart { part, content in files.survey.note(part, content.count) }
    return files
  }

  /// Looks at the archive's files and at the places where they go; nothing is written.
  ///
  /// - Parameters:
  ///   - request: how they are put back.
  ///   - files: what was read of them before; nil where nothing was.
  /// - Returns: what would be done, file by file, and what is in the way.
  /// - Throws: ``PlacingError/othersFolder(path:)``, ``PlacingError/notEmpty(path:)``; what reading and the system
  ///   throw.
  public func placePlan(_ request: PlacingRequest, of files: OriginalFiles? = nil) throws -> PlacePlan {
    guard let root = try request.root.open(makes: false) else {
      return try surveyed(request, files, below: request.root.path)
    }
    if !request.isMine {
      guard case .folder = request.root, try root.list().isEmpty else {
        throw PlacingError.notEmpty(path: root.path)
      }
    }
    var plan = try surveyed(request, files, below: root.path)
    try PlaceComparison(request: request).settle(&plan, in: root, with: self)
    if !request.ignoresRunning { plan.running = RunningPrograms.found(plan, root: root.path) }
    return plan
  }

  /// What goes where, before anything is looked for there.
  private func surveyed(
    _ request: PlacingRequest, _ files: OriginalFiles?, below root: String
  ) throws -> PlacePlan {
    let files = try files ?? originalFiles()
    var plan = PlacePlan(files: files.survey.planned(request, root))
    plan.lacksSecrets = request.selection.contains(.secretFiles) && !scopes.contains(.secrets)
    return plan
  }
}

/// The files of an archive, as its parts tell of them.
private struct PlaceSurvey: Sendable {
  private struct Entry: Sendable {
    var file: OriginalFile
    var covered = CoveredRanges()
    var isWhole = true
  }

  private var order: [OriginalFile.Key] = []
  private var entries: [OriginalFile.Key: Entry] = [:]

  mutating func note(_ part: OriginalPart, _ count: Int) {
    if entries[part.key] == nil { order.append(part.key) }
    var entry = entries[part.key] ?? Entry(file: part.file)
    entries[part.key] = nil
    if part.offset == 0 { entry.file = part.file }
    let (end, overflow) = part.offset.addingReportingOverflow(UInt64(count))
    if overflow || end > part.file.byteCount || part.file.byteCount != entry.file.byteCount
      || !entry.covered.insert(part.offset..<end)
    {
      entry.isWhole = false
    }
    entries[part.key] = entry
  }

  var files: [OriginalFile] { order.compactMap { entries[$0]?.file } }

  /// Where each file goes; of several for one place the newest does.
  func planned(_ request: PlacingRequest, _ rootPath: String) -> [PlannedFile] {
    var taken: [[[UInt8]]: Int] = [:]
    var files: [PlannedFile] = []
    for entry in order.compactMap({ entries[$0] }) where request.selection.contains(entry.file.section) {
      let place = String(decoding: entry.file.place ?? entry.file.path, as: UTF8.self)
      var planned = PlannedFile(file: entry.file, fate: .place, path: place)
      // Cut out of another file, which is there itself.
      if entry.file.place == nil, entry.file.format == "fueki-app-key-share" { continue }
      defer { files.append(planned) }
      guard entry.isWhole, entry.covered.cover(entry.file.byteCount) else {
        planned.fate = .waits(.incomplete)
        continue
      }
      switch request.root.destination(of: entry.file) {
      case .waits(let reason): planned.fate = .waits(reason)
      case .at(var names):
        guard !StartupPlaces.isBelowHome(rootPath, names) else {
          planned.fate = .waits(.startup)
          continue
        }
        planned.hold = PlacingHazards.reason(for: entry.file)
        if planned.hold != nil, let name = names.popLast() {
          names.append(PlacedName.name(name, ending: PlacingHazards.suffix))
        }
        planned.names = names
        planned.path =
          "\(rootPath)/\(names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/"))"
        if let other = taken[names] {
          let isNewer = entry.file.modifiedAt ?? .min > files[other].file.modifiedAt ?? .min
          if isNewer { files[other].fate = .waits(.superseded) } else { planned.fate = .waits(.superseded) }
          if !isNewer { continue }
        }
        taken[names] = files.count
      }
    }
    return files
  }
}

extension StartupPlaces {
  /// Whether names below a folder lead to such a place of this person's home.
  static func isBelowHome(_ folder: String, _ names: [[UInt8]]) -> Bool {
    guard let home = Environment.get("HOME") else { return false }
    let base = CurrentProcess.absolutePath(of: home)
    guard folder.hasPrefix(base + "/") else { return false }
    let below = folder.utf8.dropFirst(base.utf8.count + 1).split(separator: UInt8(ascii: "/")).map(Array.init)
    return contains(below + names)
  }
}
