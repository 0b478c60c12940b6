/// The options of a run that publishes an archive, whether from the command line, the configuration or an app.
public struct PublicationOptions: Equatable, Sendable {
  /// The amount of each archive that its recovery files can repair; nil for no recovery files.
  public var parity: ParityAmount?
  /// Whether the archive may hold only the differences from an earlier one.
  ///
  /// Nil if it holds everything and no later archive builds on it.
  public var history: HistoryChoice?
  /// Whether earlier archives with private keys may be copied to targets that others can see.
  public var privateKeysMayLeave = false
  /// Whether the user's newest archive in the targets counts if the vault's lineage forks.
  public var isAdopting = false
  /// Whether the archive's guardians open the next archives, too, because no configuration lists them.
  public var guardiansStay = false

  /// Creates the options of an archive that holds everything and has no recovery files.
  public init() {}
}
