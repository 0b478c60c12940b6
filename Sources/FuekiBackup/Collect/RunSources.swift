/// The sources of a run, and those that other runs of the vault have.
public struct RunSources: Sendable {
  /// The sources that this run collects, in the form of `--from`.
  public var names: Set<String> = []
  /// The sources of every other run of the vault, as far as the configuration lists them; nil if this run collects those.
  public var others: Set<String>?

  /// No sources.
  public init() {}

  /// Returns the sources that this run leaves out because the user listed its sources for this run alone.
  ///
  /// The contents of these sources are not lost: the run does not look for them.
  ///
  /// - Parameter vault: this machine's state of the vault, which has the sources of the last archive.
  /// - Returns: the sources in order; empty if the run collects everything.
  public func leftOut(of vault: VaultState) -> [String] {
    guard let others else { return [] }
    return others.union(vault.sources ?? []).subtracting(names).sorted()
  }
}
