internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// Resolves conflicts between a record and a different existing one.
struct ConflictRules<Record: SectionRecord> {
  enum Outcome {
    /// The existing record stays.
    case keep(RestoreConflict.Resolution)
    /// This record replaces it.
    case put(Record, RestoreConflict.Resolution)
    /// This record is added in addition to the existing one.
    case addBeside(Record)
  }

  let policy: ConflictPolicy
  let standing: PresentRecords<Record>

  func outcome(_ record: Record, _ encoded: [UInt8], _ other: PresentRecord) throws -> Outcome {
    switch policy {
    case .fail: .keep(.none)
    case .skip: .keep(.kept)
    case .replace: .put(record, .replaced)
    case .rename: renamed(record, encoded).map(Outcome.addBeside) ?? .keep(.kept)
    case .newer: try newer(record, try standing.record(other))
    }
  }

  /// Keeps the record changed last.
  ///
  /// A wallet's sync progress is resolved separately: there the more advanced state counts.
  private func newer(_ record: Record, _ other: Record) throws -> Outcome {
    let isLater = record.isLater(than: other)
    if let wallet = record as? Wallet, let there = other as? Wallet {
      let base = isLater ? wallet : there
      guard let advanced = base.takingSyncState(of: isLater ? there : wallet) as? Record else {
        return .keep(.kept)
      }
      if isLater { return .put(advanced, .replaced) }
      return advanced.isEqualTo(message: other) ? .keep(.kept) : .put(advanced, .advanced)
    }
    return isLater ? .put(record, .replaced) : .keep(.kept)
  }

  /// Renames a contact.
  ///
  /// Wallets were renamed earlier, together with their records; other kinds cannot be.
  private func renamed(_ record: Record, _ encoded: [UInt8]) -> Record? {
    guard var contact = record as? Contact else { return nil }
    contact.id = MergedNames.derived(from: contact.id, under: Data(SHA256.hash(encoded.span).bytes))
    contact.name = MergedNames.restored(contact.name)
    return contact as? Record
  }
}

extension SectionRecord {
  /// Whether it was changed after another; false if a time is missing or both are equal.
  ///
  /// For two descriptors of a key share, the higher epoch is later, because shares are refreshed together.
  func isLater(than other: Self) -> Bool {
    if let mine = self as? KeyShareDescriptor, let others = other as? KeyShareDescriptor,
      mine.hasEpoch, others.hasEpoch, mine.epoch != others.epoch
    {
      return mine.epoch > others.epoch
    }
    guard let mine = lastChange, let others = other.lastChange else { return false }
    return mine > others
  }
}

extension Wallet {
  /// Returns the wallet with another's sync state where that is more advanced.
  ///
  /// This includes the last synced block with its balance, the revealed indices, the gap limit and the nonce.
  func takingSyncState(of other: Wallet) -> Wallet {
    var wallet = self
    if other.hasLastSynced, !hasLastSynced || other.lastSynced.height > lastSynced.height {
      wallet.lastSynced = other.lastSynced
      wallet.earlierCheckpoints = other.earlierCheckpoints
      if other.hasBalance { wallet.balance = other.balance }
    }
    for index in other.keychains {
      if let place = wallet.keychains.firstIndex(where: { $0.name == index.name }) {
        wallet.keychains[place].advance(to: index)
      } else {
        wallet.keychains.append(index)
      }
    }
    if other.hasGapLimit, !hasGapLimit || other.gapLimit > gapLimit { wallet.gapLimit = other.gapLimit }
    if other.hasNonce, !hasNonce || other.nonce > nonce { wallet.nonce = other.nonce }
    return wallet
  }
}

extension KeychainIndex {
  fileprivate mutating func advance(to other: KeychainIndex) {
    if other.hasLastRevealed, !hasLastRevealed || other.lastRevealed > lastRevealed {
      lastRevealed = other.lastRevealed
    }
    if other.hasLastUsed, !hasLastUsed || other.lastUsed > lastUsed { lastUsed = other.lastUsed }
  }
}
