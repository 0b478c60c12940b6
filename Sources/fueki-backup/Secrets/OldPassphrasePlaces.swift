internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

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

  /// - Parameters:
  ///   - configuration: may refer to a file.
  ///   - secrets: the secrets given to this run.
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
