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

/// Asks once whether an undeclared folder is copied elsewhere, and writes the answer to the configuration.
enum TargetQuestion {
  /// Returns the targets with the user's answers.
  ///
  /// Without a terminal there is no question, and an undeclared target counts as synced.
  ///
  /// - Throws: ``CommandError/configuration(_:)`` if the file would become invalid, and errors from writing it.
  static func answered(
    _ targets: [Target], _ configuration: Configuration, in path: String, _ console: Console
  ) throws -> [Target] {
    let declared = Set(configuration.targets.map(\.target.place))
    guard Terminal.isAvailable else { return targets }
    var folders = FolderQuestions()
    var asked: Set<ExactText> = []
    let answered = try targets.map { target in
      guard target.kind == .synced, !declared.contains(target.place) else { return target }
      // A missing target fails when it is inspected, and is not remembered.
      guard (try? target.check()) != nil else { return target }
      asked.insert(target.place)
      let kind = try folders.kind(of: target.path)
      return Target(path: target.path, kind: kind == .local ? .local : .synced)
    }
    let new = answered.filter { asked.contains($0.place) }
    let others = answered.filter { !asked.contains($0.place) }
    var includesKeys: Bool?
    if new.contains(where: \.isSeenByOthers) {
      // One archive for all: the keys go into it only if every such target has them.
      if configuration.keysDecision(for: others, areAllowed: false) == .included {
        includesKeys = try KeysQuestion.ask(new, isExplained: folders.isExplained)
      } else {
        Asking.say([
          "Unencrypted keys stay out, as they do without this folder: another target keeps them out."
        ])
      }
    }
    for target in new {
      try remember(target, target.isSeenByOthers ? includesKeys : nil, in: path)
      console.note("\(path) now lists \(target.path) as \(target.kind.rawValue), a target of every backup")
    }
    return answered
  }

  private static func remember(_ target: Target, _ includesKeys: Bool?, in path: String) throws {
    var text = try ConfigurationText.present(at: path)
    var table = ConfigurationText(comment: [])
    table.begin(.target)
    table.add("path", try AbsolutePath.of(target.path))
    table.add("kind", target.kind.rawValue)
    if let includesKeys { table.add("private_keys", includesKeys) }
    text += table.text
    // The written configuration must be valid.
    _ = try Configuration(ConfigurationFile(path: path, text: text))
    try OutputFile.update(text, at: path)
  }
}
