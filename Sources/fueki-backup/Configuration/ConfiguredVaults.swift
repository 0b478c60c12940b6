internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

// The vaults that apply to a run, and their ids.

extension Configuration {
  /// The vault that was picked, or the only one.
  var meant: VaultSettings? { picked ?? (vaults.count == 1 ? vaults.first : nil) }

  /// The id of the vault that is meant.
  var meantVaultID: VaultID? { settled.map(\.meantVaultID) ?? meant.flatMap(vaultID) }

  /// The id of a vault: as the configuration says, else of the store that its wallet is in.
  func vaultID(of vault: VaultSettings) -> VaultID? {
    if let id = vault.id { return id }
    guard let directory = dataDirectory(of: vault) else { return nil }
    return storeIDs.map { $0[ExactText(directory)] } ?? vault.id(ofStoreIn: directory)
  }

  /// Returns a vault's name for display: its name in the configuration, or else the label of its archives.
  func name(of id: VaultID) -> String? {
    let vault = vaults.first { vaultID(of: $0) == id }
    return vault.flatMap { $0.name?.text ?? $0.label }
  }

  private func dataDirectory(of vault: VaultSettings) -> String? {
    try? vault.datadir ?? DataOptions.standard(self)
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
      let names = vaults.compactMap(\.name?.text)
      let choice =
        names.isEmpty ? "" : ". Choose one with --vault NAME: \(names.joined(separator: ", "))"
      let unnamed =
        names.count < vaults.count ? ". A vault without a name needs one in its [[vault]] first" : ""
      throw CommandError.usage("\(path ?? "the configuration") has several vaults\(choice)\(unnamed)")
    }
    var none = VaultSettings()
    none.postQuantum = postQuantum
    return vaults.first ?? none
  }

  /// The selected vault, or all vaults if none was selected.
  var candidates: [VaultSettings] { picked.map { [$0] } ?? vaults }

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
}

extension Configuration {
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
}
