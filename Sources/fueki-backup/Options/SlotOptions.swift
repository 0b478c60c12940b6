internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet

/// Public keys that will open an archive: recipients, and guardians.
struct SlotOptions: ParsableArguments {
  @Option(
    name: .withLetter(.recipient),
    help: ArgumentHelp(
      "An age recipient that opens the archive, or only these scopes. May be repeated.",
      valueName: "age1…[=scopes]"))
  var recipient: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file of recipients, one a line. May be repeated.", valueName: "file", visibility: .more),
    completion: .file())
  var recipientsFile: [String] = []

  @Option(
    help: ArgumentHelp(
      "The guardians' public file, from \"guardians split\"; \"none\" for no guardians.", valueName: "file",
      visibility: .more),
    completion: .file())
  var guardians: String?

  /// Whether the archive is to have no guardians, whatever earlier ones have.
  var excludesGuardians: Bool { guardians == "none" }

  /// Reads the keys that these options ask for, else the vault's; none of them needs a secret here.
  ///
  /// To be called once in a run, because a file may be a pipe.
  func keys(_ vault: VaultSettings = VaultSettings()) throws -> PublicKeys {
    let recipients = try recipients(vault)
    var seen: Set<String> = []
    for recipient in recipients where !seen.insert(recipient.text).inserted {
      throw CommandError.usage(
        "the recipient \(recipient.text) is there twice: name it once, with all its scopes")
    }
    let guardians = try excludesGuardians ? nil : (guardians ?? vault.guardians).map(GuardianFile.read)
    return PublicKeys(recipients: recipients, guardians: guardians)
  }

  private func recipients(_ vault: VaultSettings) throws -> [NamedRecipient] {
    guard !recipient.isEmpty || !recipientsFile.isEmpty else { return try vault.archiveRecipients() }
    let given = try recipient.map(NamedRecipient.init) + recipientsFile.flatMap(NamedRecipient.all)
    return given.map { $0.declared(vault.postQuantum) }
  }
}

/// The public keys that will open an archive.
struct PublicKeys {
  let recipients: [NamedRecipient]
  let guardians: GuardianSet?

  var slots: [NewSlot] {
    recipients.map { NewSlot($0.recipient, opening: $0.mask) } + (guardians.map { [.guardians($0)] } ?? [])
  }

  /// One line for each key.
  var lines: [String] { recipients.map(\.line) + (guardians.map { [$0.line] } ?? []) }

  /// Whether an age plugin seals to one of the recipients.
  var needPlugins: Bool { recipients.contains { $0.recipient.type == .agePlugin } }

  /// Returns whether the vault's next archives open with the recipients, too.
  ///
  /// Guardians stay from archive to archive.
  func areConfigured(in vault: VaultSettings) throws -> Bool {
    // A passphrase can be added even if the configured file cannot be read.
    guard !recipients.isEmpty else { return true }
    return try Set(recipients.map(\.line)).isSubset(of: vault.archiveRecipients().map(\.line))
  }
}

/// An age recipient, and the scopes that it is to open: `age1…` or `age1…=history,profile`.
struct NamedRecipient {
  private(set) var recipient: any Recipient
  /// As age writes it.
  let text: String
  let mask: ScopeMask

  /// The recipient with its scopes, on one line.
  var line: String { "\(text)=\(mask.scopes.map(\.name).joined(separator: ","))" }

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? ""
    do {
      recipient = try RecipientText.read(name, plugins: PluginQuestions.plugins)
    } catch {
      throw CommandError.usage("\(name) is not an age recipient (age1…)")
    }
    self.text = recipient.text ?? name
    guard parts.count == 2 else {
      mask = .all
      return
    }
    let names = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    let scopes = try names.map { name in
      guard let scope = ArchiveScope.allCases.first(where: { $0.name == name }) else {
        throw CommandError.usage("\(name) is not a scope. The scopes are profile, history and secrets")
      }
      return scope
    }
    mask = ScopeMask(scopes)
  }

  /// Returns the recipient, with the configuration's declaration of a plugin's.
  func declared(_ postQuantum: Set<String>) -> NamedRecipient {
    guard postQuantum.contains(text), let plugin = recipient as? PluginRecipient else { return self }
    var declared = self
    declared.recipient = plugin.declaredForTheLongTerm()
    return declared
  }

  /// A recipients' file as age reads it: one a line, `#` comments and empty lines passed over.
  static func all(inFile path: String) throws -> [NamedRecipient] {
    var recipients: [NamedRecipient] = []
    for (index, line) in try TextFile.trustedLines(at: path).enumerated() {
      let entry = line.filter { !$0.isWhitespace }
      guard !entry.isEmpty, !entry.hasPrefix("#") else { continue }
      do {
        recipients.append(try NamedRecipient(entry))
      } catch CommandError.usage(let reason) {
        throw CommandError.usage("\(path), line \(index + 1): \(reason)")
      }
    }
    guard !recipients.isEmpty else { throw CommandError.usage("\(path) names no recipient") }
    return recipients
  }
}

/// The cost of deriving a key from a passphrase, for this machine and for an attacker.
struct CostOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Memory of the key derivation, 64…1024.", valueName: "MiB", visibility: .more))
  var kdfMemory: UInt32?

  @Option(help: ArgumentHelp("Passes of the key derivation, 2…16.", valueName: "n", visibility: .more))
  var kdfPasses: UInt32?

  func validate() throws {
    let (memory, passes) = (kdfMemory ?? Self.memory, kdfPasses ?? Self.passes)
    guard (64...1024).contains(memory), (2...16).contains(passes), UInt64(memory) * UInt64(passes) <= 16 << 10
    else { throw ValidationError("--kdf-memory is 64…1024, --kdf-passes 2…16, their product at most 16384") }
  }

  /// The options, else the configuration's, else the format's defaults.
  func cost(_ vault: VaultSettings) -> Argon2id.Cost {
    Argon2id.Cost(
      memoryKiB: (kdfMemory ?? vault.kdfMemory ?? Self.memory) << 10,
      passes: kdfPasses ?? vault.kdfPasses ?? Self.passes)
  }

  /// The memory without an option or a configured value, in MiB.
  static let memory: UInt32 = 256
  private static let passes: UInt32 = 3
}
