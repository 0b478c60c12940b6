internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

// The needs of commands that change an archive's keys, and of those for the recovery kit.

extension KeyChangeOptions {
  /// Returns the needs of a change, besides those of the new keys.
  func needs(_ configuration: Configuration) throws -> SandboxNeeds {
    let vault = try configuration.vault()
    var needs = SandboxNeeds([archive], targets, trust, configuration, secrets)
    let places = needs.targets.map(\.place)
    needs.targets += configuration.chosenTargets.filter { !places.contains($0.place) }
    needs.searchesTargets = true
    needs.writable = SandboxNeeds.folders(of: needs.targets)
    if SandboxNeeds.isHere(archive) { needs.writable.append(Target(holding: archive).path) }
    needs.keepState()
    needs.readable += keep.flatMap { $0.split(separator: "=", maxSplits: 1).dropFirst().map(String.init) }
    needs.readable += signing.files(vault) + [secrets.passphrase.source.path].compactMap(\.self)
    needs.hasPlugins = needs.hasPlugins || keep.contains { $0.contains("=age1") && Self.isForPlugin($0) }
    if vault.publicationOptions.parity != nil { needs.programs = Parity.programs }
    return needs
  }

  private static func isForPlugin(_ value: String) -> Bool {
    let text = value.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
    return (try? NamedRecipient(text))?.recipient.type == .agePlugin
  }
}

extension SigningOptions {
  /// The files that are read for the key, besides this machine's own.
  func files(_ vault: VaultSettings) -> [String] {
    [signKey, vault.signKey, passphrase.source(.signing).path].compactMap(\.self)
  }

  /// Runs the command that prints the key's passphrase, if there is one.
  func readCommand(_ console: Console) throws {
    guard passphrase.signingPassphraseFrom?.isCommand == true else { return }
    _ = try passphrase.source(.signing).given(console)
  }
}

extension KitPrint {
  func needs(_ configuration: Configuration) throws -> SandboxNeeds {
    var needs = SandboxNeeds([archive], targets, trust, configuration)
    needs.searchesTargets = true
    let vault = configuration.meant ?? VaultSettings()
    needs.readable += signing.files(vault) + [try Places.state().path]
    if includePassphrase { needs.readable += [secrets.source.path, secrets.keyFile].compactMap(\.self) }
    needs.writable = [file].compactMap(\.self).map(OutputFile.folder)
    needs.readPrograms()
    return needs
  }
}

extension KitTest {
  func needs(_ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([archive], targets, trust, configuration, secrets)
    needs.searchesTargets = true
    needs.readable += [secrets.passphrase.source.path].compactMap(\.self)
    needs.keepState()
    return needs
  }
}

extension KitBundleCommand {
  func needs(_ target: Target, _ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([], TargetOptions.only(target.path), nil, configuration)
    needs.change(needs.targets)
    needs.readable += signing.files(configuration.meant ?? VaultSettings())
    return needs
  }
}
