internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// The targets of archives.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .withLetter(.target),
    help: ArgumentHelp(
      "A folder with archives, or rclone:REMOTE:PATH. May be repeated.", valueName: "target"),
    completion: .directory)
  var target: [String] = []

  /// The options of a command that names one target.
  static func only(_ path: String) -> TargetOptions {
    var given = TargetOptions()
    given.target = [path]
    return given
  }

  /// Returns the given targets, else the configured ones.
  ///
  /// A target in both has its configured kind.
  func targets(_ configuration: Configuration) -> [Target] {
    guard !target.isEmpty else { return configuration.chosenTargets }
    return target.map { path in
      let given = Target(path: path)
      let declared = configuration.targets.map(\.target)
        .first { $0.path == given.path || $0.place == given.place }
      var target = declared.map { Target(path: path, kind: $0.kind) } ?? given
      target.isAppendOnly = configuration.isAppendOnly(given)
      return target
    }
  }

  /// Returns the given targets, else those in a list of expected vaults, else the configured ones.
  func targets(_ list: ExpectedVaults?, _ configuration: Configuration) -> [Target] {
    let vaults = (list?.vaults ?? []).filter { $0.target != nil }
    let paths = Dictionary(vaults.map { ($0.target, $0.targetPath ?? $0.target) }) { first, _ in first }
    let listed = paths.values.compactMap(\.self).sorted()
    guard target.isEmpty, !listed.isEmpty else { return targets(configuration) }
    var options = self
    options.target = listed
    return options.targets(configuration)
  }
}
