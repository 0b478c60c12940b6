internal import FuekiArchive
internal import FuekiSystem

/// An archive every byte of which was verified, on its way into the targets.
struct Distribution {
  /// The file that the archive was made in; nil if the archive is copied from a target.
  private let made: TemporaryArchive?
  private let original: String
  let intact: IntactArchive
  let machine: String
  /// The archive's future name.
  let name: String
  /// The recovery files that accompany it.
  let parity: MadeParity?

  /// Where it is by now.
  private(set) var paths: [String] = []
  private(set) var failures: [TargetFailure] = []
  private(set) var warnings: [TargetWarning] = []
  /// Where it is, and its recovery files are not.
  private(set) var parityFailures: [TargetFailure] = []

  /// Begins with an archive that was made in the first target, or in this machine's state.
  init(made: TemporaryArchive, intact: IntactArchive, machine: String, name: String, parity: MadeParity?) {
    self.init(made, path: made.path, intact: intact, machine: machine, name: name, parity: parity)
  }

  /// Begins with an archive that another target has.
  init(copyOf intact: IntactArchive, at path: String, machine: String, name: String, parity: MadeParity?) {
    self.init(nil, path: path, intact: intact, machine: machine, name: name, parity: parity)
  }

  private init(
    _ made: TemporaryArchive?, path: String, intact: IntactArchive, machine: String, name: String,
    parity: MadeParity?
  ) {
    self.made = made
    original = path
    self.intact = intact
    self.machine = machine
    self.name = name
    self.parity = parity
  }

  /// Copies the archive into all folders, and only then names the copies.
  ///
  /// The archive was made in the first of the targets, if that is a folder.
  mutating func putIntoFolders(_ targets: [Target], _ progress: (BackupProgress) throws -> Void) throws {
    var deliveries: [(Target, any Delivery)] = []
    for (index, target) in targets.enumerated() where target.kind != .rclone {
      try attempt(target) { putting in
        let isMadeHere = index == 0 && !target.isAppendOnly
        let delivery: any Delivery =
          try (isMadeHere ? putting.made : nil) ?? putting.deliver(to: target, progress)
        deliveries.append((target, delivery))
      }
    }
    for (target, delivery) in deliveries { try attempt(target) { try $0.publish(delivery, in: target) } }
  }

  /// Brings the archive to one remote after another.
  mutating func putOnRemotes(_ targets: [Target], _ progress: (BackupProgress) throws -> Void) throws {
    for target in targets where target.kind == .rclone {
      try attempt(target) { try $0.publish($0.deliver(to: target, progress), in: target) }
    }
  }

  /// The archive's file, on this machine if a remote gets the archive.
  ///
  /// In a folder the file that was made has its name by the time remotes get theirs.
  private var path: String { made?.path ?? original }

  /// Continues with the next target if one fails, unless the user ends the run.
  private mutating func attempt(_ target: Target, _ body: (inout Distribution) throws -> Void) throws {
    if let failure = try TargetFailure.of(target, { try body(&self) }) { failures.append(failure) }
  }

  /// The recovery files, if they are in any target.
  var deliveredParity: [ParityFile] { parityFailures.count < paths.count ? parity?.files ?? [] : [] }

  private func deliver(
    to target: Target, _ progress: (BackupProgress) throws -> Void
  ) throws -> any Delivery {
    try progress(.publishing(target: target.path))
    let storage = try target.storage
    try storage.checkRoom(for: intact.source.byteCount)
    return try storage.deliver(intact, from: path, machine: machine) { bytes in
      let all = intact.source.byteCount
      try progress(bytes > 0 ? .readingBack(bytes: bytes, of: all) : .publishing(target: target.path))
    }
  }

  private mutating func publish(_ delivery: any Delivery, in target: Target) throws {
    paths.append(try delivery.publish(as: name))
    warnings += delivery.warnings
    guard let parity else { return }
    do {
      try target.storage.put(parity, machine: machine)
    } catch {
      // The archive is there, and good without them.
      guard !Interruption.wasRequested else { throw Interrupted() }
      parityFailures.append(TargetFailure(target, error))
    }
  }
}
