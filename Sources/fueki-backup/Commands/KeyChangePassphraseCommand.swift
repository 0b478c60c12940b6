internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `key change-passphrase`: replaces the given passphrase.
struct KeyChangePassphraseCommand: ParsableCommand, SealingCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-passphrase", abstract: "Change the vault's passphrase.")

  @OptionGroup var change: KeyChangeOptions
  @OptionGroup var passphrase: NewPassphraseOptions
  @Flag(
    help:
      "Write the new passphrase into the configuration's passphrase_file, too. A terminal asks.")
  var updatePassphraseFile = false

  var consents: Consents { passphrase.consents.consents }

  func run() throws {
    let console = change.output.console
    let configuration = try change.settings.load()
    let file = try configuration.vault().passphraseFile.map { StoredPassphrase(at: $0) }
    guard file != nil || !updatePassphraseFile else {
      throw CommandError.usage("the configuration names no passphrase_file that could be updated")
    }
    try passphrase.readCommand(console)
    let places = OldPassphrasePlaces(configuration, change.secrets)
    let subject = try change.subject(configuration, console) { needs in
      needs.readPassphrases(at: places.paths)
      needs.readable += passphrase.files
      // It gets its new contents under another name first. An interrupted change may have to be finished.
      if let file, mayUpdateFile || (try? FileStatus.of(file.successor)) != nil {
        needs.writable.append(OutputFile.folder(of: file.path))
      }
    }
    let old = subject.slots.filter { slot in
      slot.type.advice?.asksForPassphrase == true && subject.open.openedSlots.contains(slot.number)
    }
    guard let first = old.first else {
      throw CommandError.usage("no passphrase opened this archive, so there is no passphrase to change")
    }
    guard old.allSatisfy({ $0.mask == first.mask }) else {
      throw CommandError.usage("the passphrase opens slots with different scopes: use key add and remove")
    }
    let kept = try change.kept(subject, without: Set(old.map(\.number)))
    let new = try passphrase.read(console, try configuration.vault(), of: subject.open, isNeeded: true)
    guard let new else { return }
    let archive = subject.stored
    let handover = try handover(file, new.secret, archive)
    try change.seal(subject, opening: [new.slot(opening: first.mask)] + kept, handingOver: handover, console)
    {
      try places.print(
        old: archive, keyFiles: change.secrets.passphrase.keyFiles(), console)
    }
  }

  /// Whether the file may get the new passphrase.
  private var mayUpdateFile: Bool { updatePassphraseFile || mayAsk }

  private var mayAsk: Bool { Terminal.isAvailable && !change.output.json }

  /// Returns the handover that writes the new passphrase into the file, if the user wants it.
  ///
  /// A file with another passphrase than the archive's is left alone, unless an option requests otherwise.
  private func handover(
    _ file: StoredPassphrase?, _ new: SharedSecret, _ archive: StoredArchive
  ) throws -> PassphraseHandover? {
    guard let file else { return nil }
    let keyFiles = try change.secrets.passphrase.keyFiles()
    // First finish a change that was interrupted after its archive had its name.
    _ = try file.finishChange(of: archive, keyFiles: keyFiles)
    let handover = PassphraseHandover(file: file, new: new)
    guard !updatePassphraseFile else { return handover }
    guard mayAsk,
      (try? file.opens(archive, keyFiles: keyFiles)) == true
    else { return nil }
    Asking.say(["\(file.path) has the old passphrase. Backups take it from there."])
    return try Asking.yes("write the new passphrase into that file", default: true) ? handover : nil
  }
}
