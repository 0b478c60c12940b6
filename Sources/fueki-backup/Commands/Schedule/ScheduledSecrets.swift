internal import ArgumentParser
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

/// A secret's file that a scheduled run is handed.
struct ScheduledSecret {
  /// Its name in systemd's credentials folder.
  let credential: String
  /// The option that passes its file to the program.
  let option: String
  let path: String
  /// Whether the program looks for it in the credentials' folder by itself.
  var isFoundByName = false

  /// The option with a file, as a command line has them.
  func words(for file: String) -> [String] { [option, option.hasSuffix("-from") ? "file:\(file)" : file] }
}

/// Which files' secrets a scheduled run is handed.
struct ScheduledSecretOptions: ParsableArguments {
  @OptionGroup var passphrase: PassphraseOptions
  @Option(
    name: .withLetter(.identity),
    help: ArgumentHelp("An age identity that opens the archive for a drill, handed over.", valueName: "file"),
    completion: .file())
  var identity: String?
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var signing: SigningPassphraseOptions

  private var passphraseFile: String? { passphrase.passphraseFrom?.path }
  private var keychainPassphraseFile: String? { keychain.keychainPassphraseFrom?.path }
  private var signingPassphraseFile: String? { signing.signingPassphraseFrom?.path }

  func validate() throws {
    let places = [passphrase.passphraseFrom, keychain.keychainPassphraseFrom, signing.signingPassphraseFrom]
    guard places.allSatisfy({ $0 == nil || $0?.path != nil }) else {
      throw ValidationError("a scheduled run reads its secrets from files: use file:PATH")
    }
  }

  /// The files, from the root.
  func files(_ vault: VaultSettings) throws -> [ScheduledSecret] {
    // The option of a key file would count for more than the passphrase that was given.
    let configured = keychainPassphraseFile == nil ? vault.keychainKeyFile : nil
    let all: [(credential: String, option: String, path: String?, isFound: Bool)] = [
      (ServiceCredential.passphrase, "--passphrase-from", passphraseFile ?? vault.passphraseFile, true),
      ("fueki-key-file", "--key-file", passphrase.keyFile, false),
      (ServiceCredential.identity, "--identity", identity, false),
      ("fueki-keychain-passphrase", "--keychain-passphrase-from", keychainPassphraseFile, true),
      ("fueki-keychain-key", "--keychain-key-file", keychain.keychainKeyFile ?? configured, false),
      ("fueki-signing-passphrase", "--signing-passphrase-from", signingPassphraseFile, true),
    ]
    return try all.compactMap { secret in
      try secret.path.map { path in
        ScheduledSecret(
          credential: secret.credential, option: secret.option, path: try AbsolutePath.of(path),
          isFoundByName: secret.isFound)
      }
    }
  }

  /// Returns the secrets that the run would have to ask an absent user for, as far as known without opening anything.
  func missing(_ job: ScheduledRun.Job, _ vault: VaultSettings, datadir: String) -> [String] {
    var missing: [String] = []
    switch job {
    case .create:
      if !vault.isSealedToKeys && (passphraseFile ?? vault.passphraseFile) == nil {
        missing.append("the archive's passphrase: use --passphrase-from file:PATH, or have recipients")
      }
      let isInKeychain = (try? Keychain.currentStamp(in: datadir)).flatMap { $0 } != nil
      let opensIt = keychainPassphraseFile ?? keychain.keychainKeyFile ?? vault.keychainKeyFile
      if isInKeychain && opensIt == nil {
        missing.append("the keychain's: use --keychain-passphrase-from file:PATH or --keychain-key-file")
      }
    case .drill:
      if (passphraseFile ?? vault.passphraseFile) == nil && identity == nil {
        missing.append("what opens the archive: use --passphrase-from file:PATH or --identity")
      }
    }
    let isSealed = vault.signKey.flatMap { try? SigningKeyPlace.read($0) }?.isSealed ?? false
    if isSealed && signingPassphraseFile == nil {
      missing.append("the signing key's passphrase: use --signing-passphrase-from file:PATH")
    }
    return missing
  }
}

/// A secret's file that a service of this program is handed, by systemd.exec(5).
struct ServiceCredential {
  /// The name of the archive's passphrase.
  static let passphrase = "fueki-passphrase"
  /// The name of an age identity.
  static let identity = "fueki-identity"

  private static let keys = ["LoadCredential=", "LoadCredentialEncrypted="]

  /// Its name in the credentials' folder.
  let name: String
  let path: String
  /// The unit and its line, for people.
  let namedBy: String
  private let unit: Unit

  /// The facts of a unit that tell which backups it makes.
  private struct Unit {
    let user: String?
    /// The words of its first command.
    let words: [String]

    init(_ lines: [Substring]) {
      func value(_ key: String) -> Substring? {
        lines.first { $0.hasPrefix(key) }.map { $0.dropFirst(key.count) }
      }
      user = value("User=").map(String.init)
      words = (value("ExecStart=") ?? "").split(separator: "\"").map { word in
        String(word).replacing("%%", with: "%").replacing("$$", with: "$")
      }.filter { $0 != " " }
    }

    /// The word after an option.
    func argument(_ option: String) -> String? {
      guard let place = words.firstIndex(of: option), words.indices.contains(place + 1) else { return nil }
      return words[place + 1]
    }
  }

  /// Whether its service runs for this user, with this configuration and this vault.
  func isFor(_ vault: VaultSettings, _ configuration: Configuration) -> Bool {
    let config = unit.argument("--config").map(CurrentProcess.absolutePath)
    let own = configuration.path.map(CurrentProcess.absolutePath)
    return (unit.user == nil || unit.user == Account.current)
      && (config == nil || config.map(ExactText.init(_:)) == own.map(ExactText.init(_:)))
      && (unit.argument("--vault") == nil || unit.argument("--vault").map(ExactText.init(_:)) == vault.name)
  }

  /// The credentials of the services of this program.
  static func all() -> [ServiceCredential] {
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

  private static func credentials(inUnit path: String) -> [ServiceCredential] {
    guard let bytes = try? File.open(path).readAll(limit: 1 << 20) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let unit = Unit(lines)
    return lines.compactMap { line -> ServiceCredential? in
      guard let key = keys.first(where: line.hasPrefix) else { return nil }
      let parts = line.dropFirst(key.count).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return ServiceCredential(
        name: String(parts[0]), path: String(parts[1]).replacing("%%", with: "%"),
        namedBy: "\(key) in \(path)", unit: unit)
    }
  }
}
