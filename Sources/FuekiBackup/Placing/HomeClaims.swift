internal import FuekiSystem

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
