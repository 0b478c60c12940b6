public import FuekiArchive

extension ArchiveScope {
  /// Finds the scope that people know by a name.
  public init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }

  /// The scope's sections, in ascending id.
  public var sections: [Section] { Section.allCases.filter { $0.scope == self } }
}

/// A kind of record in an archive, by the id it has there.
///
/// See fueki-archive(5), "Sections". The ids are for ever.
public enum Section: UInt16, CaseIterable, Comparable, Sendable {
  /// What the archive says about itself: exactly one record.
  case manifest = 1
  /// Wallets and their sync points.
  case wallets = 2
  /// What the wallets hold.
  case assets = 3
  /// The address book.
  case contacts = 4
  /// Settings, one record each.
  case settings = 5
  /// The public side of the key shares.
  case keyShareDescriptors = 6
  /// Verifiable credentials.
  case credentials = 7
  /// Files that are public, or that their own wallet encrypted.
  case files = 8
  /// Transactions.
  case transactions = 32
  /// Receipts of transactions.
  case receipts = 33
  /// Which credential was shown to whom.
  case credentialSharing = 34
  /// Which ID token was shown to whom.
  case idTokenSharing = 35
  /// People who write in threads.
  case users = 36
  /// Threads of messages.
  case threads = 37
  /// Messages.
  case messages = 38
  /// Key shares, each sealed once more.
  case keyShares = 64
  /// Private keys and seed phrases.
  case privateKeys = 65
  /// Files that hold secrets in the clear.
  case secretFiles = 66

  /// The name that people type and that JSON documents have as a key.
  public var name: String { kind.name }

  /// Finds the section that people know by a name.
  public init?(name: String) {
    guard let section = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = section
  }

  /// The scope that the id's range stands for.
  public var scope: ArchiveScope {
    switch rawValue {
    case ..<32: .profile
    case ..<64: .history
    default: .secrets
    }
  }

  /// Orders sections as an archive holds them.
  public static func < (a: Section, b: Section) -> Bool { a.rawValue < b.rawValue }
}
