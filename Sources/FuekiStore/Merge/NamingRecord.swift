internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// A record with an id that a renaming may change: its own, or its owner's.
protocol NamingRecord: SectionRecord {
  /// Replaces the ids of its owners with the destination's.
  mutating func adopt(_ names: MergedNames) throws
}

extension Wallet: NamingRecord {
  mutating func adopt(_ names: MergedNames) throws {
    let wallet = names.wallet(id)
    id = wallet.id
    if wallet.isRenamed { name = MergedNames.restored(name) }
  }
}

extension Asset: NamingRecord {
  mutating func adopt(_ names: MergedNames) throws {
    let wallet = names.wallet(walletID)
    walletID = wallet.id
    if wallet.isRenamed { id = MergedNames.derived(from: id, under: wallet.id) }
  }
}

extension KeyShareDescriptor: NamingRecord {
  mutating func adopt(_ names: MergedNames) throws {
    id = names.shares[id] ?? id
    if hasWalletID { walletID = names.keyOwner(walletID) }
  }
}

extension Transaction: NamingRecord {
  mutating func adopt(_ names: MergedNames) throws {
    let wallet = names.wallet(walletID)
    walletID = wallet.id
    guard wallet.isRenamed else { return }
    let derived = MergedNames.derived(from: id, under: wallet.id)
    try names.note(transaction: id, is: derived, under: wallet.id)
    id = derived
  }
}

extension Receipt: NamingRecord {
  mutating func adopt(_ names: MergedNames) throws {
    guard let transaction = try names.transaction(transactionID) else { return }
    transactionID = transaction.id
    // If the transaction exists twice now, so does the receipt.
    if let wallet = transaction.renamedWallet { id = MergedNames.derived(from: id, under: wallet) }
  }
}

extension Transaction {
  /// Whether two records with one hash are the same: the transaction itself, or the same transfer in it.
  func isOne(with other: Transaction) -> Bool {
    switch (TransferNote(self), TransferNote(other)) {
    case (nil, nil): true
    case (let here?, let there?): here.agrees(with: there) && moves(as: other)
    // A record without a note may mean either.
    case (nil, _), (_, nil): moves(as: other)
    }
  }
}
