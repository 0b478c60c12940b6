internal import FoundationEssentials
public import FuekiArchive
public import FuekiBackup
internal import FuekiSystem
public import FuekiWallet
internal import GRDB

/// A restore into a data directory with a wallet in it.
///
/// All work is on a copy next to it, `.<name>.restoring-<random>`. ``finish()`` swaps the two in one step,
/// store and keychain together, and keeps the previous one as `<name>.before-restore-<time>`. If nothing
/// changed, it leaves the original. Releasing this value earlier removes the copy.
public final class MergeDestination: Destination {
  /// The data directory's keychain, with the archive's secrets.
  public let keychain: MergedKeychain
  /// The vault of the existing wallet, which stays.
  public let vaultID: VaultID
  /// The result so far.
  public private(set) var report = MergeReport()

  /// Receives the name for the previous directory, before the two are swapped.
  public var willSwap: (_ previous: String) throws -> Void = { _ in }

  /// The exclusive lock, held until the work is done or abandoned.
  private var present: PresentDirectory?
  private let scratch: ScratchDirectory
  private let database: MergeDatabase
  private let policy: ConflictPolicy
  private let time: Int64

  /// Locks and copies the wallet, and finds the archive's wallets in it.
  ///
  /// - Parameters:
  ///   - dataDirectory: contains a wallet that no program has open.
  ///   - archive: the archive to restore.
  ///   - selection: the sections to restore.
  ///   - policy: the rule for existing records that differ.
  ///   - time: now, in microseconds since 1970, for the name of the previous directory.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` if the directory contains anything else,
  ///   ``PlaceError/notReplaceable(path:obstacle:)``, ``StoreError``.
  public init(
    dataDirectory: String, archive: any UnlockedArchive, selection: SectionSelection = .everything,
    onConflict policy: ConflictPolicy, time: Int64
  ) throws {
    self.policy = policy
    self.time = time
    let present = try PresentDirectory(holding: dataDirectory)
    self.present = present
    scratch = try ScratchDirectory(beside: dataDirectory)
    try scratch.tryExchange()
    let copy = try scratch.make()
    try present.copy(into: copy)
    database = try Self.open(copy, archive, selection, policy)
    vaultID = try database.vaultID()
    keychain = try Self.keychain(in: copy, database)
  }

  /// The staged state of an earlier run, in addition to its scratch database.
  public struct Staged: Sendable {
    /// The scratch directory.
    public var path: String
    /// The fingerprint of the wallet's files when they were copied.
    public var present: String
    /// The results for the secrets.
    public var secrets: MergeReport

    /// Creates a description of the staged state.
    public init(path: String, present: String, secrets: MergeReport) {
      self.path = path
      self.present = present
      self.secrets = secrets
    }
  }

  /// Resumes a stopped run; nil if the wallet changed since, or its staged data is missing or damaged.
  ///
  /// - Parameters:
  ///   - staged: the staged state.
  ///   - dataDirectory: as in the stopped run.
  ///   - archive: as in the stopped run, opened again.
  ///   - selection: as in the stopped run.
  ///   - policy: as in the stopped run.
  ///   - time: now, in microseconds since 1970.
  /// - Throws: as for a new merge.
  public init?(
    resuming staged: Staged, of dataDirectory: String, archive: any UnlockedArchive,
    selection: SectionSelection, onConflict policy: ConflictPolicy, time: Int64
  ) throws {
    self.policy = policy
    self.time = time
    let present = try PresentDirectory(holding: dataDirectory)
    guard try present.fingerprint() == staged.present,
      let scratch = try? ScratchDirectory(resuming: staged.path, of: dataDirectory, replaces: true)
    else { return nil }
    self.present = present
    self.scratch = scratch
    let copy = try scratch.make()
    // A finished load no longer knows which records were new.
    guard StoreLoader.isBegun(in: copy) else { return nil }
    do {
      database = try Self.open(copy, archive, selection, policy)
      guard try database.isSound() else { return nil }
      vaultID = try database.vaultID()
    } catch is StoreError {
      return nil
    }
    keychain = try Self.keychain(in: copy, database, staged: staged.secrets)
    report = try database.staged()
  }

  private static func keychain(
    in copy: String, _ database: MergeDatabase, staged: MergeReport? = nil
  ) throws -> MergedKeychain {
    try MergedKeychain(in: copy, database.context, staged: staged) { share, name in
      try database.work { _ in try database.context.names.note(share: share, is: name) }
    }
  }

  private static func open(
    _ copy: String, _ archive: any UnlockedArchive, _ selection: SectionSelection, _ policy: ConflictPolicy
  ) throws -> MergeDatabase {
    let manifest = try archive.decodedManifest()?.manifest ?? Manifest()
    let database = try MergeDatabase(in: copy, policy: policy, manifest: manifest)
    let (context, restoresWallets) = (database.context, selection.contains(.wallets))
    try database.work { _ in
      try WalletMatching(context).run(archive, restoresWallets: restoresWallets)
    }
    return database
  }

  /// Returns the copy's path and inode, and the fingerprint of the wallet's files, empty once unlocked.
  public func scratchState() throws -> (path: String, inode: UInt64, present: String) {
    (try scratch.make(), try scratch.inode(), try present?.fingerprint() ?? "")
  }

  /// Leaves the staged data for a run that resumes.
  public func leave() { scratch.leave() }

  /// The results of an earlier run.
  public var staged: [Section: UInt64] { report.counts.mapValues(\.all) }

  /// Whether there is a wallet to merge with; false if there is nothing.
  ///
  /// - Throws: obstacles to the merge that are visible immediately. Leaves nothing behind and holds no lock.
  public static func isThere(_ dataDirectory: String) throws -> Bool {
    do {
      _ = try ScratchDirectory(becoming: dataDirectory)
      return false
    } catch PlaceError.wouldOverwrite {
      _ = try PresentDirectory(holding: dataDirectory)
      return true
    }
  }

  /// Returns the public parts of the existing key shares.
  public func presentShares() throws -> [KeyShareDescriptor] {
    let stored: [KeyShareDescriptor] = try database.work {
      try RecordShelf().fetch("ORDER BY key_share_descriptors.row_id", [], in: $0)
    }
    let held = keychain.presentShares
    return held + stored.filter { one in !held.contains { $0.id == one.id } }
  }

  /// Does nothing: the copy was made before the archive's secrets were read.
  public func begin(_ manifest: Manifest, vaultID: VaultID) throws {}

  /// Merges a section's records into the copy, in one transaction.
  public func restore(_ records: SectionRecords) throws -> UInt64 {
    guard let table = StoreTable.of(records.section) else { return 0 }
    let merge = try database.begin(table)
    try records.forEachBlock(decode: { $0 }) { block in
      try database.work { _ in
        for message in block.messages { try merge.take(Array(block.bytes[message])) }
      }
    }
    try database.end(merge, of: records.section)
    report.take(merge, of: records.section)
    return merge.counts.all
  }

  /// Puts the copy in place, unless a conflict prevents it or nothing changed.
  ///
  /// - Throws: ``RestoreError/conflicts(_:)``.
  public func finish() throws {
    report = keychain.joined(with: report)
    guard policy != .fail || report.conflicts.isEmpty else { throw RestoreError.conflicts(report.conflicts) }
    defer { present = nil }
    guard !report.changesNothing else { return }
    try database.finish()
    try settleFiles(of: try Directory.open(try scratch.make()))
    let previous = try previousName()
    try willSwap(previous.path)
    try scratch.exchange(keepingAs: previous.name)
    report.previous = previous.path
  }

  /// Syncs every file to the device, including the copies.
  private func settleFiles(of folder: borrowing Directory) throws {
    for entry in try folder.list() {
      switch entry.kind {
      case .file: try folder.openFileForWriting(entry.name).sync()
      case .directory:
        let below = try folder.openDirectory(entry.name)
        try settleFiles(of: below)
        try below.sync()
      case .symbolicLink, .other: break
      }
    }
  }

  private func previousName() throws -> (name: String, path: String) {
    let (parent, name) = try DataDirectory.split(scratch.destination)
    let folder = try Directory.open(parent)
    let base = PreviousDirectory.name(of: name, at: time)
    var chosen = base
    var number = 2
    while try folder.contains(chosen) {
      chosen = "\(base)-\(number)"
      number += 1
    }
    return (chosen, parent == "/" ? "/\(chosen)" : "\(parent)/\(chosen)")
  }
}
