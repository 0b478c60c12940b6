/// A kind of data, with every rule on where it may be stored.
///
/// This is the single table that collectors, targets and restore consult. A record's ``RecordKind``
/// determines its class.
public enum DataClass: String, CaseIterable, Sendable {
  /// Private keys and seed phrases.
  case privateKeys
  /// Key shares of threshold signatures, with their public descriptors.
  case keyShares
  /// Files with unencrypted secrets, which are treated like private keys.
  case secretFiles
  /// Transactions and their receipts.
  case transactions
  /// Wallets and their assets.
  case wallets
  /// The address book.
  case contacts
  /// Settings.
  case settings
  /// Verifiable credentials, and the parties to whom they and ID tokens were shown.
  case credentials
  /// Users, threads and messages.
  case conversations
  /// Files that are public, or encrypted by their own wallet.
  case files
  /// Prices that can be fetched again.
  case priceCache
  /// Session data, which is useless after the session.
  case sessions

  /// The condition for including data in a bundle.
  public enum Bundling: Sendable {
    /// If its section is selected.
    case always
    /// Only with `--include-private-keys`.
    case onlyOnRequest
    /// Never.
    case never
  }

  /// The data allowed in a folder that is synchronised to other people's machines.
  package enum Syncing: Sendable {
    /// The data, as in every archive.
    case allowed
    /// The data, if each piece is sealed a second time within the archive.
    case allowedSealed
    /// Refused, unless overridden.
    case refusedUnlessForced
    /// Never allowed.
    case never
  }

  private struct Rule {
    /// Tables with the data in addition to those of its records.
    var tables: [String] = []
    let bundling: Bundling
    let syncing: Syncing
  }

  private var rule: Rule {
    switch self {
    case .privateKeys:
      Rule(bundling: .onlyOnRequest, syncing: .refusedUnlessForced)
    case .keyShares:
      Rule(bundling: .always, syncing: .allowedSealed)
    case .secretFiles:
      Rule(bundling: .onlyOnRequest, syncing: .refusedUnlessForced)
    case .transactions, .wallets, .contacts, .settings, .credentials, .conversations:
      Rule(bundling: .always, syncing: .allowed)
    case .files:
      Rule(bundling: .always, syncing: .allowed)
    case .priceCache:
      Rule(tables: ["price_cache"], bundling: .never, syncing: .never)
    case .sessions:
      Rule(tables: ["sessions"], bundling: .never, syncing: .never)
    }
  }

  /// The kinds of records in this class.
  private var kinds: [RecordKind] { RecordKind.all.filter { $0.dataClass == self } }

  /// The tables of the wallet's database with the data.
  public var storeTables: [String] { kinds.flatMap(\.tables) + rule.tables }

  /// The sections of an archive with the data; empty if it is never archived.
  package var sections: [Section] { kinds.map(\.section) }

  /// The condition for including the data in a bundle.
  public var bundling: Bundling { rule.bundling }

  /// The rule for synchronised folders.
  package var syncing: Syncing { rule.syncing }

  /// Returns the class of a section's records; nil for the manifest.
  public init?(section: Section) {
    guard let found = section.kind.dataClass else { return nil }
    self = found
  }

  /// Returns the class of a table in the wallet's database.
  package init?(storeTable: String) {
    guard let found = Self.allCases.first(where: { $0.storeTables.contains(storeTable) }) else { return nil }
    self = found
  }
}
