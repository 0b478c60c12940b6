internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `guardians`: shares of a key among people, of whom some together open the archives.
struct GuardiansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guardians", abstract: "Split a key among guardians, and check their shares.",
    discussion:
      "Together, some of the guardians open what none of them can open alone. See fueki-backup-guardians(1).",
    subcommands: [GuardiansSplitCommand.self, GuardiansCheckCommand.self, GuardiansCombineCommand.self])
}

/// `guardians split`: splits a fresh key into shares, each on a sheet to print, and keeps no copy of the key.
struct GuardiansSplitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split", abstract: "Make a key, split it among guardians, and write a sheet for each.")

  @Option(help: ArgumentHelp("How many guardians are needed, from 2.", valueName: "t"))
  var threshold: Int
  @Option(help: ArgumentHelp("How many guardians there are, up to 16.", valueName: "n"))
  var count: Int
  @Option(
    help: ArgumentHelp(
      "The vault that they guard, 32 hex digits. The default is the wallet's own.", valueName: "hex",
      visibility: .more))
  var vaultId: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @Flag(
    help: ArgumentHelp(
      "Make an X25519 key alone, which a quantum computer could break one day.", visibility: .more))
  var classical = false
  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp("A new or empty folder for the sheets.", valueName: "dir"), completion: .directory)
  var output: String
  @OptionGroup var speech: OutputOptions

  func validate() throws {
    guard 2...16 ~= count, 2...count ~= threshold else {
      throw ValidationError("--threshold is 2 or more and at most --count, and --count is at most 16")
    }
  }

  func run() throws {
    let console = speech.console
    try GuardianFolder.check(output)
    let vaultID = try vaultID(console)
    let guardians = try NewGuardians(
      classical ? .x25519 : .hybrid, threshold: threshold, count: count, vaultID: vaultID)
    let now = Timestamp(microseconds: SystemClock.now / 1_000_000 * 1_000_000).text
    let sheets = guardians.words.enumerated().map { place, words in
      GuardianSheet(
        member: place + 1, count: count, threshold: threshold, identifier: guardians.set.identifier,
        vaultID: vaultID, day: String(now.prefix(10)), words: words)
    }
    let written = try GuardianFolder(
      output, publicText: GuardianFile.text(of: guardians.set, vaultID: vaultID, made: now), sheets: sheets)
    do {
      let read = try written.sheets.map(GuardianShareFile.words)
      guard try guardians.isGivenBack(by: read) else { throw GuardianFolder.notGivenBack }
    } catch {
      written.remove()
      throw error
    }
    report(written, guardians.set, vaultID, console)
  }

  private func report(
    _ written: GuardianFolder, _ set: GuardianSet, _ vaultID: VaultID, _ console: Console
  ) {
    guard !speech.json else {
      return Document.write([
        "schema": "fueki.guardians/1", "vault": vaultID.hex, "threshold": threshold, "count": count,
        "identifier": set.identifier, "recipient": AgeKey.text(recipient: set.publicKey, set.form),
        "guardians": written.publicFile, "sheets": written.sheets,
      ])
    }
    console.line(written.publicFile)
    for sheet in written.sheets { console.line(sheet) }
    console.report(
      "any \(threshold) of \(count) guardians open archives of vault \(vaultID.hex). Fewer cannot")
    console.report("the words were read back and combined. The key itself is kept nowhere")
    console.report(
      "hand each guardian their sheet, then delete the sheets here. \(written.publicFile) is no secret:")
    console.report("  fueki-backup create --guardians \(ShellWord.quoted(written.publicFile))")
  }

  /// The vault that `create` makes archives of.
  private func vaultID(_ console: Console) throws -> VaultID {
    if let vaultId { return try VaultName.read(vaultId) }
    let configuration = try settings.load()
    let vault = try configuration.vault()
    if (vault.from ?? ["store"]).contains("store") {
      let path = try data.path(configuration)
      do {
        return try SourceList.vaultID(ofStoreIn: path, vault)
      } catch StoreError.notThere where data.datadir == nil && vault.datadir == nil {
        console.warning(
          "there is no wallet store at \(path): these guardians are for backups of other sources")
      }
    }
    if let id = vault.id { return id }
    let state = try Places.state().lock(purpose: "guardians", processID: CurrentProcess.identifier)
    return try state.storelessVaultID()
  }
}

/// A vault as people type it.
enum VaultName {
  static func read(_ text: String) throws -> VaultID {
    guard let id = VaultID(hex: text) else {
      throw CommandError.usage("a vault has 32 hex digits, not \(text)")
    }
    return id
  }
}

/// A fresh key, its shares, and the public set.
///
/// The key is wiped with the last reference to it.
struct NewGuardians {
  let set: GuardianSet
  /// Each guardian's words, in member order.
  let words: [SharedSecret]
  private let key: SharedSecret

  init(_ form: AgeKeyForm, threshold: Int, count: Int, vaultID: VaultID) throws {
    let key = SharedSecret(try SecretBytes.random(count: AgeKeyForm.identityByteCount))
    let random = RandomBytes.bytes(2)
    let identifier = (UInt16(random[0]) << 8 | UInt16(random[1])) & 0x7fff
    let shares = try SLIP39.split(key.bytes, threshold: threshold, count: count, identifier: identifier)
    let words = try shares.map { try $0.words() }
    let set = GuardianSet(
      publicKey: try form.publicKey(of: key.bytes), threshold: threshold, identifier: identifier,
      shareTags: words.map { GuardianSet.shareTag(of: $0.bytes, vaultID: vaultID) })
    guard let set else { throw SLIP39Error.parameters }
    self.key = key
    self.words = words
    self.set = set
  }

  /// Returns whether words that were read back, for all guardians in member order, restore the key.
  func isGivenBack(by words: [SharedSecret]) throws -> Bool {
    let shares = try words.map { words throws(SLIP39Error) in try SLIP39Share(words: words.bytes) }
    guard shares.map(\.memberIndex) == Array(0..<set.shareTags.count) else { return false }
    let none = try SecretBytes(count: 0)
    // All at once: surplus shares must be on the polynomial that the first ones determine.
    for some in [shares, Array(shares.suffix(set.threshold))] {
      let combined = try SLIP39.combine(some, passphrase: none)
      let isSame = combined.isEqualInConstantTime(to: key.bytes)
      guard isSame, try set.form.publicKey(of: combined) == set.publicKey else { return false }
    }
    return true
  }
}
