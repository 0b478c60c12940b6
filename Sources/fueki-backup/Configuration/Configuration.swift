internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The configuration file's contents in the form that commands need; empty without a file.
struct Configuration {
  /// A `[[target]]`.
  struct TargetEntry {
    let name: ExactText?
    let target: Target
    /// Whether unencrypted keys go there although others see it; nil if undecided.
    var includesKeys: Bool?
  }

  /// The file, if there is one.
  var path: String?
  /// Nil in a run that has all its rights, which finds out as things are at the moment.
  var settled: Settled?
  /// The vaults of stores, by their data directories; nil to look them up on demand.
  var storeIDs: [ExactText: VaultID]?
  var targets: [TargetEntry] = []
  var vaults: [VaultSettings] = []
  /// The plugins' recipients that `[[recipient]]` declares safe against quantum computers.
  private(set) var postQuantum: Set<String> = []
  /// Wallets of other programs.
  var sources: [SourceSettings] = []
  /// The vault that `--vault` picked.
  var picked: VaultSettings?
  /// The hooks of a run.
  var hooks = HookSettings()
  /// The health checks that are notified of a run.
  var healthChecks: [HealthCheck] = []
  /// Servers that a resync asks, besides those that the wallets name.
  var endpoints: [EndpointSettings] = []
  /// How progress is shown.
  var progress: ProgressStyle?
  /// The endpoints for prices.
  var prices: [EndpointSettings] = []

  init() {}

  /// - Throws: ``CommandError/configuration(_:)`` if a target has no path, names repeat, or a vault refers to a missing
  ///   target.
  init(_ file: ConfigurationFile) throws {
    path = file.path
    try readTargets(file)
    try readRecipients(file)
    try readVaults(file)
    try readSources(file)
    hooks = HookSettings(file.entries[.hooks]?.first, file: file.path)
    try readHealthChecks(file)
    endpoints = try (file.entries[.endpoint] ?? []).map {
      try EndpointSettings($0, .endpoint, file: file.path)
    }
    prices = try (file.entries[.price] ?? []).map { try EndpointSettings($0, .price, file: file.path) }
    progress = file.entries[.output]?.first?.values["progress"]?.text.flatMap {
      ProgressStyle(rawValue: $0)
    }
    for (names, table) in [(targets.compactMap(\.name), "target"), (vaults.compactMap(\.name), "vault")]
    where Set(names).count < names.count {
      throw Self.problem(file, nil, "two [[\(table)]] have the same name")
    }
  }

  private mutating func readTargets(_ file: ConfigurationFile) throws {
    for entry in file.entries[.target] ?? [] {
      var target = try Self.target(entry, file)
      target.isDeclaredAppendOnly = entry.values["append_only"]?.flag ?? false
      let includesKeys = entry.values["private_keys"]?.flag
      guard target.kind != .rclone || includesKeys != true else {
        throw Self.problem(
          file, entry.lines["private_keys"],
          "private_keys = true is for folders: to a remote such keys go only with --accept synced-keys")
      }
      targets.append(
        TargetEntry(
          name: entry.values["name"]?.text.map(ExactText.init(_:)), target: target,
          includesKeys: includesKeys))
    }
  }

  /// Reads which recipients withstand quantum computers.
  private mutating func readRecipients(_ file: ConfigurationFile) throws {
    for entry in file.entries[.recipient] ?? [] {
      let recipient = entry.values["recipient"]?.text
      guard let recipient, (try? AgePluginRecipient(recipient)) != nil else {
        throw Self.problem(
          file, entry.line, "[[recipient]] needs the recipient of an age plugin (age1NAME1…)")
      }
      if entry.values["post_quantum"]?.flag == true { postQuantum.insert(recipient) }
    }
  }

  private mutating func readVaults(_ file: ConfigurationFile) throws {
    let names = targets.compactMap(\.name)
    for entry in file.entries[.vault] ?? [] {
      var vault = VaultSettings(entry, file: file.path)
      vault.postQuantum = postQuantum
      for target in vault.targets ?? [] where !names.contains(target) {
        let hint = NearestName.of(target.text, among: names.map(\.text)).map { "did you mean \"\($0)\"?" }
        throw CommandError.configuration(
          ConfigurationProblem(
            path: file.path, line: entry.lines["targets"], what: "no [[target]] has the name \"\(target)\"",
            hint: hint))
      }
      if entry.values["id"] != nil, vault.id == nil {
        throw Self.problem(file, entry.lines["id"], "\"id\" of [[vault]] must be 32 hex digits")
      }
      vaults.append(vault)
    }
  }

  private mutating func readSources(_ file: ConfigurationFile) throws {
    sources = try (file.entries[.source] ?? []).map { entry in
      let source = try SourceSettings(entry, file: file.path)
      for vault in source.vaults ?? [] where !vaults.contains(where: { $0.name == vault }) {
        throw Self.problem(file, entry.lines["vaults"], "no [[vault]] has the name \"\(vault)\"")
      }
      return source
    }
  }

  private mutating func readHealthChecks(_ file: ConfigurationFile) throws {
    healthChecks = try (file.entries[.health] ?? []).map { entry in
      guard let check = HealthCheck(entry) else {
        throw Self.problem(file, entry.line, "[[health]] needs a url")
      }
      for vault in check.vaults ?? [] where !vaults.contains(where: { $0.name == vault }) {
        throw Self.problem(file, entry.lines["vaults"], "no [[vault]] has the name \"\(vault)\"")
      }
      return check
    }
  }

  private static func target(_ entry: ConfigurationFile.Entry, _ file: ConfigurationFile) throws -> Target {
    guard let text = entry.values["path"]?.text, let path = VaultSettings(entry, file: file.path).path("path")
    else { throw problem(file, entry.line, "[[target]] needs a path") }
    let kind = entry.values["kind"]?.text.flatMap(Target.Kind.init)
    guard kind != .rclone else {
      return Target(path: text.hasPrefix("rclone:") ? text : "rclone:\(text)")
    }
    let named = Target(path: text)
    guard named.kind == .rclone else { return Target(path: path, kind: kind ?? .synced) }
    guard kind == nil else {
      throw problem(file, entry.lines["kind"], "a [[target]] on a remote is of the kind \"rclone\"")
    }
    return named
  }

  private static func problem(_ file: ConfigurationFile, _ line: Int?, _ what: String) -> CommandError {
    .configuration(ConfigurationProblem(path: file.path, line: line, what: what))
  }
}

// The targets that apply to a run, and the decisions about them.

extension Configuration {
  /// The targets of the selected vault, or of all vaults if none was selected.
  var chosenTargets: [Target] {
    guard let wanted = meant?.targets else {
      return targets.map(\.target)
    }
    return targets.filter { $0.name.map(wanted.contains) ?? false }.map(\.target)
  }

  /// Returns the handling of unencrypted keys in archives for these targets: all of them get the same archive.
  ///
  /// The keys are included only if they may go to every target that others see.
  ///
  /// - Parameters:
  ///   - targets: the targets of a run.
  ///   - areAllowed: whether an option allows the keys everywhere.
  /// - Returns: the decision.
  func keysDecision(for targets: [Target], areAllowed: Bool) -> KeysDecision {
    let seen = targets.filter(\.isSeenByOthers)
    if areAllowed || seen.isEmpty { return .included }
    let decisions = seen.map(includesKeys)
    if decisions.allSatisfy({ $0 == true }) { return .included }
    return decisions.contains(false) ? .declined : .undecided
  }

  /// Returns whether unencrypted keys may go to a target that others see; nil if undecided.
  private func includesKeys(_ target: Target) -> Bool? {
    let decisions = targets.filter { $0.target.place == target.place }.map(\.includesKeys)
    return decisions.contains(false) ? false : decisions.contains(true) ? true : nil
  }

  /// Returns whether a target is append-only, independent of the path or link that leads there.
  func isAppendOnly(_ target: Target) -> Bool {
    target.isAppendOnly
      || targets.contains { $0.target.isDeclaredAppendOnly && $0.target.place == target.place }
  }

  /// The ids of the configured vaults whose archives are made in a target, as far as they are known.
  func vaultIDs(in target: Target) -> [VaultID] {
    guard let entry = targets.first(where: { ExactText($0.target.path) == ExactText(target.path) }) else {
      return []
    }
    return candidates.filter { vault in
      vault.targets.map { wanted in entry.name.map(wanted.contains) ?? false } ?? true
    }.compactMap(vaultID)
  }
}
