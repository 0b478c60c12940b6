internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// An earlier archive that has things which a restored one lacks, and the way to bring them.
struct EarlierArchive {
  let link: VaultState.Link
  /// The things, none of which its owner gave up.
  let absences: [Absence]
  /// Where it is; nil if it is in no folder that was looked into.
  let path: String?

  /// Finds the archives that have what another lacks.
  ///
  /// - Parameters:
  ///   - absences: what the restored archive says of earlier ones.
  ///   - path: where the restored archive is.
  ///   - targets: the folders besides that one's own.
  /// - Returns: the archives, the newest first.
  static func all(_ absences: [Absence], beside path: String, _ targets: [Target]) -> [EarlierArchive] {
    let groups = Dictionary(grouping: absences.filter { !$0.isAccepted }, by: \.last)
    guard !groups.isEmpty else { return [] }
    let folders = [Target(holding: path)] + targets
    let entries = folders.flatMap { (try? $0.entries()) ?? [] }
    return groups.sorted { $0.key.sequence > $1.key.sequence }.map { link, absences in
      let entry = entries.first { $0.archive?.statedDigest.hex == link.digest }
      return EarlierArchive(link: link, absences: absences, path: entry?.path)
    }
  }

  /// The places of the files among the things.
  var places: [String] { absences.filter { $0.holding.kind == .file }.map(\.holding.name) }

  /// The places that lie in a home.
  var homePlaces: [String] { places.filter { $0.hasPrefix("~/") } }
}

extension RestoreCommand {
  /// Brings what the restored archive lacks and an earlier one has, where a person wants it; else prints the commands
  /// that do.
  func bringMissing(after outcome: RestoreOutcome, _ targets: [Target], _ console: Console) throws {
    guard !output.json else { return }
    let absences = outcome.recovered.report.manifest.losses
    for earlier in EarlierArchive.all(absences, beside: outcome.path, targets) {
      guard let path = earlier.path else {
        console.line(
          "number \(earlier.link.sequence) (\(earlier.link.digest.prefix(8))) is not here: look for it where your other "
            + "archives are, and restore it in the same way")
        continue
      }
      guard Terminal.isAvailable, try Asking.yes(Self.question(earlier), default: true) else {
        print(commands(earlier, path, into: outcome.dataDirectory), of: earlier, console)
        continue
      }
      do {
        try bring(earlier, path, into: outcome.dataDirectory)
      } catch let error as SystemError where error.isInterrupted {
        throw error
      } catch is ExitStatus {
        console.warning("not everything of number \(earlier.link.sequence) was brought: see above")
      } catch {
        console.warning(
          "nothing was brought from number \(earlier.link.sequence): \(Failure(describing: error, during: .restore).message)"
        )
        print(commands(earlier, path, into: outcome.dataDirectory), of: earlier, console)
      }
    }
  }

  private static func question(_ earlier: EarlierArchive) -> String {
    let names = earlier.absences.prefix(5).map { "\($0.holding.kind.rawValue) \($0.holding.name)" }
    let more = earlier.absences.count > 5 ? " and \(earlier.absences.count - 5) more things" : ""
    return "bring \(names.joined(separator: ", "))\(more) from number \(earlier.link.sequence)"
  }

  /// Adds what an earlier archive has; what is there stays as it is.
  private func bring(_ earlier: EarlierArchive, _ path: String, into directory: String) throws {
    var command = self
    command.archive = path
    command.data.datadir = directory
    (command.wallet, command.resume, command.salvage) = ([], false, false)
    (command.onConflict, command.acceptOlder, command.files) = (.skip, true, .nowhere)
    command.noResync = true
    try command.restore(isFollowing: true)
    guard !earlier.homePlaces.isEmpty, files != .nowhere else { return }
    var put = PutBack(
      archive: path, files: files ?? .home, policy: .fail, placing: placing, dryRun: false,
      settings: settings,
      targets: targets, trust: trust, secrets: secrets, output: output)
    put.places = earlier.homePlaces
    try put.run { try Places.state().lock(purpose: "put-back", processID: CurrentProcess.identifier) }
  }

  /// The commands that do the same; a secret stands there as the option that reads it, if one was given.
  private func commands(_ earlier: EarlierArchive, _ path: String, into directory: String) -> [[String]] {
    let common = settings.words + secrets.words
    var commands = [
      [Offer.name, "restore", path, "--datadir", directory, "--on-conflict", "skip", "--accept-older"]
        + ["--files", "none", "--no-resync"] + common + keychain.words
    ]
    if !earlier.homePlaces.isEmpty {
      commands.append(
        [Offer.name, "put-back", path] + earlier.homePlaces.flatMap { ["--path", $0] } + common)
    }
    return commands
  }

  private func print(_ commands: [[String]], of earlier: EarlierArchive, _ console: Console) {
    console.line("")
    console.line(
      "To bring what number \(earlier.link.sequence) has and this archive lacks (what is here already stays as it is):"
    )
    for words in commands { console.verbatim("  " + words.map(ShellWord.quoted).joined(separator: " ")) }
  }
}

extension ConfigurationOptions {
  /// The options as they were given.
  var words: [String] { (config.map { ["--config", $0] } ?? []) + (vault.map { ["--vault", $0] } ?? []) }
}

extension ArchiveSecretOptions {
  /// The options that name files and commands, as they were given.
  var words: [String] {
    var words: [String] = []
    for (name, value) in [
      ("--passphrase-file", passphrase.passphraseFile),
      ("--passphrase-command", passphrase.passphraseCommand), ("--key-file", passphrase.keyFile),
    ] {
      if let value { words += [name, value] }
    }
    words += identity.flatMap { ["--identity", $0] }
    return words + (shares.isEmpty ? [] : ["--shares"] + shares)
  }
}

extension KeychainSecretOptions {
  /// The options that name files and commands, as they were given.
  var words: [String] {
    var words: [String] = []
    for (name, value) in [
      ("--keychain-passphrase-file", keychainPassphraseFile),
      ("--keychain-passphrase-command", keychainPassphraseCommand), ("--keychain-key-file", keychainKeyFile),
    ] {
      if let value { words += [name, value] }
    }
    return words
  }
}
