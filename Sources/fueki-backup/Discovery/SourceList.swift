internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// The sources of a backup, as `--from` and the configuration name them.
struct SourceList {
  /// Whether naming a wallet as a source includes its secrets in the clear.
  ///
  /// Not if a target is copied elsewhere and the user did not allow it.
  var namedKeys = KeysDecision.undecided
  /// Whether an option listed the sources: a user who lists a wallet's file wants all of it back.
  private let areNamed: Bool
  /// Whether every wallet that discovery finds is among them.
  private let hasAll: Bool
  private let names: [String]
  /// The sources from `[[source]]` and `all`.
  ///
  /// A missing one affects the run's exit status, but not the archive.
  private let wallets: [WalletSource]
  private let dataDirectory: String?
  /// What the configuration keeps out of every backup.
  private let declined: SourceCoverage
  private let keychain: KeychainSecretOptions
  private let vault: VaultSettings
  private let console: Console
  /// The processes that read the sources' files; nil if this process does.
  private let readers: Readers?

  /// - Parameters:
  ///   - from: `store`, `all`, or `kind:PATH` of a foreign source; empty for what the configuration says.
  ///   - data: where the store is; looked at only where the store is among the sources.
  ///   - keychain: what opens the store's keychain.
  ///   - configuration: the places of the store and its keychain, unless an option sets them.
  ///   - console: asks for a passphrase, once one is needed.
  ///   - readers: who reads the files of other programs; nil if this process does.
  /// - Throws: as ``check(_:)``; ``CommandError/usage(_:)`` where nothing says where the store is; `SystemError` or
  ///   ``StoreError/notThere(path:)`` for a source that is not there.
  init(
    _ from: [String], data: DataOptions, keychain: KeychainSecretOptions, configuration: Configuration,
    console: Console, readers: Readers? = nil
  ) throws {
    self.readers = readers
    vault = try configuration.vault()
    declined = configuration.declined
    areNamed = !from.isEmpty
    let listed =
      from.isEmpty
      ? vault.from ?? ["store"] : from.map { SourceName.replacingPath(in: $0, HomePath.expanded) }
    names = listed.filter { $0 != SourceName.all }
    hasAll = listed.contains(SourceName.all)
    dataDirectory = names.contains("store") ? try data.path(configuration) : nil
    self.keychain = keychain
    self.console = console
    try Self.check(listed)
    var wallets: [WalletSource] = []
    if from.isEmpty {
      var unreadable: Set<ExactText> = []
      wallets = configuration.chosenSources.flatMap { WalletSource.all($0, console, unreadable: &unreadable) }
      for folder in unreadable.sorted() {
        console.warning("\(folder) could not be searched: files that belong to a [[source]] may be missing")
      }
    }
    if hasAll {
      wallets += try WalletsHere.find().sourceNames.map { WalletSource(name: $0) }
    }
    self.wallets = WalletSource.unique(wallets, besides: names)
    try checkAllAreThere()
  }

  /// Ends before a question for a secret if the store is missing, or a path that an option names.
  ///
  /// A source of the configuration that is missing tonight keeps no other out of the archive.
  private func checkAllAreThere() throws {
    if let dataDirectory { try WalletStore.checkIsThere(dataDirectory) }
    guard areNamed else { return }
    for path in names.compactMap(SourceName.path) where (try? Directory.open(path)) == nil {
      do {
        _ = try File.openRegular(path)
      } catch {
        guard !error.isNotFound else { throw error }
      }
    }
  }

  /// - Throws: ``CollectorKindError`` if a name is no source's; ``CommandError/usage(_:)`` if one is repeated: its
  ///   records would be in the archive twice, which no archive may have.
  static func check(_ names: [String]) throws {
    // By their bytes: to Swift two texts are equal that Unicode can turn into each other, and their wallets are two.
    var seen: Set<[UInt8]> = []
    for name in names {
      if name != "store", name != SourceName.all { _ = try CollectorKind.source(name) }
      guard seen.insert(name.pathBytes).inserted else {
        throw CommandError.usage("the source \(name) is there twice: name it once")
      }
    }
  }

  /// Returns the store's vault; if no store is among the sources, the configuration's or this machine's.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if the configuration has another vault than the store.
  func namedVault(_ state: LockedState, _ configuration: Configuration) throws -> NamedVault {
    let isConfigured = vault.id != nil || configuration.vaults.count > 1
    guard let dataDirectory else {
      // A single vault without an id is that of the sources, whatever store is here.
      let listed =
        configuration.vaults.count > 1 ? configuration.vaults.compactMap(configuration.vaultID) : []
      let present = try? WalletStore.vaultID(ofStoreIn: DataOptions.standard(configuration))
      return NamedVault(
        try vault.id ?? state.keptStorelessVaultID(), isConfigured: isConfigured, isStoreless: true,
        others: Set(listed), store: present)
    }
    let id = try Self.vaultID(ofStoreIn: dataDirectory, vault)
    return NamedVault(id, isConfigured: isConfigured, isStoreless: false)
  }

  /// The vault of the store in a data directory.
  ///
  /// - Throws: as ``namedVault(_:_:)``, and ``StoreError/notThere(_:)``.
  static func vaultID(ofStoreIn dataDirectory: String, _ vault: VaultSettings) throws -> VaultID {
    let store = try WalletStore.open(dataDirectory)
    defer { try? store.close() }
    guard vault.id == nil || vault.id == store.vaultID else {
      throw CommandError.usage(
        "\(dataDirectory) is of vault \(store.vaultID.hex), but the configuration names another")
    }
    return store.vaultID
  }

  /// Whether the secrets of the store in a data directory came out of an archive of its vault.
  static func handsOnSecrets(ofStoreIn dataDirectory: String) -> Bool {
    let vaults = ((try? Places.state().vaults()) ?? [:]).filter {
      (try? $0.value.get())?.handsOnSecrets ?? false
    }
    // Only a machine that restored a vault opens the store for this.
    guard !vaults.isEmpty, let vault = try? WalletStore.vaultID(ofStoreIn: dataDirectory) else {
      return false
    }
    return vaults[vault] != nil
  }

  /// The configured sources that the run leaves out because an option listed others.
  func runSources(_ configuration: Configuration) -> RunSources {
    var sources = RunSources()
    guard areNamed, !hasAll else { return sources }
    let store = vault.id == nil ? [] : ["store"]
    let listed = (vault.from ?? store).filter { $0 != SourceName.all }
    var unreadable: Set<ExactText> = []
    let tables = configuration.chosenSources.flatMap {
      WalletSource.all($0, console, unreadable: &unreadable)
    }.map(\.name)
    let configured = listed.map { SourceName.replacingPath(in: $0, HomePath.expanded) } + tables
    sources.leftOut = Set(configured.map(ExactText.init(_:))).subtracting(sourceNames.map(ExactText.init(_:)))
      .sorted().map(\.text)
    return sources
  }

  /// The sources, in the form of `--from`.
  var sourceNames: [String] { names + wallets.map(\.name) }

  /// Returns the names of the store's wallets and of other wallets' files.
  func knownNames() -> [String] {
    let files = (names + wallets.map(\.name)).filter { $0 != "store" }
      .compactMap { $0.split(separator: "/").last.map(String.init) }
    return (dataDirectory.map(KnownNames.ofWallets(inStore:)) ?? []) + files
  }

  func collectors(_ request: CollectionRequest) throws -> [any Collector] {
    try collectors { try opening(request, $0) }
  }

  /// Returns the sources if the secret of the store's keychain is given; nil if the user would have to be asked.
  func collectorsWithoutAsking() throws -> [any Collector]? {
    var opening: KeychainOpening?
    if let dataDirectory, try Keychain.currentStamp(in: dataDirectory) != nil {
      opening = try keychain.openingWithoutAsking(console, vault)
      guard opening != nil else { return nil }
    }
    return try collectors { _ in opening }
  }

  private func collectors(
    opening: (_ directory: String) throws -> KeychainOpening?
  ) throws -> [any Collector] {
    let copying = WalletCopies.copying(readers)
    let listed = try names.map { name -> any Collector in
      guard name == "store", let dataDirectory else {
        let source = try CollectorKind.source(name, copying: copying, in: readers)
        return areNamed ? NamedSource(source: source, keys: namedKeys) : source
      }
      let store = StoreCollector(
        dataDirectory: dataDirectory, keychain: try opening(dataDirectory), encodings: ShareEncoding.all,
        comparing: carried)
      // Secrets that came out of an archive leave as those of a named source do.
      return Self.handsOnSecrets(ofStoreIn: dataDirectory)
        ? NamedSource(source: store, keys: namedKeys) : store
    }
    return listed
      + wallets.map {
        WalletCollector(source: $0, keys: namedKeys, copying: copying, readers: readers)
      }
  }

  /// Compares what the store carries from archive to archive with the files in the home; nil without a home.
  private var carried: CarriedCopies? {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return nil }
    return CarriedCopies(home: home) { [declined] in declined.declines($0) }
  }

  /// Returns the secrets of the keychain; nil, without asking, if no secret will be read.
  private func opening(_ request: CollectionRequest, _ directory: String) throws -> KeychainOpening? {
    guard request.selection.touches(.secrets), try Keychain.currentStamp(in: directory) != nil else {
      return nil
    }
    return try keychain.opening(console, vault, of: directory)
  }
}

/// A wallet's files as an option named them, or a restored store.
private struct NamedSource: Collector {
  let source: any Collector
  let keys: KeysDecision

  var name: String { source.name }
  var isStore: Bool { source.isStore }

  func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    var request = request
    if keys == .included { request.includesPrivateKeys = true }
    if keys == .declined { request.secretsAreUnwanted = true }
    request.condition = WalletCollector.condition(keys)
    try source.collect(request, into: &bundle)
  }
}

/// Errors of a backup's sources: which of them end the run, and why the others leave their source out.
enum SourceErrors {
  /// Why a source is left out, in one sentence; nil for a keychain that does not open and an interruption.
  static func reason(_ error: any Error) -> String? {
    guard !Interrupted.isCause(of: error) else { return nil }
    return switch error {
    case is KeychainError, CollectError.keychain: nil
    case let error as SystemError: error.sentence
    case let error as ForeignFileError: error.sentence
    case let error as WorkBudget.Exceeded: error.sentence
    case let error as ReaderError: error.sentence
    case CollectError.sourceKeepsChanging: "its files kept changing while they were read"
    default: Failure(describing: error).message
    }
  }

  /// Leaves a source out of a comparison: a warning names it, and it is not compared.
  ///
  /// - Throws: the error if it ends the run.
  static func leavingOut(_ source: any Collector, _ error: any Error, _ console: Console) throws
    -> SourceReport
  {
    guard let reason = reason(error) else { throw error }
    let isGone = (error as? SystemError)?.isNotFound == true
    console.warning(
      isGone
        ? "\(source.name) is not there, and counts as removed"
        : "\(source.name) cannot be read, and is not compared: \(reason)")
    return .failed(source.name, reason)
  }
}
