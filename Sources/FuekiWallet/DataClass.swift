/// A kind of data, with everything that decides where it may go.
///
/// This is the one table: collectors, targets and restore ask it, and nothing else decides. Which class a record is of,
/// its ``RecordKind`` says.
public enum DataClass: String, CaseIterable, Sendable {
  /// Private keys and seed phrases.
  case privateKeys
  /// Key shares of threshold signatures, with their public descriptors.
  case keyShares
  /// Files that hold secrets in the clear; they are treated like private keys.
  case secretFiles
  /// Transactions and their receipts.
  case transactions
  /// Wallets and what they hold.
  case wallets
  /// The address book.
  case contacts
  /// Settings.
  case settings
  /// Verifiable credentials, and whom they and ID tokens were shown to.
  case credentials
  /// Users, threads and messages.
  case conversations
  /// Files that are public, or that their own wallet encrypted.
  case files
  /// Prices that can be fetched again.
  case priceCache
  /// Session data, of use to nobody after this session.
  case sessions

  /// Where data is kept on a live machine.
  public enum Place: Sendable {
    /// The sealed keychain.
    case keychain
    /// The wallet's database.
    case store
    /// The memory of a running program.
    case memory
    /// Another wallet's files.
    case foreignFiles
  }

  /// When data goes into a bundle.
  public enum Bundling: Sendable {
    /// Whenever its section is chosen.
    case always
    /// Only with `--include-private-keys`.
    case onlyOnRequest
    /// Never.
    case never
  }

  /// What a folder that is copied to other people's machines may be given.
  public enum Syncing: Sendable {
    /// The data, as every archive holds it.
    case allowed
    /// The data, as long as each piece is sealed once more within the archive.
    case allowedSealed
    /// Nothing, unless the person insists.
    case refusedUnlessForced
    /// Nothing.
    case never
  }

  private struct Rule {
    let places: [Place]
    /// The tables that hold it beside those of its records.
    var tables: [String] = []
    let bundling: Bundling
    let syncing: Syncing
  }

  private var rule: Rule {
    switch self {
    case .privateKeys:
      Rule(places: [.keychain], bundling: .onlyOnRequest, syncing: .refusedUnlessForced)
    case .keyShares:
      Rule(places: [.keychain], bundling: .always, syncing: .allowedSealed)
    case .secretFiles:
      Rule(places: [.foreignFiles], bundling: .onlyOnRequest, syncing: .refusedUnlessForced)
    case .transactions, .wallets, .contacts, .settings, .credentials, .conversations:
      Rule(places: [.store], bundling: .always, syncing: .allowed)
    case .files:
      Rule(places: [.store, .foreignFiles], bundling: .always, syncing: .allowed)
    case .priceCache:
      Rule(places: [.store, .memory], tables: ["price_cache"], bundling: .never, syncing: .never)
    case .sessions:
      Rule(places: [.store, .memory], tables: ["sessions"], bundling: .never, syncing: .never)
    }
  }

  /// The kinds of records that are data of this class.
  private var kinds: [RecordKind] { RecordKind.all.filter { $0.dataClass == self } }

  /// Where the data is on a live machine.
  public var places: [Place] { rule.places }

  /// The tables of the wallet's database that hold the data.
  public var storeTables: [String] { kinds.flatMap(\.tables) + rule.tables }

  /// The sections of an archive that hold the data; none where it never leaves.
  public var sections: [Section] { kinds.map(\.section) }

  /// When the data goes into a bundle.
  public var bundling: Bundling { rule.bundling }

  /// What a synced folder may be given.
  public var syncing: Syncing { rule.syncing }

  /// Finds the class of a section's records; the manifest has none.
  public init?(section: Section) {
    guard let found = section.kind.dataClass else { return nil }
    self = found
  }

  /// Finds the class of a table of the wallet's database.
  public init?(storeTable: String) {
    guard let found = Self.allCases.first(where: { $0.storeTables.contains(storeTable) }) else { return nil }
    self = found
  }
}
