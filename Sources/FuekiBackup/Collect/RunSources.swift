/// The sources of a run, and the configured ones that it leaves out.
public struct RunSources: Sendable {
  /// The configured sources that this run leaves out because the user listed others for this run alone, in the form of
  /// `--from`.
  ///
  /// Their contents are not lost: the run does not look for them.
  public var leftOut: [String] = []

  /// No source is left out.
  public init() {}
}
