internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// Finds the archive's wallets that exist under another id, and those to be added under a new one.
///
/// This precedes all other merging, because nearly everything belongs to a wallet.
struct WalletMatching {
  private let context: MergeContext
  private let standing: PresentRecords<Wallet>

  init(_ context: MergeContext) {
    self.context = context
    standing = PresentRecords(
      context.table(.wallets), unknownColumns: context.unknownColumns, in: context.database)
  }

  /// Records the local names of the archive's wallets.
  ///
  /// - Parameters:
  ///   - archive: its wallets are read even if they are not restored.
  ///   - restoresWallets: whether they are restored.
  /// - Throws: ``RecordsError/malformedRecord(section:)``, ``StoreError``.
  func run(_ archive: any UnlockedArchive, restoresWallets: Bool) throws {
    try run(try wallets(of: archive), restoresWallets: restoresWallets)
  }

  /// Records the local names of wallets from elsewhere.
  func run(_ wallets: [Wallet], restoresWallets: Bool = true) throws {
    var names: [Data: Data] = [:]
    var claimed: Set<Int64> = []
    for wallet in wallets where !wallet.id.isEmpty {
      for row in try standing.withID(wallet.id) {
        names[wallet.id] = wallet.id
        claimed.insert(row.row)
      }
    }
    for wallet in wallets where !wallet.id.isEmpty && names[wallet.id] == nil {
      let free = try standing.counterparts(of: wallet).first { !claimed.contains($0.row) }
      guard let free else { continue }
      let id = try standing.record(free).id
      guard !id.isEmpty else { continue }
      claimed.insert(free.row)
      names[wallet.id] = id
      context.names.note(wallet: wallet.id, is: .init(id: id), keyOwner: id)
    }
    guard context.policy == .rename, restoresWallets else { return }
    for wallet in wallets { try rename(wallet, names[wallet.id]) }
  }

  /// Assigns a new id to a wallet that differs from an existing one.
  private func rename(_ wallet: Wallet, _ id: Data?) throws {
    guard let id, let other = try standing.withID(id).first else { return }
    let there = try standing.record(other)
    var same = wallet
    same.id = id
    guard same != there else { return }
    let encoded: [UInt8] = try same.serializedBytes()
    let renamed = MergedNames.derived(from: wallet.id, under: Data(SHA256.hash(encoded.span).bytes))
    context.renamedFields[renamed] = try RecordFields.differing(
      encoded.span, other.message.span, in: .wallets)
    // Two descriptions of one address share their keys. A wallet with another address has its own.
    let keyOwner = wallet.naturalKey == there.naturalKey ? id : renamed
    context.names.note(wallet: wallet.id, is: .init(id: renamed, isRenamed: true), keyOwner: keyOwner)
  }

  private func wallets(of archive: any UnlockedArchive) throws -> [Wallet] {
    var wallets: [Wallet] = []
    let lift = try archive.recordLift()
    _ = try archive.readRecords(of: Section.wallets.rawValue) { block in
      try (lift?.apply(to: block, of: .wallets) ?? block).decoded(as: Wallet.self)
    } body: {
      wallets += $0
    }
    return wallets
  }
}
