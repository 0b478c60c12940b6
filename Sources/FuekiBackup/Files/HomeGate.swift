internal import FuekiSystem

/// Decides which files may be restored to a home directory.
///
/// An archive can come from the thief of a signing key, and many files in a home are executed or obeyed. Known places
/// of this kind are closed to every file. Other program directories accept wallets only.
struct HomeGate {
  private let answers: @Sendable ([[UInt8]], PlacedContent) -> HomeAnswer
  private let isNamed: Bool
  private let home = StartupPlaces.home

  init(_ request: PlacingRequest) {
    answers = request.homeAnswers
    isNamed = if case .folder = request.root { true } else { false }
  }

  /// The gate of files that go to their old places.
  init(homeAnswers: @escaping @Sendable ([[UInt8]], PlacedContent) -> HomeAnswer) {
    (answers, isNamed) = (homeAnswers, false)
  }

  /// A gate's decision about a file.
  enum Decision: Equatable {
    /// It goes, under conditions if there are any.
    case goes(HomeClaim?)
    /// It does not.
    case waits(WaitReason)
  }

  /// Whether a file may go to a place.
  ///
  /// - Parameters:
  ///   - names: the folders' names and the file's, below a folder.
  ///   - folder: from the root, without links.
  ///   - content: the kind of the file's content.
  /// - Returns: the decision, with folders counted below the folder.
  func decision(
    on names: [[UInt8]], below folder: String, of content: PlacedContent
  ) -> Decision {
    guard !StartupPlaces.isBelowHome(folder, names) else { return .waits(.startup) }
    guard let home, let place = StartupPlaces.below(home, StartupPlaces.path(folder, names)) else {
      return .goes(nil)
    }
    // In a folder of the user's choice, which no program reads, files are only kept.
    let named = place.dropLast(names.count)
    if isNamed, !named.isEmpty, named.allSatisfy({ $0.first != UInt8(ascii: ".") }) { return .goes(nil) }
    return switch answers(place, content) {
    case .open: .goes(nil)
    case .newFolder: .goes(HomeClaim(folder: names.count - 1, isOwn: false))
    case .own(let count): .goes(HomeClaim(folder: max(0, count - named.count), isOwn: true))
    case .closed: .waits(.notWallets)
    }
  }
}

/// The conditions under which a file goes into a home directory.
struct HomeClaim: Equatable, Sendable {
  /// How many of the place's first names lead to the folder that must be new.
  let folder: Int
  /// Whether it is no wallet's file, so that the archive must be proved and the user must agree.
  let isOwn: Bool
  /// Whether the run itself must make the folder, because nothing was there when the plan was made.
  var isFresh = false
}

/// Settles which files that are no wallet's may go to their places in a home.
struct HomeClaims {
  let request: PlacingRequest
  /// As ``PlacePlan/unprotectedDevice``.
  let unprotectedDevice: UInt64?
  private let home = StartupPlaces.home

  init(_ request: PlacingRequest, unprotectedDevice: UInt64?) {
    (self.request, self.unprotectedDevice) = (request, unprotectedDevice)
  }

  /// Leaves files in the archive whose conditions are not met, and records the folders that the plan will make.
  ///
  /// Files that are in place already are not affected.
  func settle(_ plan: inout PlacePlan, in root: borrowing Directory) throws {
    var known: [[[UInt8]]: Bool] = [:]
    for index in plan.files.indices where plan.files[index].isWritten {
      let names = plan.files[index].names
      if var claim = plan.files[index].claim {
        do {
          let folder = Array(names.prefix(claim.folder))
          let isThere = try isThere(folder, in: root, followsLinks: !claim.isOwn, &known)
          claim.isFresh = !isThere
          plan.files[index].claim = claim
          if isThere, !isOpen(folder, names, root.path) {
            plan.files[index].fate = .waits(.folderExists)
          } else if claim.isOwn {
            settleOwn(&plan.files[index])
          }
        } catch let blocked as PlaceWalk.Blocked {
          plan.files[index].wait(for: blocked.obstacle)
        }
      }
      if plan.files[index].isWritten { try note(names, &plan, in: root, &known) }
    }
  }

  private func settleOwn(_ planned: inout PlannedFile) {
    guard request.own.isProved else { return planned.fate = .waits(.notProved) }
    if !request.own.isAccepted { planned.fate = .waits(.ownFiles) }
  }

  /// Whether an existing folder may get the file: an earlier run made it, or it is this machine's own source.
  private func isOpen(_ folder: [[UInt8]], _ names: [[UInt8]], _ root: String) -> Bool {
    request.own.made.contains(StartupPlaces.path(root, folder))
      || request.own.isInSource(StartupPlaces.path(root, names), home: home)
  }

  /// Records the folders on the way to a file that are not there yet.
  ///
  /// Hidden folders belong to programs: whether one is new opens it to nothing.
  private func note(
    _ names: [[UInt8]], _ plan: inout PlacePlan, in root: borrowing Directory,
    _ known: inout [[[UInt8]]: Bool]
  ) throws {
    guard !names.contains(where: { $0.first == UInt8(ascii: ".") }) else { return }
    for count in stride(from: names.count - 1, to: 0, by: -1) {
      let folder = Array(names.prefix(count))
      let isThere = (try? isThere(folder, in: root, followsLinks: true, &known)) ?? true
      guard !isThere else { return }
      plan.newFolders.insert(StartupPlaces.path(root.path, folder))
    }
  }

  private func isThere(
    _ folder: [[UInt8]], in root: borrowing Directory, followsLinks: Bool, _ known: inout [[[UInt8]]: Bool]
  ) throws -> Bool {
    guard !folder.isEmpty else { return true }
    // A folder behind a link is there for some files, and refused to others.
    if followsLinks, let answer = known[folder] { return answer }
    let walk = PlaceWalk(
      followsLinks: followsLinks && request.followsLinks, unprotectedDevice: unprotectedDevice)
    let answer = try walk.open(folder[...], in: root, makes: false) != nil
    if followsLinks { known[folder] = answer }
    return answer
  }
}

/// Original files of a bundle that `put-back` would leave in the archive on a machine like this one, or asks about.
public struct UnplacedFiles: Sendable, Equatable {
  /// Why.
  public let reason: WaitReason
  /// Their places, or their paths below a source, as text, in order.
  public let places: [String]
}

extension BackupBundle {
  /// The files that cannot go back into a home directory, by the reason.
  ///
  /// They are known once the bundle is written.
  ///
  /// - Parameters:
  ///   - home: the home directory.
  ///   - homeAnswers: whether a file may go to a place below it, by the names of the folders and of the file. The
  ///     contents are not read.
  /// - Returns: an element for each reason.
  public func unplacedFiles(
    home: String,
    homeAnswers: @escaping @Sendable (_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer
  ) -> [UnplacedFiles] {
    let gate = HomeGate(homeAnswers: homeAnswers)
    let folder = PlaceRoot.home(home).resolvedPath
    var places: [WaitReason: [[UInt8]]] = [:]
    for (place, path) in holdingCount.filePlaces {
      let reason: WaitReason? =
        switch PlaceRoot.homeDestination(place) {
        case .waits(let reason): reason
        case .at(let names): gate.decision(on: names, below: folder, of: .unread).reasonOnANewMachine
        }
      if let reason { places[reason, default: []].append(place ?? path) }
    }
    return WaitReason.allCases.compactMap { reason in
      places[reason].map {
        UnplacedFiles(
          reason: reason, places: $0.sorted { $0.lexicographicallyPrecedes($1) }.map(PathText.text))
      }
    }
  }
}

extension HomeGate.Decision {
  /// The reason for which a file stays in the archive on a machine that has the home and nothing in it.
  fileprivate var reasonOnANewMachine: WaitReason? {
    switch self {
    case .waits(let reason): reason
    case .goes(nil): nil
    case .goes(let claim?) where claim.folder == 0: .folderExists
    case .goes(let claim?): claim.isOwn ? .ownFiles : nil
    }
  }
}
