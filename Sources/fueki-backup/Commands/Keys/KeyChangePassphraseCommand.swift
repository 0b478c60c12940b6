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

/// The places from which backups take a passphrase, and which still have the old one after it was changed.
struct OldPassphrasePlaces {
  /// A file, and what names it.
  struct Place: Hashable {
    private let exactPath: ExactText
    let namedBy: String

    init(path: String, namedBy: String) { (exactPath, self.namedBy) = (ExactText(path), namedBy) }

    var path: String { exactPath.text }
  }

  private let places: [Place]

  init(_ configuration: Configuration, _ secrets: ArchiveSecretOptions) {
    var found: [Place] = []
    for vault in configuration.candidates {
      guard let path = vault.passphraseFile else { continue }
      found.append(Place(path: path, namedBy: "passphrase_file in \(configuration.path ?? "")"))
    }
    if let path = secrets.passphrase.passphraseFrom?.path {
      found.append(
        Place(path: (try? AbsolutePath.of(path)) ?? path, namedBy: "--passphrase-from of this command"))
    }
    let variable = "\(SecretSource.Name.passphrase.variable)_FILE"
    if let path = Environment.get(variable) { found.append(Place(path: path, namedBy: variable)) }
    let services = ServiceCredential.all().filter { $0.name == ServiceCredential.passphrase }
      .map { Place(path: $0.path, namedBy: $0.namedBy) }
    var seen: Set<Place> = []
    places = (found + services).filter { seen.insert($0).inserted }
  }

  /// Their paths.
  var paths: [String] { places.map(\.path) }

  /// Lists those that still have the passphrase that opens the old archive, and what happens there at the next backup.
  func print(old: StoredArchive, keyFiles: [SharedSecret], _ console: Console) {
    let lines = places.compactMap { place -> String? in
      switch holdsOld(place.path, old, keyFiles) {
      case true?: return "  \(place.path) (\(place.namedBy))"
      case false?: return nil
      case nil: return "  \(place.path) (\(place.namedBy)): cannot be read here, look yourself"
      }
    }
    if !lines.isEmpty {
      console.warning(
        "these places still have the old passphrase: a \"fueki-backup create\" that takes it from there makes no "
          + "archive and ends with 12:")
      for line in lines { console.note(line) }
      console.note(
        "Write the new passphrase into each of them, as the only line of the file. \"fueki-backup doctor\" then "
          + "shows whether it opens the newest archive.")
    }
    console.note(
      "Not looked at: crontabs, scripts, the secrets of a CI, a password manager, and a printed kit with the "
        + "passphrase on it.")
  }

  /// Returns whether a file has a passphrase that opens the archive; nil if unreadable.
  private func holdsOld(_ path: String, _ old: StoredArchive, _ keyFiles: [SharedSecret]) -> Bool? {
    guard (try? File.open(path)) != nil else {
      // A file that is not there hands nothing over.
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      return (try? Directory.open(folder)) == nil ? nil : isThere(path, in: folder) ? nil : false
    }
    return try? StoredPassphrase(at: path).opens(old, keyFiles: keyFiles)
  }

  private func isThere(_ path: String, in folder: String) -> Bool {
    let name = String(path.split(separator: "/").last ?? "")
    return (try? Directory.open(folder).contains(name)) ?? true
  }
}
