internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// The places from which backups take a passphrase, and which still have the old one after it was changed.
struct OldPassphrasePlaces {
  /// A file, and what names it.
  struct Place: Hashable {
    let path: String
    let namedBy: String
  }

  private let places: [Place]

  /// - Parameters:
  ///   - configuration: what may name a file.
  ///   - secrets: what this run was given.
  init(_ configuration: Configuration, _ secrets: ArchiveSecretOptions) {
    var found: [Place] = []
    for vault in configuration.candidates {
      guard let path = vault.passphraseFile else { continue }
      found.append(Place(path: path, namedBy: "passphrase_file in \(configuration.path ?? "")"))
    }
    if let path = secrets.passphrase.passphraseFile {
      found.append(
        Place(path: (try? AbsolutePath.of(path)) ?? path, namedBy: "--passphrase-file of this command"))
    }
    let variable = "\(SecretSource.Name.passphrase.variable)_FILE"
    if let path = Environment.get(variable) { found.append(Place(path: path, namedBy: variable)) }
    var seen: Set<Place> = []
    places = (found + Self.units()).filter { seen.insert($0).inserted }
  }

  /// Says which of them still have the passphrase that opens the old archive.
  func print(old: StoredArchive, _ console: Console) {
    let lines = places.compactMap { place -> String? in
      switch holdsOld(place.path, old, console) {
      case true?: return "  \(place.path) (\(place.namedBy))"
      case false?: return nil
      case nil: return "  \(place.path) (\(place.namedBy)): cannot be read here, look yourself"
      }
    }
    if !lines.isEmpty {
      console.warning(
        "these places still have the old passphrase, and the next backup from there is refused:")
      for line in lines { console.note(line) }
      console.note("Write the new passphrase into each of them.")
    }
    console.note(
      "Not looked at: crontabs, scripts, the secrets of a CI, a password manager, and a printed kit with the "
        + "passphrase on it.")
  }

  /// Whether a file has a passphrase that opens the archive; nil where it cannot be read.
  private func holdsOld(_ path: String, _ old: StoredArchive, _ console: Console) -> Bool? {
    guard (try? File.open(path)) != nil else {
      // A file that is not there hands nothing over.
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      return (try? Directory.open(folder)) == nil ? nil : isThere(path, in: folder) ? nil : false
    }
    let source = SecretSource(file: path, command: nil, descriptor: nil, name: .passphrase, secret: .archive)
    guard let given = try? source.given(console) else { return nil }
    return try? old.opens(with: UnlockingSecrets(passphrases: given.all))
  }

  private func isThere(_ path: String, in folder: String) -> Bool {
    let name = String(path.split(separator: "/").last ?? "")
    return (try? Directory.open(folder).contains(name)) ?? true
  }

  // MARK: services

  /// The credentials that this program's services are handed, by systemd.exec(5).
  private static func units() -> [Place] {
    var folders = ["/etc/systemd/system"]
    if let base = try? Places.base("XDG_CONFIG_HOME", below: ".config") {
      folders.append("\(base)/systemd/user")
    }
    return folders.flatMap { folder in
      let names = ((try? Directory.open(folder).list()) ?? []).compactMap(\.text)
      return names.sorted().filter { $0.hasPrefix("fueki-backup") && $0.hasSuffix(".service") }.flatMap {
        credentials(inUnit: "\(folder)/\($0)")
      }
    }
  }

  private static func credentials(inUnit path: String) -> [Place] {
    guard let bytes = try? File.open(path).readAll(limit: 1 << 20) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> Place? in
      for key in ["LoadCredential=", "LoadCredentialEncrypted="] {
        let beginning = "\(key)fueki-passphrase:"
        guard line.hasPrefix(beginning) else { continue }
        let file = String(line.dropFirst(beginning.count)).replacing("%%", with: "%")
        return Place(path: file, namedBy: "\(key) in \(path)")
      }
      return nil
    }
  }
}
