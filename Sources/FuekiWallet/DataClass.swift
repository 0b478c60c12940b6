/// A kind of data, with everything that decides where it may go.
///
/// This is the one table: collectors, targets and restore ask it, and nothing else decides.
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
    let tables: [String]
    let sections: [Section]
    let bundling: Bundling
    let syncing: Syncing
  }

  private var rule: Rule {
    switch self {
    case .privateKeys:
      Rule(
        places: [.keychain], tables: [], sections: [.privateKeys],
        bundling: .onlyOnRequest, syncing: .refusedUnlessForced)
    case .keyShares:
      Rule(
        places: [.keychain], tables: ["key_share_descriptors"], sections: [.keyShareDescriptors, .keyShares],
        bundling: .always, syncing: .allowedSealed)
    case .secretFiles:
      Rule(
        places: [.foreignFiles], tables: [], sections: [.secretFiles],
        bundling: .onlyOnRequest, syncing: .refusedUnlessForced)
    case .transactions:
      Rule(
        places: [.store], tables: ["transactions", "receipts", "unclaimed_receipts"],
        sections: [.transactions, .receipts],
        bundling: .always, syncing: .allowed)
    case .wallets:
      Rule(
        places: [.store], tables: ["wallets", "assets"], sections: [.wallets, .assets],
        bundling: .always, syncing: .allowed)
    case .contacts:
      Rule(
        places: [.store], tables: ["contacts"], sections: [.contacts],
        bundling: .always, syncing: .allowed)
    case .settings:
      Rule(
        places: [.store], tables: ["settings"], sections: [.settings],
        bundling: .always, syncing: .allowed)
    case .credentials:
      Rule(
        places: [.store], tables: ["credentials", "credential_sharing", "id_token_sharing"],
        sections: [.credentials, .credentialSharing, .idTokenSharing],
        bundling: .always, syncing: .allowed)
    case .conversations:
      Rule(
        places: [.store], tables: ["users", "threads", "messages"], sections: [.users, .threads, .messages],
        bundling: .always, syncing: .allowed)
    case .files:
      Rule(
        places: [.store, .foreignFiles], tables: ["files"], sections: [.files],
        bundling: .always, syncing: .allowed)
    case .priceCache:
      Rule(
        places: [.store, .memory], tables: ["price_cache"], sections: [],
        bundling: .never, syncing: .never)
    case .sessions:
      Rule(
        places: [.store, .memory], tables: ["sessions"], sections: [],
        bundling: .never, syncing: .never)
    }
  }

  /// Where the data is on a live machine.
  public var places: [Place] { rule.places }

  /// The tables of the wallet's database that hold the data.
  public var storeTables: [String] { rule.tables }

  /// The sections of an archive that hold the data; none where it never leaves.
  public var sections: [Section] { rule.sections }

  /// When the data goes into a bundle.
  public var bundling: Bundling { rule.bundling }

  /// What a synced folder may be given.
  public var syncing: Syncing { rule.syncing }

  /// Finds the class of a section's records; the manifest has none.
  public init?(section: Section) {
    guard let found = Self.allCases.first(where: { $0.sections.contains(section) }) else { return nil }
    self = found
  }

  /// Finds the class of a table of the wallet's database.
  public init?(storeTable: String) {
    guard let found = Self.allCases.first(where: { $0.storeTables.contains(storeTable) }) else { return nil }
    self = found
  }
}
