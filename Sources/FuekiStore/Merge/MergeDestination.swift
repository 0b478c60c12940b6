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
  public let vaultID: [UInt8]
  /// What the merge came to, as far as it has gone.
  public private(set) var report = MergeReport()

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
  /// - Throws: ``BackupError/wouldOverwrite(path:)`` where something else is in the directory,
  ///   ``BackupError/notReplaceable(path:obstacle:)``, ``StoreError``.
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
    let manifest = try archive.decodedManifest()?.manifest ?? Manifest()
    database = try MergeDatabase(in: copy, policy: policy, manifest: manifest)
    vaultID = try database.vaultID()
    let (context, restoresWallets) = (database.context, selection.contains(.wallets))
    try database.work { _ in
      try WalletMatching(context).run(archive, restoresWallets: restoresWallets)
    }
    keychain = try MergedKeychain(in: copy, context)
  }

  /// Whether there is a wallet that a restore could be merged with, or nothing at all.
  ///
  /// - Throws: what would stop the merge, as far as it can be seen at once: nothing is left behind, and nothing held.
  public static func isThere(_ dataDirectory: String) throws -> Bool {
    do {
      _ = try ScratchDirectory(becoming: dataDirectory)
      return false
    } catch BackupError.wouldOverwrite {
      _ = try PresentDirectory(holding: dataDirectory)
      return true
    }
  }

  /// The public sides of the key shares that are there.
  public func presentShares() throws -> [KeyShareDescriptor] {
    let stored: [KeyShareDescriptor] = try database.work {
      try RecordShelf(.keyShareDescriptors).fetch("ORDER BY key_share_descriptors.row_id", [], in: $0)
    }
    let held = keychain.presentShares
    return held + stored.filter { one in !held.contains { $0.id == one.id } }
  }

  /// Nothing: the copy was made before the archive's secrets were read.
  public func begin(_ manifest: Manifest, vaultID: [UInt8]) throws {}

  /// Merges a section's records into the copy, in one transaction.
  public func restore(_ records: SectionRecords) throws -> UInt64 {
    guard let table = StoreTable.of(records.section) else { return 0 }
    let merge = try database.begin(table)
    try records.forEachBlock(decode: { $0 }) { block in
      try database.work { _ in
        for message in block.messages { try merge.take(Array(block.bytes[message])) }
      }
    }
    try database.end(merge)
    report.counts[records.section] = merge.counts
    report.conflicts += merge.conflicts
    return merge.counts.all
  }

  /// Puts the copy in place, if no conflict stands in its way and it is not just what was there.
  ///
  /// - Throws: ``BackupError/conflicts(_:)``.
  public func finish() throws {
    report = keychain.joined(with: report)
    guard policy != .fail || report.conflicts.isEmpty else { throw BackupError.conflicts(report.conflicts) }
    defer { present = nil }
    guard !report.changesNothing else { return }
    try database.finish()
    try settleFiles(of: try Directory.open(try scratch.make()))
    let previous = try previousName()
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
