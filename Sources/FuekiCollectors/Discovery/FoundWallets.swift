public import FuekiSystem

/// A program's wallets in one place, as far as known without opening them.
public struct FoundWallets: Sendable {
  /// The program's name in JSON.
  public let program: String
  /// The program's name for people.
  public let title: String
  /// The kind of source for them.
  public let kind: String
  /// The place: a file or a directory.
  public let path: String
  /// The paths for sources that collect them all.
  ///
  /// If a directory has other files too, names contain `*`.
  public let sources: [String]
  /// The paths of the wallets.
  public let wallets: [String]
  /// Whether they are encrypted by their program.
  public internal(set) var encryption = WalletEncryption.unknown
  /// Their total size in bytes.
  public let byteCount: UInt64
  /// The latest modification time.
  public let changed: FileTime?
  /// Signs that the program is running; empty if there are none.
  public internal(set) var uses: [FileUse]
  /// The dangers of a copy.
  public let dangers: [WalletDanger]
}
