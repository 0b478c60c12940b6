internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Recognizes the user's vaults after this machine's state was lost, with the passphrase that the nights use.
///
/// `create` does the same with the passphrase that it seals with.
struct LostState {
  private let configuration: Configuration
  private let console: Console

  init(_ configuration: Configuration, _ console: Console) {
    self.configuration = configuration
    self.console = console
  }

  /// The files with passphrases that it may read.
  static func files(_ configuration: Configuration) -> [String] {
    [given.path].compactMap(\.self) + configuration.candidates.compactMap(\.passphraseFile)
  }

  private static var given: SecretSource { SecretSource(place: nil, name: .passphrase, secret: .archive) }

  private var own: [VaultID] { configuration.vaults.compactMap(configuration.vaultID) }

  /// Returns the trusted signers with those of the vaults in the targets that are proved to be the user's, and reports them.
  ///
  /// Nothing is remembered: that a vault is the user's does not mean that it is this machine's, which `create` decides. A
  /// terminal asks about the signer if no passphrase proves a vault.
  ///
  /// Without a vault, all are looked at. A target that does not answer is passed over.
  func trust(_ vault: VaultID?, in targets: [Target], _ state: StateDirectory, _ trust: Trust) throws -> Trust
  {
    let recognition = VaultRecognition(secrets: secrets, asking: SignerAcceptance.asks)
    let found = try recognition.find(
      among: try targets.archives(), vault: vault, own: own, unknownTo: state, trust)
    for doubt in found.doubts.sorted(by: { $0.key < $1.key }) {
      console.warning(doubt.value.asProblem)
    }
    return try self.trust(trust, with: found, state)
  }

  /// The same for archives that were read, without asking, and the problems of this machine's own vaults: until `create`
  /// has continued them, nothing shows that their backups go on.
  func trust(
    _ trust: Trust, of archives: [StoredArchive], _ state: StateDirectory
  ) throws -> (trust: Trust, problems: [VaultID: String], doubts: [VaultID: LineageError]) {
    let recognition = VaultRecognition(secrets: secrets) { _, _ in false }
    // A damaged state of one vault is reported with that vault.
    let found =
      (try? recognition.find(among: archives, vault: nil, own: own, unknownTo: state, trust)) ?? .init()
    guard !Interruption.wasRequested else { throw Interrupted() }
    var problems = found.doubts.mapValues(\.asProblem)
    for vault in found.proven where vault.mayBeOwn { problems[vault.id] = vault.id.mayBeContinued }
    for (id, vault) in state.vaults() {
      guard let other = (try? vault.get())?.besides.flatMap({ VaultID(hex: $0) }) else { continue }
      problems[id] = "this machine backs up to a vault of its own until you choose. \(other.ways)"
    }
    return (try self.trust(trust, with: found, state), problems, found.doubts)
  }

  private func trust(
    _ trust: Trust, with found: RecognizedVaults, _ state: StateDirectory
  ) throws -> Trust {
    var trust = trust
    for vault in found.proven {
      if vault.mayBeOwn { console.note(vault.id.mayBeContinued) }
      trust.remember(try state.vault(vault.id).accepting(vault.accepted), of: vault.id)
    }
    return trust
  }

  /// Returns the passphrases that a nightly backup would find without asking; nil without any.
  private func secrets() throws -> UnlockingSecrets? {
    // A place that cannot be read proves nothing.
    let passphrases = ((try? Self.given.given(console)?.all) ?? []) + ConfiguredPassphrases(configuration).all
    return passphrases.isEmpty ? nil : UnlockingSecrets(passphrases: passphrases)
  }
}

extension VaultID {
  /// The beginning of a sentence about a vault that is unknown to this machine's state and proved to be the user's.
  var recognized: String {
    "this machine's state does not know vault \(hex), but the target has its archives, and they are yours: "
  }

  /// What the next backup does with such a vault.
  fileprivate var mayBeContinued: String {
    recognized + "\"create\" continues it if what its newest archive has is here"
  }
}

extension LineageError {
  /// An error of the next backup as a problem now, with the advice.
  var asProblem: String {
    let end = "\"create\" makes no backup, and ends with \(failure.status.rawValue)"
    return ["\(failure.message). \(end)", failure.hint].compactMap(\.self).joined(separator: ": ")
  }
}

/// Finds archives that another machine made since this machine's last one, for a report, without accepting them.
///
/// The other machine may sign with a key unknown to this one. Then the configured passphrase file shows whether the
/// archive is the user's: it must open it, and be its only key.
struct OtherMachineSearch {
  private let configuration: Configuration
  private let state: StateDirectory

  init(_ configuration: Configuration, _ state: StateDirectory) {
    self.configuration = configuration
    self.state = state
  }

  /// Returns nil if there is none, or none is proved to be the user's.
  func find(_ id: VaultID, among entries: [TargetEntry], _ ownerships: Ownerships) -> OtherMachine? {
    guard let known = try? state.vault(id), !known.isLeft else { return nil }
    return OtherMachine(since: known, of: id, among: entries) { archive in
      ownerships[archive] == .mine || opens(archive, of: id)
    }
  }

  private func opens(_ archive: StoredArchive, of id: VaultID) -> Bool {
    guard SignerLearning.hasOnlyPassphrase(archive) else { return false }
    return ConfiguredPassphrases(configuration, of: id).opens(archive)
  }
}

/// The passphrases in the configured files, which prove without a question that an archive is the user's.
///
/// A file that cannot be read proves nothing.
struct ConfiguredPassphrases {
  private let files: [String]

  /// Without a vault, these are the files of every vault.
  init(_ configuration: Configuration, of vault: VaultID? = nil) {
    let candidates = configuration.candidates
    let vaults = candidates.filter { settings in
      guard let vault else { return true }
      return configuration.vaultID(of: settings).map { $0 == vault } ?? (candidates.count == 1)
    }
    files = vaults.compactMap(\.passphraseFile)
  }

  /// The passphrases, each in every form that its file may mean.
  var all: [SharedSecret] { files.flatMap { (try? SecretSource.passphrase(inFile: $0).all) ?? [] } }

  /// Returns whether the passphrase of one file opens an archive.
  func opens(_ archive: StoredArchive) -> Bool {
    files.contains { (try? StoredPassphrase(at: $0).opens(archive, keyFiles: [])) == true }
  }
}
