internal import FoundationEssentials
public import FuekiArchive
public import FuekiBackup
internal import FuekiSystem
public import FuekiWallet
internal import GRDB

/// A restore into a data directory with a wallet in it.
///
/// Everything is done to a copy beside it, `.<name>.restoring-<random>`; ``finish()`` swaps the two in one step, store
/// and keychain together, and keeps the one that was there as `<name>.before-restore-<time>`. Where nothing has changed
/// it stays as it is. Dropped before, this removes the copy.
public final class MergeDestination: Destination {
  /// The data directory's keychain, with the archive's secrets.
  public let keychain: MergedKeychain
  /// The vault of the wallet that is there; it stays.
  public let vaultID: VaultID
  /// What the merge came to, as far as it has gone.
  public private(set) var report = MergeReport()

  /// Is told the name under which what was there will be kept, before the two are swapped.
  public var willSwap: (_ previous: String) throws -> Void = { _ in }

  /// Held until the work is done, or given up.
  private var present: PresentDirectory?
  private let scratch: ScratchDirectory
  private let database: MergeDatabase
  private let policy: ConflictPolicy
  private let time: Int64

  /// Takes the wallet for this process alone, copies it, and finds which of the archive's wallets it has.
  ///
  /// - Parameters:
  ///   - dataDirectory: with a wallet in it that no program has open.
  ///   - archive: what is restored.
  ///   - selection: the sections that are.
  ///   - policy: what becomes of records that are there and differ.
  ///   - time: now, in microseconds since 1970, for the name of what was there before.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` where something else is in the directory,
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

  /// What an earlier run has staged, besides what its scratch directory's database says.
  public struct Staged: Sendable {
    /// The scratch directory.
    public var path: String
    /// What the wallet's files were when they were copied.
    public var present: String
    /// What became of the secrets.
    public var secrets: MergeReport

    /// Describes what is staged.
    public init(path: String, present: String, secrets: MergeReport) {
      self.path = path
      self.present = present
      self.secrets = secrets
    }
  }

  /// Goes on with what a run that was stopped has staged; nil where the wallet has changed since, or where what is
  /// staged has gone or is damaged.
  ///
  /// - Parameters:
  ///   - staged: what it has staged.
  ///   - dataDirectory: the same as then.
  ///   - archive: the same as then, opened again.
  ///   - selection: the same as then.
  ///   - policy: the same as then.
  ///   - time: now, in microseconds since 1970.
  /// - Throws: as for a new one.
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
    // Of one that has come to its end it is not known any more what was new.
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

  /// Where the copy is, the number that its directory keeps, and what the wallet's files were; nothing once it is let go.
  public func scratchState() throws -> (path: String, inode: UInt64, present: String) {
    (try scratch.make(), try scratch.inode(), try present?.fingerprint() ?? "")
  }

  /// Leaves what is staged to a run that goes on with it.
  public func leave() { scratch.leave() }

  /// What an earlier run has staged.
  public var staged: [Section: UInt64] { report.counts.mapValues(\.all) }

  /// Whether there is a wallet that a restore could be merged with, or nothing at all.
  ///
  /// - Throws: what would stop the merge, as far as it can be seen at once: nothing is left behind, and nothing held.
  public static func isThere(_ dataDirectory: String) throws -> Bool {
    do {
      _ = try ScratchDirectory(becoming: dataDirectory)
      return false
    } catch PlaceError.wouldOverwrite {
      _ = try PresentDirectory(holding: dataDirectory)
      return true
    }
  }

  /// The public sides of the key shares that are there.
  public func presentShares() throws -> [KeyShareDescriptor] {
    let stored: [KeyShareDescriptor] = try database.work {
      try RecordShelf().fetch("ORDER BY key_share_descriptors.row_id", [], in: $0)
    }
    let held = keychain.presentShares
    return held + stored.filter { one in !held.contains { $0.id == one.id } }
  }

  /// Nothing: the copy was made before the archive's secrets were read.
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

  /// Puts the copy in place, if no conflict stands in its way and it is not just what was there.
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

  /// Waits until every file is on the device: the copies, too, were only in memory.
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
