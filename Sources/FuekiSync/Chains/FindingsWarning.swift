/// A warning about a source's findings, other than incompleteness.
public enum FindingsWarning: Equatable, Sendable {
  /// The server does not list internal transfers of coins by contracts.
  case innerUnlisted(server: String)
  /// Transfers of several collectibles at once are not listed.
  case bundlesUnlisted
  /// The sum of bark's coins differs from its balance.
  case coinsDiffer(sum: Int128, balance: Int128)
  /// This address of the wallet cannot be queried on the network.
  case unusableAddress(String, network: String)
  /// Stored transactions are later than all blocks known to the server.
  case laterThanTip(UInt64, transactions: Int)
  /// Transactions of the wallet belong to no checked address.
  case beyondGap(transactions: Int)
  /// Coins of the wallet are older than its birthday.
  case olderThanBirthday
}
