internal import FuekiCollectors
internal import FuekiSystem

/// A `[[source]]`: wallets of another program that every backup takes.
struct SourceSettings {
  /// The kind of paths that are excluded deliberately.
  static let nothing = "none"
  /// The kinds that a file may name.
  static let kinds = Set(CollectorKind.all.map(\.name) + ["file", nothing]).sorted()

  let kind: String
  /// A path from the root; `*` stands for any part of a name.
  let path: String
  /// Whether to back up secrets in the clear; nil if unspecified.
  let includesPrivateKeys: Bool?
  /// A command that prints what opens the wallet.
  let passwordCommand: String?
  /// The vaults whose archives take it; nil for all.
  let vaults: [ExactText]?

  /// - Throws: ``CommandError/configuration(_:)`` if the kind or the path is missing.
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
    vaults = entry.values["vaults"]?.texts?.map(ExactText.init(_:))
  }

  /// The source as `--from` has it, before its pattern is looked up.
  var name: String { "\(kind):\(path)" }

  /// Where the wallet's password comes from; nil without a command.
  var password: SecretSource? {
    passwordCommand.map { SecretSource(place: .command(ExactText($0)), name: .source, secret: .source) }
  }

  /// The paths that are there now, in order.
  func paths() -> [String] {
    var unreadable: Set<ExactText> = []
    return paths(unreadable: &unreadable)
  }

  /// Returns the paths that are there now, in order.
  ///
  /// - Parameter unreadable: receives the directories that could not be searched.
  /// - Returns: the paths.
  func paths(unreadable: inout Set<ExactText>) -> [String] {
    PlacePattern(path).paths(unreadable: &unreadable)
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

  /// The coverage of the configured sources, for all vaults if none was selected.
  var coverage: SourceCoverage { coverage(and: []) }

  /// The coverage of the tables that keep paths out of every backup.
  var declined: SourceCoverage {
    SourceCoverage(Self.names(of: sources.filter { $0.kind == SourceSettings.nothing }))
  }

  /// The tables as `--from` has them.
  private static func names(of sources: [SourceSettings]) -> [String] {
    sources.flatMap { source in source.paths().map { "\(source.kind):\($0)" } }
  }

  /// Returns the coverage of the configured sources and others.
  func coverage(and others: [String]) -> SourceCoverage {
    let tables = Self.names(of: sources)
    let lists = candidates.flatMap { $0.from ?? [] }
    // Whatever discovery finds is taken then.
    let all = lists.contains(SourceName.all) ? (try? WalletsHere.findQuickly().sourceNames) ?? [] : []
    return SourceCoverage(tables + lists + all + others)
  }
}

/// A source as people name it: `store`, `all`, or `kind:PATH`.
enum SourceName {
  /// Everything that discovery finds.
  static let all = "all"

  /// Returns the path in a name; nil if it has none.
  static func path(_ name: String) -> String? {
    guard name != "store", let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return String(name[name.utf8.index(after: colon)...])
  }

  /// Returns the kind in a name; all of it if it has no path.
  static func kind(_ name: String) -> String { String(name.utf8.prefix { $0 != UInt8(ascii: ":") }) ?? name }

  /// The same name with another path.
  static func replacingPath(in name: String, _ change: (String) -> String) -> String {
    guard let path = path(name), !path.isEmpty else { return name }
    return "\(kind(name)):\(change(path))"
  }
}
