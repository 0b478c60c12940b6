internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// Which data directory the wallet lives in.
struct DataOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The wallet's data directory.", valueName: "dir"), completion: .directory)
  var datadir: String?

  /// The option, else `FUEKI_DATADIR`, else the configuration's, else the default place.
  func path(_ configuration: Configuration) throws -> String {
    try datadir ?? Self.standard(configuration)
  }

  /// The data directory where no option names it.
  static func standard(_ configuration: Configuration) throws -> String {
    if let given = Environment.get("FUEKI_DATADIR"), !given.isEmpty { return given }
    if let configured = try configuration.vault().datadir { return configured }
    return try Places.base("XDG_DATA_HOME", below: ".local/share", or: "FUEKI_DATADIR") + "/fueki"
  }
}
