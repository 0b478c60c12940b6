public import FuekiSystem

/// Wallets of a program in one place, as far as they can be told without opening them.
public struct FoundWallets: Sendable {
  /// The program's name for scripts.
  public let program: String
  /// The program's name for people.
  public let title: String
  /// The kind of source that takes them.
  public let kind: String
  /// The place: a file or a folder.
  public let path: String
  /// The paths that sources would name to take them all: of a folder with more in it than wallets, with `*` in names.
  public let sources: [String]
  /// Each wallet's path.
  public let wallets: [String]
  /// Whether the program encrypted them.
  public internal(set) var encryption = WalletEncryption.unknown
  /// How many bytes they have.
  public let byteCount: UInt64
  /// When one of them last changed.
  public let changed: FileTime?
  /// What shows that the program runs; empty where nothing does.
  public internal(set) var uses: [FileUse]
  /// What is dangerous about a copy.
  public let dangers: [WalletDanger]
}

/// What was found on a machine.
public struct DiscoveredWallets: Sendable {
  /// The places that have wallets, in the order of the table of programs.
  public internal(set) var places: [FoundWallets] = []
  /// Folders that could not be looked into.
  public internal(set) var unreadable: Set<String> = []
}
