public import FuekiArchive
public import FuekiSystem
public import FuekiWallet

extension UnlockedArchive {
  /// Puts files back into their places, each whole, durable and read back, or not at all.
  ///
  /// A run that was stopped is continued by doing the same again: what is there already is left as it is.
  ///
  /// - Parameters:
  ///   - plan: the result of ``placePlan(_:of:)``; a file with something in its way waits, and the others do not.
  ///   - request: as the plan was made with.
  ///   - progress: receives each file that is in its place now; an error that it throws ends the work.
  /// - Returns: the plan with what became of each file.
  /// - Throws: ``PlacingError``; what reading and the system throw.
  @discardableResult
  public func place(
    _ plan: PlacePlan, _ request: PlacingRequest, progress: (PlannedFile) throws -> Void = { _ in }
  ) throws -> PlacePlan {
    guard let root = try request.root.open(makes: true, request, accepted: plan.unprotectedDevice) else {
      throw SystemError(.notFound, call: "open", path: request.root.path)
    }
    let pass = try PlacingPass(plan, request, root: root)
    do {
      try forEachOriginalPart { part, content in try pass.take(part, content, progress) }
    } catch {
      pass.abandon()
      throw error
    }
    pass.abandon()
    return pass.plan
  }
}

/// One reading of the archive that writes files as their parts come by.
private final class PlacingPass {
  /// So many files may be begun at once: the parts of one follow one another.
  private static let openCount = 16
  /// The files of a set of at most so many get their names together, once all are whole.
  private static let setCount = 64

  private let root: Directory
  private let request: PlacingRequest
  private(set) var plan: PlacePlan
  private var waiting: [OriginalFile.Key: Int] = [:]
  private var begun: [OriginalFile.Key: PlacedWriting] = [:]
  private var swept: Set<[[UInt8]]> = []
  /// The files that this run has put in their places.
  private var placed: [FileStatus] = []
  /// Their names, as a file system that ignores the case of letters compares them.
  private var placedNames: Set<[String]> = []
  /// The folders that this run has made.
  private var made: Set<PlaceWalk.Identity> = []
  private let sets: FileSets
  /// The set of each file that has one, by the files' places in the plan.
  private var set: [Int: [Int]] = [:]
  /// Files that are whole and wait for the others of their sets.
  private var whole: [Int: PlacedWriting] = [:]

  init(_ plan: PlacePlan, _ request: PlacingRequest, root: borrowing CheckedRoot) throws {
    self.root = try root.folder.duplicate()
    self.request = request
    self.plan = plan
    self.plan.unprotectedDevice = root.unprotectedDevice
    sets = FileSets(plan.files)
    for index in plan.files.indices where plan.files[index].isWritten {
      waiting[plan.files[index].file.key] = index
    }
    for all in sets.sets {
      let written = all.filter { plan.files[$0].isWritten }
      guard 2...Self.setCount ~= written.count else { continue }
      for index in written { set[index] = written }
    }
  }

  func take(
    _ part: OriginalPart, _ content: Span<UInt8>, _ progress: (PlannedFile) throws -> Void
  ) throws {
    if let index = waiting[part.key], plan.files[index].isWritten, begun[part.key] == nil, whole[index] == nil
    {
      guard begun.count < Self.openCount else { throw PlacingError.scattered }
      do {
        begun[part.key] = try begin(index)
      } catch let blocked as PlaceWalk.Blocked {
        stop(index, blocked.obstacle)
      } catch let error as SystemError where error.isNoSpace {
        stopForRoom(index)
      }
    }
    guard let writing = begun[part.key], let index = waiting[part.key] else { return }
    do {
      let isWhole =
        if let merged = writing.planned.merged {
          try writing.write(merged.span, at: 0)
        } else {
          try writing.write(content, at: part.offset)
        }
      guard isWhole else { return }
      try writing.prepare()
    } catch let error as SystemError where error.isNoSpace {
      // A smaller file may still have room.
      begun[part.key] = nil
      writing.abandon()
      return stopForRoom(index)
    }
    begun[part.key] = nil
    waiting[part.key] = nil
    whole[index] = writing
    let all = set[index] ?? [index]
    guard all.allSatisfy({ whole[$0] != nil }) else { return }
    // A database comes last: without it, nothing looks at its logs.
    try publish(all.filter { !sets.isDatabase($0) } + all.filter(sets.isDatabase), progress)
  }

  private func begin(_ index: Int) throws -> PlacedWriting {
    let planned = plan.files[index]
    let name = planned.names.last ?? []
    // A link of the user's own can lead to a program's folder.
    let walk = PlaceWalk(
      followsLinks: request.followsLinks && planned.claim?.isOwn != true,
      unprotectedDevice: plan.unprotectedDevice)
    guard let opened = try walk.open(planned.names.dropLast(), in: root, makes: true) else {
      throw SystemError(.notFound, call: "openat", path: planned.path)
    }
    made.formUnion(opened.made)
    if let claim = planned.claim, claim.isFresh,
      !(opened.folders.prefix(claim.folder).last.map(made.contains) ?? false)
    {
      throw PlaceWalk.Blocked(obstacle: PlacingObstacle(path: opened.folder.path, kind: .folderExists))
    }
    plan.files[index].go(to: opened.names + [name], below: root.path)
    do {
      if swept.insert(opened.names).inserted {
        try PlacedWriting.removeAbandoned(in: opened.folder, request.token)
      }
      return try PlacedWriting(plan.files[index], in: opened.folder.duplicate(), request)
    } catch let error as SystemError where error.isNotPermitted || error.isReadOnly {
      throw PlaceWalk.Blocked(obstacle: PlacingObstacle(path: opened.folder.path, kind: .notWritable))
    }
  }

  /// Names all of the files, or none.
  private func publish(_ indices: [Int], _ progress: (PlannedFile) throws -> Void) throws {
    var done: [PlacedWriting] = []
    for index in indices {
      guard let writing = whole[index] else { continue }
      do {
        let name = try writing.publish(
          isOwn: { isOwn($0, plan.files[index].names.dropLast() + [$1]) }, page: request.page)
        plan.files[index].go(to: plan.files[index].names.dropLast() + [name], below: root.path)
        done.append(writing)
        placed.append(try writing.status())
        placedNames.insert(plan.files[index].names.map(PlacedName.folded))
        whole[index] = nil
      } catch let blocked as PlaceWalk.Blocked {
        try takeBack(done)
        return stop(index, blocked.obstacle)
      } catch let error as SystemError where error.isAlreadyThere {
        try takeBack(done)
        return stop(index, PlacingObstacle(path: plan.files[index].path, kind: .differs))
      } catch let error as SystemError where error.isNoSpace {
        try takeBack(done)
        return stopForRoom(index)
      }
    }
    for index in indices { try progress(plan.files[index]) }
  }

  /// Whether this run has put a file in its place.
  ///
  /// A file system without permissions may number one file differently under each name that it takes for the same.
  private func isOwn(_ there: FileStatus, _ names: [[UInt8]]) -> Bool {
    placed.contains { $0.isSameFile(as: there) }
      || plan.isUnprotected && placedNames.contains(names.map(PlacedName.folded))
  }

  private func takeBack(_ writings: [PlacedWriting]) throws {
    for writing in writings.reversed() { try writing.takeBack() }
  }

  private func stopForRoom(_ index: Int) {
    stop(index, PlacingObstacle(path: plan.files[index].path, kind: .noRoom))
  }

  /// Leaves a file in the archive, and with it those of its set.
  private func stop(_ index: Int, _ obstacle: PlacingObstacle) {
    for other in set[index] ?? [] where other != index {
      whole[other]?.abandon()
      whole[other] = nil
      let key = plan.files[other].file.key
      begun[key]?.abandon()
      begun[key] = nil
      plan.files[other].fate = .waits(.together)
    }
    whole[index]?.abandon()
    whole[index] = nil
    plan.files[index].wait(for: obstacle)
  }

  func abandon() {
    for writing in begun.values { writing.abandon() }
    // The rest of their set did not arrive.
    for (index, writing) in whole {
      writing.abandon()
      plan.files[index].fate = .waits(.together)
    }
    (begun, whole) = ([:], [:])
  }
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
  /// The answer about a folder whose file system keeps no permissions.
  public var unprotected = UnprotectedAnswer.refuse
  /// Whether nothing is written, not even to try out the file system.
  public var isPreview = false
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
  public var homeAnswers: @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer

  /// What is known about files that are no wallet's.
  public var own = OwnFiles()

  /// Returns why a file does harm where its program finds it; nil if it does none.
  public var holds: @Sendable (_ file: OriginalFile) -> HoldReason?

  /// Lists the paths that other programs have open; in a sandbox, another process does.
  public var openPaths: @Sendable () throws -> OpenPaths = { OpenPaths() }

  /// Returns the page to write next to a file whose name its program does not look for.
  public var page: @Sendable (_ reason: HoldReason, _ name: String) -> String

  /// Files back below a folder, never over another one.
  public init(
    root: PlaceRoot, isMine: Bool, stamp: String,
    homeAnswers: @escaping @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer,
    holds: @escaping @Sendable (_ file: OriginalFile) -> HoldReason?,
    page: @escaping @Sendable (_ reason: HoldReason, _ name: String) -> String
  ) {
    (self.root, self.isMine, self.stamp, self.page) = (root, isMine, stamp, page)
    (self.homeAnswers, self.holds) = (homeAnswers, holds)
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

/// The handling of an existing file that differs.
public enum PlacingPolicy: String, Sendable, CaseIterable {
  /// The archive's stays in the archive.
  case fail
  /// Writes the archive's file next to it, as `NAME.restored-DATE`.
  case rename
  /// Writes the archive's file in its place, and keeps the other next to it, as `NAME.replaced-DATE`.
  case replace
}

/// Why no file was put into its place.
public enum PlacingError: Error, Equatable, Sendable {
  /// The folder is another user's.
  case othersFolder(path: String)
  /// Other users can write to the folder.
  case sharedFolder(path: String)
  /// The folder's file system keeps no owner and no permissions, which the user does not accept.
  case unprotectedFolder(path: String)
  /// The archive is not the user's, and the folder is not empty.
  case notEmpty(path: String)
  /// The file read back differs from the written one.
  case readBackDiffers(path: String)
  /// The parts of files are interleaved in an order that this program never writes.
  case scattered
}
