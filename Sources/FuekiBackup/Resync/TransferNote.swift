internal import FoundationEssentials
package import FuekiWallet

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
