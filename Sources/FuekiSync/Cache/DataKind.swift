public import FuekiWallet

/// A kind of answer, which decides how long it is recent and whether it may lie on disk.
public struct DataKind: Hashable, Sendable {
  /// The kind's name.
  public let name: String
  /// The class of the data.
  public let dataClass: DataClass

  /// Creates a kind of an app's own.
  ///
  /// - Parameters:
  ///   - name: a name that no other kind has.
  ///   - dataClass: the class of the data. Secrets and session data are kept in memory only.
  public init(_ name: String, of dataClass: DataClass) {
    self.name = name
    self.dataClass = dataClass
  }

  /// Wallets with their balances.
  public static let balance = DataKind("balance", of: .wallets)
  /// Prices.
  public static let price = DataKind("price", of: .priceCache)
  /// Anything else that is public.
  public static let other = DataKind("other", of: .files)

  /// Whether its answers may lie in files that are not encrypted.
  var mayLieOnDisk: Bool {
    switch dataClass {
    case .privateKeys, .keyShares, .secretFiles, .sessions: false
    case .transactions, .wallets, .contacts, .settings, .credentials, .conversations, .files, .priceCache:
      true
    }
  }
}

/// The time for which a known answer is recent, by its kind: five minutes unless set.
public struct Lifetimes: Sendable {
  private var times: [DataKind: Duration] = [:]

  /// Creates lifetimes of five minutes.
  public init() {}

  /// The lifetime of a kind.
  public subscript(kind: DataKind) -> Duration {
    get { times[kind] ?? .seconds(300) }
    set { times[kind] = newValue }
  }
}
