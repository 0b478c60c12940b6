public import FuekiSystem

/// The wallets found on a machine.
public struct DiscoveredWallets: Sendable {
  /// The places with wallets, in the order of the table of programs.
  public internal(set) var places: [FoundWallets] = []
  /// Directories that could not be read.
  public internal(set) var unreadable: Set<ExactText> = []
}
