internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// What becomes of a record that is there already and differs.
struct ConflictRules<Record: SectionRecord> {
  enum Outcome {
    /// What is there stays.
    case keep(RestoreConflict.Resolution)
    /// This takes its place.
    case put(Record, RestoreConflict.Resolution)
    /// This is added beside it.
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

  /// The one that was changed last.
  ///
  /// How far a wallet has been followed on its chain is another matter: there the one that is further on counts.
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

  /// Wallets were renamed before everything else, with what belongs to them; of the rest, contacts can be.
  private func renamed(_ record: Record, _ encoded: [UInt8]) -> Record? {
    guard var contact = record as? Contact else { return nil }
    contact.id = MergedNames.derived(from: contact.id, under: Data(SHA256.hash(encoded.span).bytes))
    contact.name = MergedNames.restored(contact.name)
    return contact as? Record
  }
}

extension SectionRecord {
  /// Whether it was changed after another; not where a time is missing, or both are the same.
  ///
  /// Of two descriptions of a key share, the one of the higher epoch is later: shares are refreshed together.
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
  /// The wallet with whatever another has that is further on.
  ///
  /// That is the last block that was looked at, with the balance there, the indices that were shown to people, the gap
  /// limit and the nonce.
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
