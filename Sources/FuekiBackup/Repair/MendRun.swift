internal import FuekiArchive
public import FuekiCrypto
internal import FuekiSystem

/// Repairs a damaged archive with the recovery files next to it.
///
/// It receives values, reports through ``MendEvent``, and returns a value. Anyone who can write to the folder can write
/// recovery files that make another archive. So the archive's name moves from the damaged file to the repaired one only
/// if the repaired one is the user's and is the archive that the damaged file identifies. The move is one step, and the
/// damaged file stays next to it. Any other result gets a name of its own.
public struct MendRun {
  /// The archive's file.
  public let path: String
  /// Ed25519 public keys, of which at least one must have signed it; nil requires none.
  public var trusted: Set<Ed25519.PublicKey>?
  /// May prove that the result is the user's if neither this machine nor a signer does; nil to try no secret.
  public var acceptance: SignerAcceptance?
  let trust: Trust
  let report: (MendEvent) throws -> Void

  /// - Parameters:
  ///   - path: the archive's file.
  ///   - trust: determines the user's archives, and knows each vault.
  ///   - report: receives each event. An error that it throws ends the run, and nothing is changed.
  public init(_ path: String, trust: Trust, report: @escaping (MendEvent) throws -> Void) {
    self.path = path
    self.trust = trust
    self.report = report
  }

  /// Repairs the archive, or finds that it is intact.
  ///
  /// - Parameter state: the lock that excludes this machine's other runs.
  /// - Returns: the outcome.
  /// - Throws: ``MendError``; ``LineageError/forked(sequence:known:)`` if the result is not the known archive;
  ///   `ArchiveError` if it is no archive, or its signature is not a required one; errors from reading and writing.
  ///   Nothing is changed then.
  public func run(state: LockedState) throws -> MendOutcome {
    guard Target(holding: path).kind != .rclone else { throw MendError.onRemote(path: path) }
    let before = try judge()
    if let error = before.error, !before.verdict.mayBeDamage { throw error }
    guard before.verdict.mayBeDamage else { return MendOutcome(path: path, digest: before.digest) }
    let identity = DamagedIdentity(of: path)
    let folder = try ParityFolder(in: state)
    let (name, needed) = try repair(in: folder)
    try report(.checking)
    let file = ArchiveFile(try folder.open().openFile(name))
    let (stored, intact) = try check(file)
    let isKnown = try isKnown(stored)
    let place = try place(file, stored, intact, identity, machine: try state.machineID())
    return MendOutcome(
      path: path, digest: intact.digest, place: place, blocks: needed, isOfKnownDigest: isKnown,
      authenticity: Authenticity(stored, trusting: trusted))
  }

  /// Chooses the result's name, and moves the result there.
  private func place(
    _ file: ArchiveFile, _ stored: StoredArchive, _ intact: IntactArchive, _ identity: DamagedIdentity,
    machine: String
  ) throws -> MendOutcome.Place {
    let neighbours = neighbours()
    let ownerships = try Ownerships(of: [stored] + neighbours, trust: trust)
    let witness = try trust.sealWitness(of: stored.facts.vaultID)
    var (own, match) = (ownerships.own(stored), identity.match(stored, witness))
    if own == nil || match != .same, let opened = try opened(stored, neighbours) {
      (own, match) = (own ?? opened, identity.match(stored, witness, opens: true))
    }
    if let own, match == .same {
      return .named(own, damaged: try replace(with: intact, of: own, machine: machine))
    }
    let ownership = own == nil ? ownerships[stored] : .mine
    guard ownership == .mine || match != .other else { throw MendError.otherArchive(path: path) }
    return .beside(path: try put(file, intact, stored, machine: machine), ownership)
  }

  /// The result with the proof of the secret that opens it; nil if no secret is given, or none proves anything.
  private func opened(_ stored: StoredArchive, _ neighbours: [StoredArchive]) throws -> OwnArchive? {
    guard let acceptance else { return nil }
    try report(.opening)
    let siblings = neighbours.filter { $0.facts.vaultID == stored.facts.vaultID }
      .sorted { $0.facts.sequence > $1.facts.sequence }
    return try OwnArchive(opening: stored, with: acceptance, siblings: siblings)
  }

  /// Returns the folder's archives: one of the user's may state this one as its predecessor.
  private func neighbours() -> [StoredArchive] {
    ((try? Target(holding: path).entries()) ?? []).compactMap(\.archive)
  }

  /// Steps 1 to 3 of what came of it.
  private func check(_ file: ArchiveFile) throws -> (StoredArchive, IntactArchive) {
    do {
      let stored = try StoredArchive(reading: file)
      let checked = try stored.verify(trusting: trusted) { _ in try report(.checking) }
      guard let intact = checked.intact, checked.damage.isEmpty else {
        throw MendError.otherArchive(path: path)
      }
      return (stored, intact)
    } catch let error as ArchiveError where error.verdict.mayBeDamage {
      throw MendError.otherArchive(path: path)
    }
  }

  private func judge() throws -> VerificationResult {
    var verification = Verification(trusted: trusted)
    verification.symbolicLinks = .refuse
    let result = try verification.run(on: path, known: trust.newest) { _ in try report(.verifying) }
    if case .unreadable(let error) = result.error, error.isNotFound {
      throw FindingError.noArchive(name: path)
    }
    return result
  }

  /// Copies the available files, and repairs the copy.
  ///
  /// - Returns: the name of the result in the folder, and the number of blocks that were needed.
  private func repair(in folder: ParityFolder) throws -> (name: String, blocks: Int) {
    let parts = PathParts(path)
    guard !Parity.files(besideArchive: path).isEmpty else { throw MendError.noParity(path: path) }
    let (archiveName, files) = Parity.usableSet(besideArchive: path)
    guard let first = files.first else { throw MendError.parityUnusable(path: path) }
    let here = try Directory.open(parts.folder)
    let work = try folder.open()
    let room = try ([parts.name] + files.map(\.name)).reduce(0) { try $0 + here.storedBytes(of: $1) }
    // A file system that cannot say how much is free is found out by writing.
    if let free = try? work.freeBytes(), free < room { throw SystemError.noSpace(path: work.path) }
    let size = try here.copyReadable(parts.name, into: work, as: archiveName) { try report(.copying) }
    for file in files {
      _ = try here.copyReadable(file.name, into: work, as: file.ownName) { try report(.copying) }
    }
    let par2 = try PAR2(in: folder, byteCount: max(size, files.reduce(0) { $0 + $1.byteCount }))
    let outcome = try par2.run("repair", on: [first.ownName]) { try report(.repairing(percent: $0)) }
    let needed = outcome.found.map { $0.all - $0.whole } ?? 0
    switch outcome.status {
    case 0: return (archiveName, needed)
    case 2: throw MendError.beyondParity(path: path, needed: needed, available: outcome.recovery ?? 0)
    case 1, 4, 5: throw MendError.parityUnusable(path: path)
    default: throw MendError.programFailed(said: outcome.output)
    }
  }

  /// Returns whether this very archive is the known one.
  private func isKnown(_ stored: StoredArchive) throws -> Bool {
    let link = try trust.newest(of: stored.facts.vaultID)
    do {
      try VaultLineage.judge(stored.facts, digest: stored.statedDigest, known: link)
    } catch LineageError.olderThanKnown {
      // An old archive, too, can be repaired. The known archive is another one.
      return false
    }
    return link?.sequence == stored.facts.sequence
  }

  /// Moves the archive's name to the repaired file.
  ///
  /// - Returns: the path of the damaged file.
  private func replace(with intact: IntactArchive, of own: OwnArchive, machine: String) throws -> String {
    guard own.archive.statedDigest == intact.digest else { throw MendError.otherArchive(path: path) }
    let parts = PathParts(path)
    let storage = FolderStorage(path: parts.folder)
    let mended = try copy(intact, into: storage, machine)
    let directory = try storage.open()
    let aside = try Self.setAside(parts.name, in: directory)
    _ = try mended.publish(as: parts.name, replacing: true)
    return "\(directory.path)/\(aside)"
  }

  /// Writes the repaired file next to the damaged one, under an unused name.
  ///
  /// - Returns: its path, or the path of an equal file from an earlier run.
  private func put(
    _ file: ArchiveFile, _ intact: IntactArchive, _ stored: StoredArchive, machine: String
  ) throws -> String {
    let storage = FolderStorage(path: PathParts(path).folder)
    let directory = try storage.open()
    var number = 1
    while true {
      let label = number == 1 ? Self.label : "\(Self.label)-\(number)"
      let name = ArchiveName.make(label: label, facts: stored.facts, digest: intact.digest)
      guard try directory.contains(name) else {
        return try copy(intact, into: storage, machine).publish(as: name)
      }
      if let there = try? directory.openFile(name),
        try file.hasSameBytes(as: ArchiveFile(there), progress: { _ in try report(.checking) })
      {
        return "\(directory.path)/\(name)"
      }
      number += 1
    }
  }

  /// The beginning of a result's name if it may not have the archive's.
  private static let label = "repaired"

  /// Copies the repaired file into the archive's folder, still unnamed, and reads it back.
  private func copy(
    _ intact: IntactArchive, into storage: FolderStorage, _ machine: String
  ) throws -> TemporaryArchive {
    try storage.removeLeftovers(of: machine)
    try storage.checkRoom(for: intact.source.byteCount)
    let mended = try TemporaryArchive(in: storage, machine: machine)
    try mended.copy(from: intact) { _ in try report(.checking) }
    _ = try mended.readBack(intact.digest) { _ in try report(.checking) }
    return mended
  }

  /// Renames the damaged file.
  private static func setAside(_ name: String, in directory: borrowing Directory) throws -> String {
    let time = ArchiveName.compactTime(UInt64(max(0, SystemClock.now) / 1_000_000))
    var aside = "\(name).damaged-\(time)"
    var number = 1
    while try directory.contains(aside) {
      number += 1
      aside = "\(name).damaged-\(time)-\(number)"
    }
    // Add a second name first, so that after an interruption the name leads to the damaged file or to the repaired one.
    let isLinked = (try? directory.link(name, as: aside)) != nil
    if !isLinked { try directory.rename(name, to: aside, replacing: false) }
    return aside
  }
}

extension Directory {
  /// The number of bytes of a file that take room on its disk.
  fileprivate borrowing func storedBytes(of name: String) throws -> UInt64 {
    let file = try openFile(name)
    let size = try file.size()
    return size - min(size, file.holeByteCount())
  }

  /// Copies the readable parts of a file into another folder, with zeros for unreadable ones, and holes for holes.
  ///
  /// - Returns: the file's length.
  fileprivate borrowing func copyReadable(
    _ name: String, into other: borrowing Directory, as newName: String, progress: () throws -> Void
  ) throws -> UInt64 {
    let source = try openFile(name)
    let copy = try other.createFile(newName)
    let size = try source.size()
    try copy.truncate(to: size)
    var position: UInt64 = 0
    while position < size, let data = source.firstData(from: position), data < size {
      position = max(position, data)
      try progress()
      let count = Int(min(1 << 20, size - position))
      if let bytes = try? source.readExactly(count, at: position) {
        try copy.pwriteAll(bytes, at: position)
      } else {
        for offset in stride(from: position, to: position + UInt64(count), by: 4096) {
          let part = Int(min(4096, size - offset))
          guard let bytes = try? source.readExactly(part, at: offset) else { continue }
          try copy.pwriteAll(bytes, at: offset)
        }
      }
      position += UInt64(count)
    }
    return size
  }
}
