internal import SwiftProtobuf
public import FoundationEssentials

extension RecordKind {
  /// Wallets and their sync points.
  static let wallet = RecordKind(
    .wallets, "wallets", .record(Wallet.self), in: .wallets, belongingTo: .wallet(field: 1),
    olderSpellings: [OlderSpelling(of: 0) { (wallet: inout Wallet) in wallet.takeAppWords() }],
    [
      .always(1, "id", .packed), .always(2, "name", .text, by: .words), .always(3, "kind", .text),
      .always(4, "chain_family", .text, by: .key), .always(5, "chain_id", .text, by: .key),
      .always(6, "address", .packed, by: .key),
      .always(7, "derivation_path", .text), .list(8, "descriptors", .text, in: details),
      .optional(9, "balance", .text), .optional(10, "birthday", .message(checkpoint), in: details),
      .optional(11, "last_synced", .message(checkpoint), in: details),
      .list(12, "earlier_checkpoints", .message(checkpoint), in: details),
      .list(13, "keychains", .message(keychainIndex), in: details), .optional(14, "gap_limit", .unsigned32),
      .list(16, "endpoints", .message(endpoint), in: details),
      .list(17, "accounts", .message(account), in: details), .optional(18, "nonce", .unsigned64),
      .always(19, "network", .text), .always(20, "genesis_hash", .packed), .optional(21, "created_at", .time),
      .optional(22, "updated_at", .time), .always(23, "group_public_key", .bytes),
      .list(24, "hazards", .text, in: details),
    ])

  /// The column of details, which are read only with their wallet.
  private static let details = RecordField.Place.column("details")

  private static let checkpoint = RecordMessage(
    .always(1, "height", .unsigned64), .always(2, "hash", .packed), .optional(3, "time", .time))

  private static let keychainIndex = RecordMessage(
    .always(1, "name", .text), .optional(2, "last_revealed", .unsigned32),
    .optional(3, "last_used", .unsigned32))

  private static let endpoint = RecordMessage(
    .always(1, "kind", .text), .always(2, "url", .text), .always(3, "priority", .signed32))

  private static let account = RecordMessage(
    .always(1, "index", .unsigned32), .always(2, "path", .text), .always(3, "address", .packed),
    .always(4, "imported", .boolean), .always(5, "name", .text))
}

extension Wallet: SectionRecord {
  /// Section 2.
  public static var kind: RecordKind { .wallet }
  /// The time of its last change, else of its creation.
  public var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
  /// Its address on its chain.
  public var naturalKey: NaturalKey? { NaturalKey(family: chainFamily, chain: chainID, address: address) }
  /// Its name and address.
  public var payee: (name: String, address: Data)? { (name, address) }
}

/// How a wallet signs.
public enum WalletKind: String, CaseIterable, Sendable {
  /// With a key on the machine.
  case hot
  /// With several shares of a key together.
  case tss
  /// With a key in a separate device.
  case hardware
  /// It cannot sign.
  case watchOnly = "watch-only"
}

extension Wallet {
  /// The wallet's kind; nil if unknown to this version.
  public var walletKind: WalletKind? { WalletKind(rawValue: kind) }

  /// The family of the wallet's chain.
  public var family: ChainFamily { ChainFamily(chainFamily) }

  fileprivate mutating func takeAppWords() {
    if let word = AppWord(kind, among: WalletKind.allCases.map(\.rawValue)) {
      kind = word.known
      extra.append(word.kept(as: "type"))
    }
    if hazards.isEmpty { hazards = WalletHazard.ofKind(kind).map(\.rawValue) }
    if chainFamily.isEmpty { chainFamily = AppWord.family(of: address) }
  }
}

extension RecordKind {
  /// The public part of the key shares.
  static let keyShareDescriptor = RecordKind(
    .keyShareDescriptors, "key-share-descriptors", .record(KeyShareDescriptor.self), in: .keyShares,
    belongingTo: .share(field: 1),
    [
      .always(1, "id", .bytes), .optional(2, "wallet_id", .packed), .always(3, "protocol", .text),
      .always(4, "curve", .text), .optional(5, "party_index", .unsigned32),
      .optional(6, "threshold", .unsigned32), .optional(7, "total", .unsigned32),
      .optional(8, "epoch", .unsigned64), .always(9, "group_public_key", .bytes, by: .key),
      .always(10, "own_public_point", .bytes), .always(11, "party_id", .bytes),
      .list(12, "points", .message(partyPoint)), .always(13, "encoding", .text), .always(14, "name", .text),
      .optional(16, "created_at", .time),
    ])

  private static let partyPoint = RecordMessage(
    .always(1, "party_id", .bytes), .always(2, "point", .bytes))
}

extension KeyShareDescriptor: SectionRecord {
  /// Section 6.
  public static var kind: RecordKind { .keyShareDescriptor }
  /// The time of its creation.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
