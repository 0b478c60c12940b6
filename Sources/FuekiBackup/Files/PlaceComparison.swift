internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Compares files with those in their places, and decides the fate of each.
struct PlaceComparison {
  let request: PlacingRequest
  /// The file system without permissions that the user accepts; nil if there is none.
  let unprotectedDevice: UInt64?

  private var walk: PlaceWalk {
    PlaceWalk(followsLinks: request.followsLinks, unprotectedDevice: unprotectedDevice)
  }

  /// The contents of a place.
  private enum Present: Equatable {
    case nothing
    /// A file of the same length, which may be the same.
    case similar
    case other
  }

  private typealias Answers = [OriginalFile.Key: Present]

  /// Decides the fates of the files with a place.
  ///
  /// An obstacle for one does not affect the others.
  func settle(
    _ plan: inout PlacePlan, in root: borrowing Directory, with archive: any UnlockedArchive
  ) throws {
    try SlashingMerge(walk: walk).settle(&plan, in: root, with: archive)
    let wanted = plan.files.indices.filter { plan.files[$0].fate == .place && !plan.files[$0].isMerged }
    var present = try look(&plan, wanted, in: root)
    try compare(&present, plan, in: root, with: archive)
    var beside: Set<Int> = []
    for index in wanted where plan.files[index].fate == .place {
      switch present[plan.files[index].file.key] {
      case .similar?: plan.files[index].fate = .present
      case .other?:
        switch request.policy {
        case .fail: plan.files[index].wait(for: .init(path: plan.files[index].path, kind: .differs))
        // Never a higher record by a lower one.
        case .replace where plan.files[index].hold == .slashingRecord: beside.insert(index)
        case .replace: plan.files[index].fate = .replace
        case .rename: beside.insert(index)
        }
      case .nothing?, nil: break
      }
    }
    settleLogs(&plan, wanted, &beside)
    try putBeside(&plan, beside, in: root, with: archive)
  }

  /// Keeps files from other databases' logs, which would be applied to the restored database.
  private func settleLogs(_ plan: inout PlacePlan, _ wanted: [Int], _ beside: inout Set<Int>) {
    for index in wanted where plan.files[index].isWritten && !beside.contains(index) {
      let planned = plan.files[index]
      guard let log = planned.foreignLogs.first else { continue }
      switch request.policy {
      case .fail:
        let path = "\(PathParts(planned.path).folder)/\(PathText.text(log))"
        plan.files[index].wait(for: PlacingObstacle(path: path, kind: .differs))
      case .rename: beside.insert(index)
      case .replace: break
      }
    }
  }

  /// Places files next to others, together with the logs of a database.
  private func putBeside(
    _ plan: inout PlacePlan, _ differing: Set<Int>, in root: borrowing Directory,
    with archive: any UnlockedArchive
  ) throws {
    guard !differing.isEmpty else { return }
    let sets = FileSets(plan.files)
    let databases = sets.databases(of: differing).filter { plan.files[$0].isWritten }
    let renamed = differing.union(databases)
    for index in renamed { rename(&plan.files[index]) }
    let all = renamed.union(sets.follow(&plan.files) { $0.fate == .beside }).sorted()
    // A run that was stopped may have put them there.
    var present = try look(&plan, all, in: root)
    try compare(&present, plan, in: root, with: archive)
    for index in all where plan.files[index].fate == .beside {
      switch present[plan.files[index].file.key] {
      case .similar?: plan.files[index].fate = .present
      case .other?: plan.files[index].wait(for: .init(path: plan.files[index].path, kind: .differs))
      case .nothing?, nil: break
      }
    }
  }

  private func rename(_ planned: inout PlannedFile) {
    planned.fate = .beside
    planned.foreignLogs = []
    guard let old = planned.names.popLast() else { return }
    let name = PlacedName.name(old, ending: ".restored-\(request.stamp)")
    planned.names.append(name)
    planned.path = "\(PathParts(planned.path).folder)/\(PathText.text(name))"
  }

  // MARK: looking

  /// Looks at places; a file with something in the way of going there at all waits.
  private func look(
    _ plan: inout PlacePlan, _ indices: [Int], in root: borrowing Directory
  ) throws -> Answers {
    var answers: Answers = [:]
    var found: [Int: FileStatus] = [:]
    let names = Set(plan.files.map(\.names))
    for index in indices {
      do {
        answers[plan.files[index].file.key] = .nothing
        found[index] = try find(&plan.files[index], names, in: root)
      } catch let blocked as PlaceWalk.Blocked {
        plan.files[index].wait(for: blocked.obstacle)
      }
    }
    for (index, status) in try separated(found, &plan, in: root) {
      answers[plan.files[index].file.key] =
        status.size == plan.files[index].file.byteCount ? .similar : .other
    }
    return answers
  }

  /// Renames files whose names the file system considers equal, because only one of them can keep the name.
  ///
  /// - Parameters:
  ///   - found: the status of occupied places, by the files' places in the plan.
  ///   - plan: receives the safe names of all but one file of a name.
  ///   - root: the folder that they go below.
  /// - Returns: the current status of occupied places.
  /// - Throws: errors from reading the places.
  private func separated(
    _ found: [Int: FileStatus], _ plan: inout PlacePlan, in root: borrowing Directory
  ) throws -> [Int: FileStatus] {
    var own = found
    for indices in try groups(found, plan, in: root)
    where indices.count > 1 && indices.first.flatMap({ found[$0] })?.linkCount == 1 {
      var rest: [Int] = []
      for index in indices {
        own[index] = try safe(&plan.files[index], in: root)
        if own[index] == nil { rest.append(index) }
      }
      var owner = rest.first
      for index in rest where try lists(plan.files[index], in: root) { owner = index }
      for index in rest {
        if index == owner {
          own[index] = found[index]
        } else {
          let file = plan.files[index]
          let names: [[UInt8]] = file.names.dropLast() + file.safeNames.prefix(1)
          plan.files[index].go(to: names, below: root.path)
        }
      }
    }
    return own
  }

  /// Groups the files that the file system finds in one place.
  private func groups(
    _ found: [Int: FileStatus], _ plan: PlacePlan, in root: borrowing Directory
  ) throws -> [[Int]] {
    var groups = Array(
      Dictionary(grouping: found.keys.sorted(), by: { found[$0].map(PlaceWalk.Identity.init) }).values)
    guard unprotectedDevice != nil else { return groups }
    // Some file systems without permissions number one file differently under each of its names: the listing decides.
    let alone = groups.filter { $0.count == 1 }.joined().sorted()
    for (_, indices) in Dictionary(
      grouping: alone, by: { plan.files[$0].names.map(PlacedName.folded) })
    where indices.count > 1 {
      var listed: Set<[[UInt8]]> = []
      for index in indices where try lists(plan.files[index], in: root) {
        listed.insert(plan.files[index].names)
      }
      if listed.count < indices.count { groups.append(indices) }
    }
    return groups
  }

  private func safe(_ planned: inout PlannedFile, in root: borrowing Directory) throws -> FileStatus? {
    guard let opened = try walk.open(planned.names.dropLast(), in: root, makes: false) else { return nil }
    return try findSafe(&planned, in: opened.folder, below: root.path)
  }

  /// Whether a file's folder has it under exactly its name.
  private func lists(_ planned: PlannedFile, in root: borrowing Directory) throws -> Bool {
    guard let opened = try walk.open(planned.names.dropLast(), in: root, makes: false) else { return false }
    return try PlaceWalk.lists(planned.names.last ?? [], in: opened.folder)
  }

  /// Returns the file in a place, and records logs of another database there.
  ///
  /// - Parameters:
  ///   - planned: the file that goes there.
  ///   - names: the names of all files that go somewhere.
  ///   - root: the folder below which it goes.
  /// - Returns: nil if nothing is there.
  /// - Throws: ``PlaceWalk/Blocked`` where something else is, and what the system refuses.
  private func find(
    _ planned: inout PlannedFile, _ names: Set<[[UInt8]]>, in root: borrowing Directory
  ) throws -> FileStatus? {
    let name = planned.names.last ?? []
    guard let opened = try walk.open(planned.names.dropLast(), in: root, makes: false) else { return nil }
    planned.go(to: opened.names + [name], below: root.path)
    if PassingFiles.database(ofLog: name) == nil {
      planned.foreignLogs = try PassingFiles.endings.map { name + $0 }.filter { log in
        guard !names.contains(planned.names.dropLast() + [log]) else { return false }
        return try PlaceWalk.status(of: log, in: opened.folder)?.kind == .file
      }
    }
    guard let status = try PlaceWalk.status(of: name, in: opened.folder) else {
      // An earlier run may have had to take a safe name.
      return try findSafe(&planned, in: opened.folder, below: root.path)
    }
    switch status.kind {
    case .file: return status
    case .symbolicLink:
      let text = PathText.text(try opened.folder.target(ofLink: name))
      throw PlaceWalk.Blocked(obstacle: PlacingObstacle(path: planned.path, kind: .isLink(to: text)))
    case .directory, .other:
      throw PlaceWalk.Blocked(obstacle: PlacingObstacle(path: planned.path, kind: .otherKind))
    }
  }

  /// Looks for a file under the safe names for one, and lets the file go there.
  private func findSafe(
    _ planned: inout PlannedFile, in folder: borrowing Directory, below root: String
  ) throws -> FileStatus? {
    for candidate in planned.safeNames {
      guard let status = try PlaceWalk.status(of: candidate, in: folder), status.kind == .file else {
        continue
      }
      planned.go(to: planned.names.dropLast() + [candidate], below: root)
      return status
    }
    return nil
  }

  /// Reads the archive once more, where some files may be there already.
  private func compare(
    _ present: inout Answers, _ plan: PlacePlan, in root: borrowing Directory,
    with archive: any UnlockedArchive
  ) throws {
    guard present.values.contains(.similar) else { return }
    let names = Dictionary(
      plan.files.filter { present[$0.file.key] == .similar }.map { ($0.file.key, $0.names) },
      uniquingKeysWith: { first, _ in first })
    let root = try root.duplicate()
    let walk = walk
    var answers = present
    try archive.forEachOriginalPart { part, content in
      guard answers[part.key] == .similar, let names = names[part.key] else { return }
      guard let opened = try walk.open(names.dropLast(), in: root, makes: false) else { return }
      let file = try opened.folder.openFile(names.last ?? [])
      var bytes = try SecretBytes(count: content.count)
      let count = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try file.pread(into: &bytes, at: part.offset)
      }
      let isSame = count == content.count && bytes.withBytes { ConstantTime.areEqual($0, content) }
      if !isSame { answers[part.key] = .other }
    }
    present = answers
  }
}
