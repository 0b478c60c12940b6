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

/// A `[[vault]]`: how one vault's archives are made and checked.
struct VaultSettings {
  private var values: [String: ConfigurationFile.Value] = [:]
  private var file = ""
  /// The plugins' recipients that the configuration calls post-quantum.
  var postQuantum: Set<String> = []

  init() {}

  init(_ entry: ConfigurationFile.Entry, file: String) {
    values = entry.values
    self.file = file
  }

  func values(of key: String) -> String? { values[key]?.text }

  var name: ExactText? { values["name"]?.text.map(ExactText.init(_:)) }
  var id: VaultID? { values["id"]?.text.flatMap(VaultID.init(hex:)) }
  var label: String? { values["label"]?.text }
  var datadir: String? { path("datadir") }
  /// The sources, their paths as ``path(_:)`` has them.
  var from: [String]? { values["from"]?.texts?.map { SourceName.replacingPath(in: $0, located) } }
  var targets: [ExactText]? { values["targets"]?.texts?.map(ExactText.init(_:)) }
  var recipients: [String] { values["recipients"]?.texts ?? [] }
  var recipientsFile: String? { path("recipients_file") }
  var guardians: String? { path("guardians") }
  /// Whether public keys or guardians open its archives, so that sealing one needs no passphrase.
  var isSealedToKeys: Bool { !recipients.isEmpty || recipientsFile != nil || guardians != nil }
  var slotNames: [String] { values["slot_names"]?.texts ?? [] }
  var signKey: String? { path("sign_key") }
  var trustedSigners: [String] { values["trusted_signers"]?.texts ?? [] }
  var trustedSignersFile: String? { path("trusted_signers_file") }
  var kdfMemory: UInt32? { values["kdf_memory"]?.number.map(UInt32.init) }
  var kdfPasses: UInt32? { values["kdf_passes"]?.number.map(UInt32.init) }
  var passphraseFile: String? { path("passphrase_file") }
  var keychainKeyFile: String? { path("keychain_key_file") }
  var archiveEndpoints: [String] { values["archive_endpoints"]?.texts ?? [] }

  /// Returns the vault's id from the configuration, else from the store in a data directory; nil if neither has it.
  func id(ofStoreIn dataDirectory: String) -> VaultID? {
    if let id { return id }
    return try? WalletStore.vaultID(ofStoreIn: dataDirectory)
  }

  /// Returns a path, relative to the file's folder, with the user's home for `~/`.
  func path(_ key: String) -> String? {
    values[key]?.text.map(located)
  }

  private func located(_ text: String) -> String {
    let path = HomePath.expanded(text)
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }
}

extension VaultSettings {
  /// The configured options of the vault's archives.
  var publicationOptions: PublicationOptions {
    var options = PublicationOptions()
    options.parity = parity
    options.history = fullEvery.map(HistoryChoice.whenDue(every:))
    options.guardiansStay = guardians == nil
    return options
  }
}

/// The vaults of wallets' stores, found out without a trace in this process.
enum StoreIDs {
  /// Returns the vaults' ids by data directory; a directory without a store has none.
  ///
  /// A child process opens SQLite's connections: they start threads, which would keep the rights that this process is
  /// about to give up.
  static func read(_ directories: [String]) -> [ExactText: VaultID] {
    guard !directories.isEmpty else { return [:] }
    let nothing = [UInt8](repeating: 0, count: VaultID.byteCount + 1)
    // The first byte shows whether an id follows.
    let answer = try? ForkedWork.answer {
      directories.flatMap { directory in
        (try? WalletStore.vaultID(ofStoreIn: directory)).map { [1] + $0.bytes } ?? nothing
      }
    }
    var ids: [ExactText: VaultID] = [:]
    for (index, directory) in directories.enumerated() {
      let entry = (answer ?? []).dropFirst(index * nothing.count).prefix(nothing.count)
      if entry.first == 1 { ids[ExactText(directory)] = VaultID(bytes: Array(entry.dropFirst())) }
    }
    return ids
  }
}
