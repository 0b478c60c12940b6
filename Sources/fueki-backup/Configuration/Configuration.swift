internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// The configuration file's contents in the form that commands need; empty without a file.
struct Configuration {
  /// A `[[target]]`.
  struct TargetEntry {
    let name: String?
    let target: Target
    /// Whether unencrypted keys go there although others see it; nil if undecided.
    var includesKeys: Bool?
    /// Whether the policy has added it.
    var isOfPolicy = false
  }

  /// Facts determined before the run gave up the rights that they require.
  struct Settled: Sendable {
    /// The trusted signers, unless an option states others.
    let trust: Trust
    let meantVaultID: VaultID?

    /// Whether this machine's state stays accessible, so that its changes count.
    let followsState: Bool

    fileprivate init(_ known: Configuration, followsState: Bool) throws {
      trust = try TrustOptions.trust(known)
      meantVaultID = known.meantVaultID
      self.followsState = followsState
    }
  }

  /// Finds out the facts that a sandbox hides, and leaves no thread behind.
  ///
  /// - Parameter followsState: whether the sandbox leaves all of this machine's state accessible.
  /// - Throws: errors from reading the files of trusted signers.
  mutating func settle(followingState followsState: Bool) throws {
    storeIDs = StoreIDs.read(vaults.filter { $0.id == nil }.compactMap(dataDirectory(of:)))
    settled = try Settled(self, followsState: followsState)
  }

  /// Takes over the facts that a configuration of the same file has.
  mutating func settle(as other: Configuration) { (storeIDs, settled) = (other.storeIDs, other.settled) }

  /// The file, if there is one.
  var path: String?
  /// Nil in a run that has all its rights, which finds out as things are at the moment.
  var settled: Settled?
  /// The vaults of stores, by their data directories; nil to look them up on demand.
  private var storeIDs: [String: VaultID]?
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
  /// The place of the policy, if the owner follows one.
  private(set) var policyPlace: PolicyPlace?
  /// The policy that applies.
  private(set) var policy: MachinePolicy?
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
    policyPlace = try file.entries[.policy]?.first.map { try PolicyPlace($0, file: file.path) }
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
      target.isAppendOnly = entry.values["append_only"]?.flag ?? false
      let includesKeys = entry.values["private_keys"]?.flag
      guard target.kind != .rclone || includesKeys != true else {
        throw Self.problem(
          file, entry.lines["private_keys"],
          "private_keys = true is for folders: to a remote such keys go only with --accept synced-keys")
      }
      targets.append(
        TargetEntry(
          name: entry.values["name"]?.text, target: target,
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
        let hint = NearestName.of(target, among: names).map { "did you mean \"\($0)\"?" }
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

  /// Adds the rules of the policy to all vaults.
  mutating func apply(_ policy: MachinePolicy) {
    self.policy = policy
    // The owner's declaration of a target counts.
    let declared = Set(targets.map(\.target.place))
    targets += (policy.rules?.targets ?? []).filter { !declared.contains($0.place) }
      .map { TargetEntry(name: nil, target: $0, isOfPolicy: true) }
    for index in vaults.indices { vaults[index].policy = policy }
  }

  /// Returns whether the policy has added a target.
  func isOfPolicy(_ target: Target) -> Bool {
    targets.contains { $0.isOfPolicy && $0.target.place == target.place }
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

  /// The targets of the selected vault, or of all vaults if none was selected.
  var chosenTargets: [Target] {
    guard let wanted = meant?.targets else {
      return targets.map(\.target)
    }
    return targets.filter { $0.isOfPolicy || $0.name.map(wanted.contains) ?? false }.map(\.target)
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

  /// Returns whether a target is declared append-only, independent of the path or link that leads there.
  func isAppendOnly(_ target: Target) -> Bool {
    targets.contains { $0.target.isAppendOnly && $0.target.place == target.place }
  }

  /// The vault that was picked, or the only one.
  var meant: VaultSettings? { picked ?? (vaults.count == 1 ? vaults.first : nil) }

  /// The id of the vault that is meant.
  var meantVaultID: VaultID? { settled.map(\.meantVaultID) ?? meant.flatMap(vaultID) }

  /// The id of a vault: as the configuration says, else of the store that its wallet is in.
  func vaultID(of vault: VaultSettings) -> VaultID? {
    if let id = vault.id { return id }
    guard let directory = dataDirectory(of: vault) else { return nil }
    return storeIDs.map { $0[directory] } ?? vault.id(ofStoreIn: directory)
  }

  /// Returns a vault's name for display: its name in the configuration, or else the label of its archives.
  func name(of id: VaultID) -> String? {
    let vault = vaults.first { vaultID(of: $0) == id }
    return vault.flatMap { $0.name ?? $0.label }
  }

  private func dataDirectory(of vault: VaultSettings) -> String? {
    try? vault.datadir ?? DataOptions.standard(self)
  }

  /// The ids of the configured vaults that archives of are made in a target, as far as they are known.
  func vaultIDs(in target: Target) -> [VaultID] {
    guard let entry = targets.first(where: { $0.target.path == target.path }) else { return [] }
    return candidates.filter { vault in
      entry.isOfPolicy || vault.targets.map { wanted in entry.name.map(wanted.contains) ?? false } ?? true
    }.compactMap(vaultID)
  }

  /// The id of the selected vault; nil if none was selected.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if it is unknown, because otherwise the command would apply to all vaults.
  var pickedVaultID: VaultID? {
    get throws {
      guard let picked else { return nil }
      guard let id = meantVaultID else {
        throw CommandError.usage(
          "the configuration does not say which archives belong to the vault \"\(picked.name ?? "")\": write its id there"
        )
      }
      return id
    }
  }

  /// Returns the selected or only vault.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if there are several and none was selected.
  func vault() throws -> VaultSettings {
    if let picked { return picked }
    guard vaults.count <= 1 else {
      let names = vaults.compactMap(\.name)
      let choice =
        names.isEmpty ? "" : ". Choose one with --vault NAME: \(names.joined(separator: ", "))"
      let unnamed =
        names.count < vaults.count ? ". A vault without a name needs one in its [[vault]] first" : ""
      throw CommandError.usage("\(path ?? "the configuration") has several vaults\(choice)\(unnamed)")
    }
    var none = VaultSettings()
    none.postQuantum = postQuantum
    none.policy = policy
    return vaults.first ?? none
  }

  /// Returns the health checks for a command's run.
  ///
  /// Those of certain vaults apply only if one vault was selected.
  func healthChecks(of command: String) -> [HealthCheck] {
    let name = meant?.name
    return healthChecks.filter { check in
      let isOfVault = check.vaults.map { wanted in name.map(wanted.contains) ?? false } ?? true
      return check.commands.contains(command) && isOfVault
    }
  }

  /// The selected vault, or all vaults if none was selected.
  var candidates: [VaultSettings] { picked.map { [$0] } ?? vaults }

  private static func problem(_ file: ConfigurationFile, _ line: Int?, _ what: String) -> CommandError {
    .configuration(ConfigurationProblem(path: file.path, line: line, what: what))
  }
}

extension ConfigurationFile.Value {
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}
