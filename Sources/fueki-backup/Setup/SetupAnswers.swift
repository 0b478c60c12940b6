internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// The given and detected settings for `init`.
struct SetupAnswers {
  /// The key that will sign.
  struct Signing {
    let path: String
    let signer: Signer
    let isSealed: Bool
    let isNew: Bool
  }

  let datadir: String
  /// The store's vault, if there is a store already.
  let vaultID: VaultID?
  /// The vault of sources without a store, if the user was asked for it.
  var chosenVault: VaultID?
  let targets: [Target]
  /// Whether unencrypted keys go into targets that others see; nil if undecided.
  let includesKeys: Bool?
  let label: String?
  let recipients: [String]
  let recipientsFile: String?
  let guardians: String?
  let keychainKeyFile: String?
  /// Other programs' wallets that are backed up.
  let sources: [AddedSource]
  var signing: Signing?
  /// Whether to ask for the passphrase now and keep it for the timer.
  ///
  /// True if the only wallets here are other programs', and only a passphrase opens their archives.
  let keepsPassphrase: Bool
  var passphraseFile: String?

  /// Reads the options, and asks for the rest if there is a terminal.
  init(_ command: InitCommand, _ console: Console) throws {
    let isAsking = Terminal.isAvailable
    let usual = try command.data.path(Configuration())
    let found = command.addWallets || isAsking ? OfferedSources(try WalletsHere.find()) : nil
    // Without a store there is nothing else to back up, and nothing to be asked about it.
    let areOthersOnly =
      try isAsking && command.data.datadir == nil && found?.isEmpty == false
      && Self.vault(usual) == nil
    let isGiven = command.data.datadir != nil || !isAsking || areOthersOnly
    datadir =
      try isGiven
      ? AbsolutePath.of(usual)
      : Asking.line("the wallet's data directory", default: usual) {
        try AbsolutePath.of(HomePath.expanded($0))
      }
    vaultID = try Self.vault(datadir)

    var folders = command.targets.target
    if folders.isEmpty, isAsking {
      folders = [
        try Asking.line("the folder for the archives", default: nil) { answer in
          guard !answer.isEmpty else { throw CommandError.usage("no folder was typed") }
          let path = HomePath.expanded(answer)
          try Target(path: AbsolutePath.of(path)).check()
          return path
        }
      ]
    }
    guard !folders.isEmpty else { throw CommandError.usage("init needs a --target") }
    let paths = try folders.map(AbsolutePath.of)
    for path in paths { try Target(path: path).check() }
    var questions = FolderQuestions()
    targets = try paths.map { path in
      // A remote's kind is fixed, so there is no question about it.
      guard Target(path: path).kind != .rclone else { return Target(path: path) }
      let kind = try command.targetKind ?? (isAsking ? questions.kind(of: path) : .synced)
      return Target(path: path, kind: kind == .local ? .local : .synced)
    }
    label = command.label
    sources = try Self.sources(found, isTaking: command.addWallets || areOthersOnly, console)
    includesKeys =
      isAsking && !sources.isEmpty
      ? try KeysQuestion.ask(targets, isExplained: questions.isExplained) : nil

    var slots = command.recipients
    let saysWho = !slots.recipient.isEmpty || !slots.recipientsFile.isEmpty || slots.guardians != nil
    var opensWithPassphrase = areOthersOnly && !saysWho && !sources.isEmpty
    if !saysWho, isAsking, !opensWithPassphrase {
      slots.recipient = try Self.askRecipients()
      opensWithPassphrase = slots.recipient.isEmpty && vaultID != nil && command.signKey == nil
    }
    keepsPassphrase = opensWithPassphrase
    _ = try slots.keys()
    guard slots.recipientsFile.count <= 1 else {
      throw CommandError.usage("a configuration names one --recipients-file")
    }
    recipients = slots.recipient
    recipientsFile = try slots.recipientsFile.first.map(AbsolutePath.of)
    guardians = try slots.excludesGuardians ? nil : slots.guardians.map(AbsolutePath.of)
    keychainKeyFile = try command.keychain.keychainKeyFile.map(AbsolutePath.of)
  }

  /// Whether an archive can be sealed without any secret.
  var needsNoPassphrase: Bool { !recipients.isEmpty || recipientsFile != nil || guardians != nil }

  private static func vault(_ datadir: String) throws -> VaultID? {
    do {
      let store = try WalletStore.open(datadir)
      defer { try? store.close() }
      return store.vaultID
    } catch StoreError.notThere {
      return nil
    }
  }

  /// Returns the wallets that discovery finds and the files that a restore put here, if the user wants them.
  private static func sources(
    _ offered: OfferedSources?, isTaking: Bool, _ console: Console
  ) throws -> [AddedSource] {
    guard let offered, !offered.isEmpty else { return [] }
    let (found, restored) = (offered.found, offered.restored)
    for place in found.places { console.note("found \(place.title): \(place.path)") }
    for source in restored { console.note("restored here: \(source.path)") }
    guard !isTaking else { return ConfiguredSources.missing(found, SourceCoverage([]), console) }
    let things = found.places.isEmpty ? "files" : restored.isEmpty ? "wallets" : "wallets and files"
    guard try Asking.yes("back these \(things) up", default: true) else { return [] }
    return ConfiguredSources.missing(found, SourceCoverage([]), console)
  }

  /// Asks for the recipients of the archives besides a passphrase, again if one is mistyped.
  private static func askRecipients() throws -> [String] {
    let question = "age recipients that open the archives, separated by spaces, or nothing for a passphrase"
    return try Asking.line(question, default: "") { answer in
      let recipients = answer.split(separator: " ").map(String.init)
      do {
        _ = try recipients.map(NamedRecipient.init)
      } catch {
        throw Failure(.usage, Failure(describing: error).message)
      }
      return recipients
    }
  }

  /// The configuration file.
  func text(vaultName: String?, cost: CostOptions) -> String {
    var text = ConfigurationText(comment: [
      "The configuration of fueki-backup. See fueki-backup-config(5). It holds no secrets."
    ])
    for target in targets {
      text.begin(.target)
      text.add("path", target.path)
      text.add("kind", target.kind.rawValue)
      if let includesKeys, target.isSeenByOthers { text.add("private_keys", includesKeys) }
    }
    text.begin(.vault)
    text.add("name", vaultName)
    text.add("id", (vaultID ?? chosenVault).map(\.hex))
    text.add("label", label)
    text.add("datadir", datadir)
    text.add("recipients", recipients)
    text.add("recipients_file", recipientsFile)
    text.add("guardians", guardians)
    text.add("sign_key", signing?.path)
    text.add("trusted_signers", signing.map { [$0.signer.line] } ?? [])
    text.add("kdf_memory", cost.kdfMemory)
    text.add("kdf_passes", cost.kdfPasses)
    text.add("passphrase_file", passphraseFile)
    text.add("keychain_key_file", keychainKeyFile)
    // Without a store there are no other sources.
    let from = vaultID == nil && !sources.isEmpty ? ConfiguredSources.noStore : ""
    return text.text + from + ConfiguredSources.text(sources)
  }
}
