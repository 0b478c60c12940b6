/// The names of a kind's files, for files whose contents do not identify them.
struct WalletNames: Sendable {
  /// The names that identify the kind.
  let exact: Set<String>
  private let certain: [NamePattern]
  private let possible: [NamePattern]
  private var areFree = false

  /// - Parameters:
  ///   - exact: the names that identify the kind.
  ///   - certain: patterns of the names that only wallets have.
  ///   - possible: patterns of more names that wallets may have in a place for wallets.
  init(exact: Set<String> = [], certain: [String] = [], possible: [String] = []) {
    self.exact = exact
    self.certain = certain.map { NamePattern($0) }
    self.possible = possible.map { NamePattern($0) }
  }

  /// Names chosen by the user, unless they are those of documents.
  static let anyOrdinary: WalletNames = {
    var names = WalletNames()
    names.areFree = true
    return names
  }()

  /// Whether a file of this name is a wallet, whatever its content.
  func isWallet(_ name: String) -> Bool { exact.contains(name) || certain.contains { $0.matches(name) } }

  /// Whether a file of this name may have been a wallet, in a place for such wallets.
  func mayBeWallet(_ name: String) -> Bool {
    guard !name.hasPrefix("."), !name.hasSuffix("~"), !name.hasSuffix(".lock"), !name.contains(".tmp") else {
      return false
    }
    guard !areFree else { return !Self.documentEndings.contains { name.lowercased().hasSuffix($0) } }
    guard !Self.others.contains(where: { $0.matches(name) }) else { return false }
    return isWallet(name) || possible.contains { $0.matches(name) }
  }

  /// Files of Bitcoin Core that are not wallets and may be empty or start with zeros.
  private static let others = [
    "peers.dat", "banlist.dat", "fee_estimates.dat", "mempool.dat", "anchors.dat", "xor.dat", "blk*.dat",
    "rev*.dat",
  ].map { NamePattern($0) }

  private static let documentEndings = [
    ".txt", ".md", ".html", ".htm", ".log", ".csv", ".pdf", ".png", ".jpg", ".ini", ".cfg", ".conf",
  ]
}
