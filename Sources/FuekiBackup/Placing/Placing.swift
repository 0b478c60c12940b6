public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

extension UnlockedArchive {
  /// Puts files back into their places, each whole, durable and read back, or not at all.
  ///
  /// A run that was stopped is gone on with by doing the same again: what is there already is left as it is.
  ///
  /// - Parameters:
  ///   - plan: what ``placePlan(_:)`` found, with no obstacle.
  ///   - request: as the plan was made with.
  ///   - progress: is told each file that is in its place now; what it throws ends the work.
  /// - Throws: ``PlacingError``; what reading and the system throw.
  public func place(
    _ plan: PlacePlan, _ request: PlacingRequest, progress: (PlannedFile) throws -> Void = { _ in }
  ) throws {
    guard plan.obstacles.isEmpty else { throw PlacingError.obstacles(plan.obstacles) }
    guard plan.running.isEmpty else { throw PlacingError.running(plan.running) }
    guard let root = try request.root.open(makes: true) else {
      throw SystemError(.notFound, call: "open", path: request.root.path)
    }
    let pass = PlacingPass(plan, request, root: root)
    do {
      try forEachOriginalPart { part, content in try pass.take(part, content, progress) }
    } catch {
      pass.abandon()
      throw error
    }
    pass.abandon()
  }
}

/// One reading of the archive that writes files as their parts come by.
private final class PlacingPass {
  /// So many files may be begun at once: the parts of one follow one another.
  private static let openCount = 16

  private let root: Directory
  private let walk: PlaceWalk
  private let request: PlacingRequest
  private var waiting: [OriginalFile.Key: PlannedFile] = [:]
  private var begun: [OriginalFile.Key: PlacedWriting] = [:]
  private var swept: Set<[[UInt8]]> = []

  init(_ plan: PlacePlan, _ request: PlacingRequest, root: consuming Directory) {
    self.root = root
    walk = PlaceWalk(followsLinks: request.followsLinks)
    self.request = request
    for planned in plan.files {
      switch planned.fate {
      case .place, .beside, .replace: waiting[planned.file.key] = planned
      case .present, .waits: break
      }
    }
  }

  func take(
    _ part: OriginalPart, _ content: Span<UInt8>, _ progress: (PlannedFile) throws -> Void
  ) throws {
    if let planned = waiting[part.key] {
      waiting[part.key] = nil
      guard begun.count < Self.openCount else { throw PlacingError.scattered }
      begun[part.key] = try begin(planned)
    }
    guard let writing = begun[part.key] else { return }
    let isWhole =
      if let merged = writing.planned.merged {
        try writing.write(merged.span, at: 0)
      } else {
        try writing.write(content, at: part.offset)
      }
    guard isWhole else { return }
    begun[part.key] = nil
    do {
      let name = writing.planned.names.last ?? []
      try writing.finish(
        keepingOldAs: PlacedName.name(name, ending: ".replaced-\(request.stamp)"), page: request.page)
    } catch let error as SystemError where error.isAlreadyThere {
      writing.abandon()
      throw PlacingError.obstacles([PlacingObstacle(path: writing.planned.path, kind: .differs)])
    } catch {
      writing.abandon()
      throw error
    }
    try progress(writing.planned)
  }

  private func begin(_ planned: PlannedFile) throws -> PlacedWriting {
    let folders = planned.names.dropLast()
    do {
      guard let folder = try walk.open(folders, in: root, makes: true) else {
        throw SystemError(.notFound, call: "openat", path: planned.path)
      }
      if swept.insert(Array(folders)).inserted {
        try PlacedWriting.removeAbandoned(in: folder, request.token)
      }
      return try PlacedWriting(planned, in: folder, request.token)
    } catch let blocked as PlaceWalk.Blocked {
      throw PlacingError.obstacles([blocked.obstacle])
    }
  }

  func abandon() {
    for writing in begun.values { writing.abandon() }
    begun = [:]
  }
}
