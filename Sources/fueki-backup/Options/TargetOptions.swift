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
      let declared = configuration.targets.map(\.target).first { $0.place == given.place }
      var target = declared.map { Target(path: path, kind: $0.kind) } ?? given
      target.isDeclaredAppendOnly = configuration.isAppendOnly(given)
      return target
    }
  }

  /// Returns the given targets, else those in a list of expected vaults, else the configured ones.
  func targets(_ list: ExpectedVaults?, _ configuration: Configuration) -> [Target] {
    let found = (list?.vaults ?? []).compactMap { vault in
      vault.target.map { ($0, vault.targetPath.map(ExactText.init(_:)) ?? $0) }
    }
    let listed = Dictionary(found) { first, _ in first }.values.sorted().map(\.text)
    guard target.isEmpty, !listed.isEmpty else { return targets(configuration) }
    var options = self
    options.target = listed
    return options.targets(configuration)
  }
}
