public import FuekiArchive

extension ArchiveScope {
  /// Finds the scope with a name.
  public init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }

  /// The scope's sections, in ascending id.
  public var sections: [Section] { Section.allCases.filter { $0.scope == self } }
}

/// A kind of record in an archive, by its id.
///
/// See fueki-archive(5), "Sections". The ids never change.
public enum Section: UInt16, CaseIterable, Comparable, Sendable {
  /// The archive's description of itself: exactly one record.
  case manifest = 1
  /// Wallets and their sync points.
  case wallets = 2
  /// The wallets' assets.
  case assets = 3
  /// The address book.
  case contacts = 4
  /// Settings, one record each.
  case settings = 5
  /// The public part of the key shares.
  case keyShareDescriptors = 6
  /// Verifiable credentials.
  case credentials = 7
  /// Files that are public, or encrypted by their own wallet.
  case files = 8
  /// Transactions.
  case transactions = 32
  /// Receipts of transactions.
  case receipts = 33
  /// Presentations of credentials.
  case credentialSharing = 34
  /// Presentations of ID tokens.
  case idTokenSharing = 35
  /// Participants in threads.
  case users = 36
  /// Threads of messages.
  case threads = 37
  /// Messages.
  case messages = 38
  /// Key shares, each sealed a second time.
  case keyShares = 64
  /// Private keys and seed phrases.
  case privateKeys = 65
  /// Files with unencrypted secrets.
  case secretFiles = 66

  /// The name on the command line, and the key in JSON documents.
  public var name: String { kind.name }

  /// Finds the section with a name.
  public init?(name: String) {
    guard let section = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = section
  }

  /// The scope of the id's range.
  public var scope: ArchiveScope {
    switch rawValue {
    case ..<32: .profile
    case ..<64: .history
    default: .secrets
    }
  }

  /// Orders sections as in an archive.
  public static func < (a: Section, b: Section) -> Bool { a.rawValue < b.rawValue }
}
