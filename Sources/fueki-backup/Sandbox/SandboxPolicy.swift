internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

// The needs of each command in its sandbox. Commands not listed here run programs, open connections or write to
// arbitrary places, and have no sandbox.

extension SandboxNeeds {
  /// Creates the needs for finding and judging archives.
  init(
    _ archives: [String], _ targets: TargetOptions, _ trust: TrustOptions?, _ configuration: Configuration,
    _ secrets: ArchiveSecretOptions? = nil
  ) {
    self.archives = archives
    self.targets = targets.targets(configuration)
    self.trust = trust
    judgesArchives = true
    readable = secrets?.files ?? []
    hasPlugins = secrets?.runPlugins ?? false
    state = .read
  }

  /// Creates the needs of a run that opens archives after it has entered, and remembers what it found.
  init(
    opening archives: [String], _ targets: TargetOptions, _ trust: TrustOptions,
    _ settings: ConfigurationOptions, _ configuration: Configuration, _ secrets: ArchiveSecretOptions
  ) throws {
    self.init(archives, targets, trust, configuration, secrets)
    state = .write
    searchesTargets = true
    readable += [try settings.path(), secrets.passphrase.source.path].compactMap(\.self)
  }
}

extension VerifyCommand {
  func needs(_ configuration: Configuration, _ parity: ParityFolder? = nil) throws -> SandboxNeeds {
    var needs = SandboxNeeds(archives, targets, trust, configuration, secrets)
    needs.writable = try report.map { [OutputFile.folder(of: try JUnitReport.path($0))] } ?? []
    if let parity {
      // A sandboxed program reads recovery files, which are untrusted.
      needs.programs = Parity.programs
      needs.writable.append(parity.path)
      needs.parents.append(OutputFile.folder(of: parity.path))
    }
    // The state remembers verified and damaged archives.
    if depth != .structure { needs.keepState() }
    return needs
  }
}

extension RepairCommand {
  /// Strangers may have written the recovery files: the program that reads them stays in the sandbox.
  func needs(_ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([archive], targets, trust, configuration)
    let folders = needs.targets.filter { $0.kind != .rclone }.map(\.path)
    needs.writable = SandboxNeeds.isHere(archive) ? [Target(holding: archive).path] : folders
    needs.programs = Parity.programs
    needs.state = .write
    return needs
  }
}

extension ListCommand {
  func needs(_ all: [Target], _ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([], targets, trust, configuration)
    needs.targets = all
    needs.asks = false
    return needs
  }
}

extension ShowCommand {
  func needs(_ configuration: Configuration) -> SandboxNeeds {
    SandboxNeeds([archive], targets, trust, configuration, secrets)
  }
}

extension KeyListCommand {
  func needs(_ configuration: Configuration) -> SandboxNeeds {
    SandboxNeeds([archive].compactMap(\.self), targets, trust, configuration, secrets)
  }
}

extension ExportCommand {
  func needs(_ destination: any ExportOutput, _ configuration: Configuration) throws -> SandboxNeeds {
    var needs = SandboxNeeds([archive], targets, trust, configuration, secrets)
    let (path, parent) = try destination.prepare()
    (needs.writable, needs.parents) = ([path], [parent])
    return needs
  }
}

extension ImportCommand {
  /// Returns the needs for an existing or a new data directory.
  func needs(_ directory: String, isNew: Bool, _ vault: VaultSettings) -> SandboxNeeds {
    var needs = SandboxNeeds()
    needs.readable = files + keychain.files(vault)
    needs.dataDirectory = directory
    if isNew { needs.parents = [OutputFile.folder(of: directory)] }
    return needs
  }
}

extension DiffCommand {
  func needs(_ configuration: Configuration) throws -> SandboxNeeds {
    var needs = SandboxNeeds(
      [older, newer].compactMap(\.self), targets, trust, configuration, secrets)
    guard live else { return needs }
    try needs.addWallet(configuration, data, keychain)
    return needs
  }
}

extension DrillCommand {
  /// Returns the needs; a practice restore is made in one of the folders.
  func needs(_ configuration: Configuration, in folders: [PracticeFolder]) throws -> RestoreNeeds {
    let vault = try configuration.vault()
    var base = try SandboxNeeds(opening: [archive], targets, trust, settings, configuration, secrets)
    base.readable += passwords.paths + signing.files(vault) + [keychain.passphrasePath].compactMap(\.self)
    base.writable = folders.map(\.path) + [file].compactMap(\.self).map(OutputFile.folder)
    // Wiping removes the folders.
    base.parents = folders.map(\.parent)
    var needs = RestoreNeeds(base: base)
    if !noLive {
      try needs.base.addWallet(configuration, data, keychain)
      needs.wallets = configuration.walletPaths(vault)
    }
    needs.readSecrets = { [secrets, keychain, passwords, signing, noLive, output] in
      let console = output.console
      try secrets.readCommand(console)
      try signing.readCommand(console)
      try passwords.readCommands()
      guard !noLive else { return }
      try keychain.readCommand(console)
      // The wallet's report has the reason of a command that fails.
      for source in configuration.chosenSources { _ = try? source.password?.given(console) }
    }
    return needs
  }
}

extension SandboxNeeds {
  /// Adds the rights for reading the wallet in use, as a backup does.
  mutating func addWallet(
    _ configuration: Configuration, _ data: DataOptions, _ keychain: KeychainSecretOptions
  ) throws {
    let vault = try configuration.vault()
    let paths = configuration.walletPaths(vault)
    readable += paths + paths.flatMap(SourceNeighbours.folders(of:)).map(\.text) + keychain.files(vault)
    // Where databases are copied to before they are read.
    state = .write
    if (vault.from ?? ["store"]).contains("store") { dataDirectory = try data.path(configuration) }
  }
}

extension Configuration {
  /// The paths of other programs' wallets that a backup reads.
  fileprivate func walletPaths(_ vault: VaultSettings) -> [String] {
    (vault.from ?? []).compactMap(SourceName.path) + chosenSources.flatMap { $0.paths() }
  }
}

extension SharesCheckCommand {
  /// Returns the needs; the configuration is nil for files that are no archive.
  func needs(_ configuration: Configuration?) -> SandboxNeeds {
    guard let configuration else {
      var needs = SandboxNeeds()
      needs.readable = files
      return needs
    }
    return SandboxNeeds(files, targets, trust, configuration, secrets)
  }
}

extension GuardiansCheckCommand {
  var needs: SandboxNeeds {
    var needs = SandboxNeeds()
    needs.asks = false
    needs.readable = files + [guardians].compactMap(\.self)
    return needs
  }
}

extension GuardiansCombineCommand {
  var needs: SandboxNeeds {
    var needs = SandboxNeeds()
    needs.readable = files + [guardians].compactMap(\.self)
    needs.writable = [OutputFile.folder(of: output)]
    return needs
  }
}

extension CheckpointExport {
  func needs(_ vault: VaultSettings, _ configuration: Configuration) throws -> SandboxNeeds {
    var needs = SandboxNeeds([archive], targets, trust, configuration)
    needs.readable += [signing.signKey, vault.signKey, try Places.state().path].compactMap(\.self)
    needs.writable = [file, svg].compactMap(\.self).map(OutputFile.folder)
    return needs
  }
}

extension RestoreCommand {
  func needs(_ order: RestoreOrder, _ configuration: Configuration, orOneOf others: [String]) throws
    -> RestoreNeeds
  {
    let vault = try configuration.vault()
    let archives = [order.archive ?? archive ?? "latest"] + others
    var base = try SandboxNeeds(opening: archives, targets, trust, settings, configuration, secrets)
    base.readable += keychain.files(vault) + passwords.paths + [keychain.passphrasePath].compactMap(\.self)
    var needs = RestoreNeeds(base: base, dataDirectory: order.dataDirectory)
    needs.isPreview = dryRun
    needs.readSecrets = { [secrets, keychain, passwords, dryRun, output] in
      try secrets.readCommand(output.console)
      if !dryRun { try keychain.readCommand(output.console) }
      try passwords.readCommands()
    }
    guard !dryRun else { return needs }
    let mayAsk = Terminal.isAvailable && !output.json
    let argument = files ?? order.placing?.argument ?? (mayAsk ? .home : .nowhere)
    // Without a home, the question about files reports it, if there are any.
    let isAsked = files == nil && order.placing == nil
    needs.files = isAsked ? (try? argument.root)?.path : try argument.root?.path
    if case .folder = argument { needs.makesFolder = true }
    needs.followsLinks = (order.placing?.options ?? placing).followsLinks
    return needs
  }
}

extension PutBack {
  func needs(_ configuration: Configuration) throws -> RestoreNeeds {
    var needs = RestoreNeeds(
      base: try SandboxNeeds(opening: [archive], targets, trust, settings, configuration, secrets))
    needs.isPreview = dryRun
    needs.readSecrets = { [secrets, output] in try secrets.readCommand(output.console) }
    let isWritten = !dryRun && files != .nowhere
    needs.files = try (files == .nowhere ? PlacingArgument.home : files).root?.path
    if case .folder = files { needs.makesFolder = isWritten }
    needs.followsLinks = placing.followsLinks
    needs.onlyCompares = !isWritten
    return needs
  }
}
