internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// A record that has an id which another record's name may change: its own, or that of what it belongs to.
protocol NamingRecord: SectionRecord {
  /// Takes the ids that the destination has for what it belongs to.
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
    // Of a transaction that is there twice now, so is the receipt.
    if let wallet = transaction.renamedWallet { id = MergedNames.derived(from: id, under: wallet) }
  }
}

extension Transaction {
  /// Whether two records of one hash are the same thing: the transaction itself, or one and the same of the transfers
  /// that happened in it.
  func isOne(with other: Transaction) -> Bool {
    switch (TransferNote(self), TransferNote(other)) {
    case (nil, nil): true
    case (let here?, let there?): here.agrees(with: there) && moves(as: other)
    // Whoever wrote no note may have meant either.
    case (nil, _), (_, nil): moves(as: other)
    }
  }
}
