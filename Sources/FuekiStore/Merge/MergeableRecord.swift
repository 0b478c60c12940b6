internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// What tells two records that have different ids are the same thing nevertheless.
struct NaturalKey: Hashable, Sendable {
  let parts: [Data]
}

extension NaturalKey {
  /// An address on a chain; nil without one.
  init?(family: String, chain: String, address: Data) {
    guard !address.isEmpty else { return nil }
    parts = [Data(family.utf8), Data(chain.utf8), Self.caseless(address)]
  }

  /// An address without what only shows in the case of its letters: a checksum that is right or wrong, and capitals
  /// where small letters mean the same.
  static func caseless(_ address: Data) -> Data {
    switch address.first.flatMap(PackedText.Form.init) {
    case .checksummedAddress: return Data([PackedText.Form.prefixedHex.rawValue]) + address.dropFirst()
    case .utf8:
      guard let text = PackedText.text(address) else { return address }
      let small = text.lowercased()
      let isHexadecimal =
        small.utf8.count == 42 && small.hasPrefix("0x") && Hex.decode(small.dropFirst(2)) != nil
      return isHexadecimal || (try? Bech32(text)) != nil ? PackedText.pack(small) : address
    case .prefixedHex, .bareHex, .upperCaseUUID, .lowerCaseUUID, nil: return address
    }
  }
}

/// What a merge has to know of a kind of record.
protocol MergeableRecord: SectionRecord {
  /// The record's own id, which only tells which one it is; a setting's is its key.
  var id: Data { get set }
  /// When it was last changed, as far as it says.
  var lastChange: Int64? { get }
  /// What stands for it where ids differ; nil where nothing does.
  var naturalKey: NaturalKey? { get }
  /// What people call it and pay it by; nil of records that nobody pays.
  var payee: (name: String, address: Data)? { get }
  /// Takes the ids that the destination has for what it belongs to.
  mutating func adopt(_ names: MergedNames) throws
}

extension MergeableRecord {
  var naturalKey: NaturalKey? { nil }
  var payee: (name: String, address: Data)? { nil }
  mutating func adopt(_ names: MergedNames) throws {}
}

extension Wallet: MergeableRecord {
  var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
  var naturalKey: NaturalKey? { NaturalKey(family: chainFamily, chain: chainID, address: address) }
  var payee: (name: String, address: Data)? { (name, address) }
  mutating func adopt(_ names: MergedNames) throws {
    let wallet = names.wallet(id)
    id = wallet.id
    if wallet.isRenamed { name = MergedNames.restored(name) }
  }
}

extension Asset: MergeableRecord {
  var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
  var naturalKey: NaturalKey? {
    guard !walletID.isEmpty, !contract.isEmpty || !kind.isEmpty || !symbol.isEmpty else { return nil }
    // What has no contract is told apart by what it is.
    let what = contract.isEmpty ? [kind, symbol] : []
    return NaturalKey(
      parts: [walletID, NaturalKey.caseless(contract), Data(tokenID.utf8)] + what.map { Data($0.utf8) })
  }
  mutating func adopt(_ names: MergedNames) throws {
    let wallet = names.wallet(walletID)
    walletID = wallet.id
    if wallet.isRenamed { id = MergedNames.derived(from: id, under: wallet.id) }
  }
}

extension Contact: MergeableRecord {
  var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
  var naturalKey: NaturalKey? { NaturalKey(family: chainFamily, chain: chainID, address: address) }
  var payee: (name: String, address: Data)? { (name, address) }
}

extension Setting: MergeableRecord {
  var id: Data {
    get { Data(key.utf8) }
    set {}
  }
  var lastChange: Int64? { hasUpdatedAt ? updatedAt : nil }
}

extension KeyShareDescriptor: MergeableRecord {
  var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
  mutating func adopt(_ names: MergedNames) throws {
    id = names.shares[id] ?? id
    if hasWalletID { walletID = names.keyOwner(walletID) }
  }
}

extension Credential: MergeableRecord {
  var lastChange: Int64? { nil }
}

extension FilePart: MergeableRecord {
  var lastChange: Int64? { hasModifiedAt ? modifiedAt : nil }
}

extension Transaction: MergeableRecord {
  var lastChange: Int64? { hasTimestamp ? timestamp : nil }
  var naturalKey: NaturalKey? {
    hash.isEmpty || walletID.isEmpty ? nil : NaturalKey(parts: [HashSpelling(hash).small, walletID])
  }
  mutating func adopt(_ names: MergedNames) throws {
    let wallet = names.wallet(walletID)
    walletID = wallet.id
    guard wallet.isRenamed else { return }
    let derived = MergedNames.derived(from: id, under: wallet.id)
    try names.note(transaction: id, is: derived, under: wallet.id)
    id = derived
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

extension Receipt: MergeableRecord {
  var lastChange: Int64? { nil }
  var naturalKey: NaturalKey? { transactionID.isEmpty ? nil : NaturalKey(parts: [transactionID]) }
  mutating func adopt(_ names: MergedNames) throws {
    guard let transaction = try names.transaction(transactionID) else { return }
    transactionID = transaction.id
    // Of a transaction that is there twice now, so is the receipt.
    if let wallet = transaction.renamedWallet { id = MergedNames.derived(from: id, under: wallet) }
  }
}

extension CredentialSharing: MergeableRecord {
  var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}

extension IdTokenSharing: MergeableRecord {
  var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}

extension ChatUser: MergeableRecord {
  var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}

extension ChatThread: MergeableRecord {
  var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
}

extension ChatMessage: MergeableRecord {
  var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
