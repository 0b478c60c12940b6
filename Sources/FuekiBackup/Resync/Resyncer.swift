public import FoundationEssentials
public import FuekiWallet

/// Brings restored wallets up to date from their chains.
public protocol Resyncer {
  /// Resyncs every wallet of the destination.
  func resync() throws -> ResyncOutcome
}

/// The outcome of a resync.
public enum ResyncOutcome: Equatable, Sendable {
  /// Nothing was asked.
  case notRun(reason: String)
  /// Every wallet is as its chain has it.
  case complete(wallets: Int)
  /// Some wallets could not be refreshed; each line has a wallet and the reason.
  case incomplete(wallets: Int, problems: [String])

  /// Whether something is left to be asked.
  public var isIncomplete: Bool {
    if case .incomplete = self { true } else { false }
  }
}

/// The store in which a resync reads and keeps its data.
///
/// It is called from any thread.
public protocol WalletLedger: Sendable {
  /// All wallets.
  func wallets() throws -> [Wallet]
  /// The wallet with an id.
  func wallet(_ id: Data) throws -> Wallet?
  /// The assets of a wallet.
  func assets(of wallet: Data) throws -> [Asset]
  /// A wallet's transactions that are pending, or that a block holds which may yet be given up.
  func open(of wallet: Data, from height: UInt64) throws -> [Transaction]
  /// Whether there is any transaction of a wallet.
  func hasTransactions(of wallet: Data) throws -> Bool
  /// Merges a chain's update, all or none, without losses or duplicates.
  func merge(_ update: ChainUpdate) throws -> ChainUpdateCounts
  /// Keeps a price.
  func keep(_ price: AssetPrice) throws
  /// The price that was last kept.
  func price(of asset: String, in currency: String) throws -> AssetPrice?
}

/// A chain's data on one wallet, to merge into the stored data.
public struct ChainUpdate: Sendable {
  /// The wallet's id.
  public var walletID: Data
  /// When the chain was asked, in microseconds since 1970.
  public var time: Int64
  /// The wallet's balance in its chain's smallest unit; nil keeps the stored one.
  public var balance: String?
  /// An account's next nonce; nil keeps the stored one.
  public var nonce: UInt64?
  /// The checkpoint up to which everything is known now; nil keeps the stored one.
  public var synced: Checkpoint?
  /// Key indices that were seen in use: they only ever grow.
  public var keychains: [KeychainIndex] = []
  /// Tokens with their balances, with no id where they are new.
  public var assets: [Asset] = []
  /// Transactions, with no id.
  public var transactions: [Entry] = []

  /// An update with nothing in it.
  public init(walletID: Data, time: Int64) {
    self.walletID = walletID
    self.time = time
  }

  /// A transaction, a token transfer, or a transfer that a contract made.
  ///
  /// One with an empty amount says only what became of those with its hash.
  public struct Entry: Sendable {
    /// The record, with no id.
    public var transaction: Transaction
    /// Its receipt, with no ids.
    public var receipt: Receipt?
    /// Which of its block's logs a token transfer is.
    public var logIndex: UInt64?
    /// The token's contract, packed; nil for the chain's own coin.
    public var contract: Data?
    /// The token's id, for a unique one.
    public var tokenID: String?
    /// The call within the transaction, for coins that a contract sent; empty if the source does not state it.
    public var trace: String?

    /// An entry.
    public init(_ transaction: Transaction) { self.transaction = transaction }
  }
}

/// The numbers of changes of an update.
public struct ChainUpdateCounts: Equatable, Sendable {
  /// Transactions that are new.
  public var added = 0
  /// Transactions of which something is known now that was not, or that came into another block.
  public var updated = 0
  /// Transactions that no block holds any more.
  public var dropped = 0
  /// The number of rows read for this, which grows with the update and not with the store.
  public var rowsRead = 0

  /// No change.
  public init() {}
}

/// The price of one unit of an asset.
public struct AssetPrice: Equatable, Sendable {
  /// The asset's name where its price is from, such as "ethereum".
  public let asset: String
  /// The currency, such as "eur".
  public let currency: String
  /// An exact decimal number.
  public let price: String
  /// The time of the request, in microseconds since 1970.
  public let fetchedAt: Int64

  /// A price.
  public init(asset: String, currency: String, price: String, fetchedAt: Int64) {
    self.asset = asset
    self.currency = currency
    self.price = price
    self.fetchedAt = fetchedAt
  }
}

/// Which of its transaction's transfers a record is, as a resync writes it into the record's metadata.
///
/// A transaction may move tokens many times, and a contract that it calls coins; each is a record with the
/// transaction's hash, and only the place tells them apart.
package struct TransferNote: Hashable, Sendable {
  /// The kind of transfer.
  package enum Kind: Sendable {
    /// The chain's own coin, by the transaction itself: what has no note.
    case coin
    /// Tokens of which one is as good as another.
    case token
    /// A token that is one of a kind.
    case collectible
    /// The chain's own coin, by a contract that the transaction called.
    case inner
  }

  /// A token's contract in lower case; nil for the chain's own coin.
  package let contract: String?
  /// Which of its block's logs a token's transfer is, where the source said.
  package var logIndex: UInt64?
  /// The token's id, for a unique one.
  package var tokenID: String?
  /// The call within the transaction, for a contract's transfer.
  ///
  /// The call's path such as "0_1", or its number after "#"; empty if the source stated neither.
  package let trace: String?

  /// The note of an entry; nil for the chain's own coin by the transaction itself.
  package init?(_ entry: ChainUpdate.Entry) {
    guard entry.contract != nil || entry.trace != nil else { return nil }
    contract = entry.contract.map { (PackedText.text($0) ?? "").lowercased() }
    logIndex = entry.logIndex
    tokenID = entry.tokenID
    trace = entry.contract == nil ? entry.trace : nil
  }

  /// Parses a record's metadata; nil if they are any other text.
  package init?(_ transaction: Transaction) {
    guard transaction.hasMetadata, transaction.metadata.utf8.first == UInt8(ascii: "{"),
      let document = try? JSONDocument(Array(transaction.metadata.utf8), limit: 1 << 16)
    else { return nil }
    contract = document.root.member("token")?.string?.lowercased()
    trace = contract == nil ? document.root.member("trace")?.string : nil
    guard contract != nil || trace != nil else { return nil }
    logIndex = document.root.member("logIndex")?.number.flatMap { UInt64($0) }
    tokenID = document.root.member("tokenId")?.string
  }

  /// Returns the kind of transfer of a record.
  package static func kind(of transaction: Transaction) -> Kind {
    guard let note = TransferNote(transaction) else { return .coin }
    if note.trace != nil { return .inner }
    return note.tokenID == nil ? .token : .collectible
  }

  /// Returns whether two notes may describe one transfer: neither contradicts the other.
  ///
  /// Two servers may identify a call by its path and by its number, which cannot be compared.
  package func agrees(with other: TransferNote) -> Bool {
    guard contract == other.contract, (trace == nil) == (other.trace == nil) else { return false }
    if let logIndex, let there = other.logIndex, logIndex != there { return false }
    if let tokenID, let there = other.tokenID, tokenID != there { return false }
    guard let trace, let there = other.trace, !trace.isEmpty, !there.isEmpty else { return true }
    return trace == there || trace.hasPrefix("#") != there.hasPrefix("#")
  }

  /// The metadata.
  ///
  /// Its values need no escapes.
  package var text: String {
    if let trace { return #"{"trace":"\#(trace)"}"# }
    var text = #"{"token":"\#(contract ?? "")""#
    if let logIndex { text += #","logIndex":\#(logIndex)"# }
    if let tokenID { text += #","tokenId":"\#(tokenID)""# }
    return text + "}"
  }
}
