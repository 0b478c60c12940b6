internal import FuekiCollectors
internal import FuekiSystem

/// A `[[source]]`: wallets of another program that every backup takes.
struct SourceSettings {
  /// The kind of what is left out on purpose.
  static let nothing = "none"
  /// The kinds that a file may name.
  static let kinds = Set(CollectorKind.all.map(\.name) + ["file", nothing]).sorted()

  let kind: String
  /// A path from the root; `*` stands for any part of a name.
  let path: String
  /// Whether secrets in the clear are taken; nil where nothing is said.
  let includesPrivateKeys: Bool?
  /// A command that prints what opens the wallet.
  let passwordCommand: String?
  /// The vaults whose archives take it; nil for all.
  let vaults: [String]?

  /// - Throws: ``CommandError/configuration(_:)`` where the kind or the path is missing.
  init(_ entry: ConfigurationFile.Entry, file: String) throws {
    guard let kind = entry.values["kind"]?.text, let path = VaultSettings(entry, file: file).path("path")
    else {
      throw CommandError.configuration(
        ConfigurationProblem(path: file, line: entry.line, what: "[[source]] needs a kind and a path"))
    }
    self.kind = kind
    self.path = path
    includesPrivateKeys = entry.values["include_private_keys"]?.flag
    passwordCommand = entry.values["password_command"]?.text
    vaults = entry.values["vaults"]?.texts
  }

  /// The source as `--from` has it, before its pattern is looked up.
  var name: String { "\(kind):\(path)" }

  /// The paths that are there now, in order.
  func paths() -> [String] {
    var unreadable: Set<String> = []
    return PlacePattern(path).paths(unreadable: &unreadable)
  }
}

extension Configuration {
  /// The tables that hold for the vault that is meant.
  var chosenSources: [SourceSettings] {
    let name = meant?.name
    return sources.filter { source in
      source.vaults.map { wanted in name.map(wanted.contains) ?? false } ?? true
    }
  }

  /// What the configured sources take, of all vaults where none was picked.
  var coverage: SourceCoverage { coverage(and: []) }

  /// What the configured sources and others take.
  func coverage(and others: [String]) -> SourceCoverage {
    let tables = sources.flatMap { source in source.paths().map { "\(source.kind):\($0)" } }
    let lists = candidates.flatMap { $0.from ?? [] }
    // Whatever discovery finds is taken then.
    let all = lists.contains(SourceName.all) ? (try? WalletsHere.findQuickly().sourceNames) ?? [] : []
    return SourceCoverage(tables + lists + all + others)
  }
}
