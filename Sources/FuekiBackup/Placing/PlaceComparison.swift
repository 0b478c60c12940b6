internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Compares files with what lies in their places, and settles what becomes of them.
struct PlaceComparison {
  let request: PlacingRequest

  /// What lies in a place.
  private enum Present: Equatable {
    case nothing
    /// A file of the same length, which may be the same.
    case similar
    case other
  }

  /// Settles the fates of those that go somewhere, and notes what is in the way.
  func settle(
    _ plan: inout PlacePlan, in root: borrowing Directory, with archive: any UnlockedArchive
  ) throws {
    try SlashingMerge(walk: PlaceWalk(followsLinks: request.followsLinks)).settle(
      &plan, in: root, with: archive)
    var present: [OriginalFile.Key: Present] = [:]
    var renamed: Set<OriginalFile.Key> = []
    for index in plan.files.indices where plan.files[index].fate == .place && !plan.files[index].isMerged {
      present[plan.files[index].file.key] = try look(&plan, index, in: root)
    }
    try compare(&present, plan, in: root, with: archive)
    for index in plan.files.indices {
      let key = plan.files[index].file.key
      switch present[key] {
      case .similar?: plan.files[index].fate = .present
      case .other?:
        switch request.policy {
        case .fail: plan.obstacles.append(PlacingObstacle(path: plan.files[index].path, kind: .differs))
        case .rename:
          rename(&plan.files[index])
          renamed.insert(key)
        case .replace where plan.files[index].hold == .slashingRecord:
          // Never a higher record by a lower one.
          rename(&plan.files[index])
          renamed.insert(key)
        case .replace: plan.files[index].fate = .replace
        }
      case .nothing?, nil: break
      }
    }
    // A run that was stopped may have put them there.
    var besides: [OriginalFile.Key: Present] = [:]
    for index in plan.files.indices where renamed.contains(plan.files[index].file.key) {
      besides[plan.files[index].file.key] = try look(&plan, index, in: root)
    }
    try compare(&besides, plan, in: root, with: archive)
    for index in plan.files.indices {
      switch besides[plan.files[index].file.key] {
      case .similar?: plan.files[index].fate = .present
      case .other?: plan.obstacles.append(PlacingObstacle(path: plan.files[index].path, kind: .differs))
      case .nothing?, nil: break
      }
    }
  }

  private func rename(_ planned: inout PlannedFile) {
    planned.fate = .beside
    guard let old = planned.names.popLast() else { return }
    let name = PlacedName.name(old, ending: ".restored-\(request.stamp)")
    planned.names.append(name)
    planned.path = "\(PathParts(planned.path).folder)/\(PathText.text(name))"
  }

  /// Looks at a place; what is in the way of going there at all is an obstacle.
  private func look(_ plan: inout PlacePlan, _ index: Int, in root: borrowing Directory) throws -> Present {
    let names = plan.files[index].names
    let walk = PlaceWalk(followsLinks: request.followsLinks)
    let status: FileStatus?
    do {
      status = try Self.status(of: names, in: root, walk)
    } catch let blocked as PlaceWalk.Blocked {
      if !plan.obstacles.contains(blocked.obstacle) { plan.obstacles.append(blocked.obstacle) }
      return .nothing
    }
    guard let status else { return .nothing }
    switch status.kind {
    case .file: return status.size == plan.files[index].file.byteCount ? .similar : .other
    case .symbolicLink:
      let target = try walk.open(names.dropLast(), in: root, makes: false)?.target(ofLink: names.last ?? [])
      let text = PathText.text(target ?? [])
      plan.obstacles.append(PlacingObstacle(path: plan.files[index].path, kind: .isLink(to: text)))
    case .directory, .other:
      plan.obstacles.append(PlacingObstacle(path: plan.files[index].path, kind: .otherKind))
    }
    return .nothing
  }

  private static func status(
    of names: [[UInt8]], in root: borrowing Directory, _ walk: PlaceWalk
  ) throws -> FileStatus? {
    guard let folder = try walk.open(names.dropLast(), in: root, makes: false) else { return nil }
    return try PlaceWalk.status(of: names.last ?? [], in: folder)
  }

  /// Reads the archive once more, where some files may be there already.
  private func compare(
    _ present: inout [OriginalFile.Key: Present], _ plan: PlacePlan, in root: borrowing Directory,
    with archive: any UnlockedArchive
  ) throws {
    guard present.values.contains(.similar) else { return }
    let names = Dictionary(
      plan.files.filter { present[$0.file.key] == .similar }.map { ($0.file.key, $0.names) },
      uniquingKeysWith: { first, _ in first })
    let root = try root.duplicate()
    var answers = present
    let walk = PlaceWalk(followsLinks: request.followsLinks)
    try archive.forEachOriginalPart { part, content in
      guard answers[part.key] == .similar, let names = names[part.key] else { return }
      guard let folder = try walk.open(names.dropLast(), in: root, makes: false) else { return }
      let file = try folder.openFile(names.last ?? [])
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
