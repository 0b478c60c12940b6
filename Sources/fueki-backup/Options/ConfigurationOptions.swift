internal import ArgumentParser
internal import FuekiSystem

/// Which configuration is in force.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The configuration file.", valueName: "file", visibility: .more), completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp("Which of the configuration's vaults to use.", valueName: "name", visibility: .more))
  var vault: String?

  /// Where the configuration is, or would be: the option, else `FUEKI_CONFIG`, else the default place.
  func path() throws -> String {
    try config ?? Self.given ?? Self.folder() + "/config.toml"
  }

  /// The path from the root; empty if there is no home for a configuration.
  var place: String { (try? AbsolutePath.of(path())) ?? "" }

  /// The folder of the configuration and the signing key.
  static func folder() throws -> String {
    try Places.base("XDG_CONFIG_HOME", below: ".config", or: "FUEKI_CONFIG") + "/fueki-backup"
  }

  private static var given: String? {
    Environment.get("FUEKI_CONFIG").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Loads the configuration; empty if the default place has none.
  ///
  /// - Parameter mayBeNew: whether the chosen file may not exist yet.
  /// - Returns: the configuration, with the selected vault.
  /// - Throws: ``CommandError``.
  func load(mayBeNew: Bool = false) throws -> Configuration {
    var configuration = Configuration()
    if let path = config ?? Self.given, !mayBeNew || (try? File.open(path)) != nil {
      configuration = try Configuration(ConfigurationFile(path: path))
    } else if let path = try? path(), (try? File.open(path)) != nil {
      configuration = try Configuration(ConfigurationFile(path: path))
    }
    ProgressStyle.configure(configuration.progress)
    guard let vault else { return configuration }
    guard let found = configuration.vaults.first(where: { $0.name == ExactText(vault) }) else {
      let names = configuration.vaults.compactMap(\.name?.text).joined(separator: ", ")
      throw CommandError.usage(
        "the configuration has no vault \"\(vault)\"" + (names.isEmpty ? "" : ". It has \(names)"))
    }
    configuration.picked = found
    return configuration
  }
}
