internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSystem

/// `config`: shows the effective configuration, and validates the file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or check the configuration, and keep the keys for servers.",
    subcommands: [ConfigShow.self, ConfigValidate.self, ConfigCredential.self])
}

/// `config show`: every value in force, and where it came from.
struct ConfigShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what is in force, and where each value came from.")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let configuration = try settings.load()
    let file = try configuration.path.map { try ConfigurationFile(path: $0) }
    let document = ConfigDocument(file, vault: settings.vault)
    guard !output.json else { return Document.write(document.members) }
    let console = output.console
    console.line("# \(document.path ?? "no configuration file: these are the defaults")")
    for table in document.tables {
      console.page("\n\(ConfigurationKey.Table(rawValue: table.table)?.header ?? "")")
      for value in table.values {
        console.verbatim("\(value.key) = \(value.text)    # \(value.origin)")
      }
    }
  }
}

/// `config validate`: checks the file by itself, then the files that it refers to.
struct ConfigValidate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check the configuration file, and that what it names is there.",
    aliases: ["check"])

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let path = try settings.path()
    let configuration = try settings.load()
    guard let file = configuration.path else {
      throw CommandError.configuration(
        ConfigurationProblem(path: path, what: "there is no such file", hint: "fueki-backup init makes one"))
    }
    try ConfiguredValues.check(ConfigurationFile(path: file), vault: settings.vault)
    var missing: [String] = []
    for entry in configuration.targets {
      do {
        try entry.target.check()
      } catch {
        missing.append(Self.sentence(entry.target, error))
      }
    }
    for vault in configuration.candidates {
      let files = [
        vault.recipientsFile, vault.guardians, vault.signKey, vault.trustedSignersFile, vault.keychainKeyFile,
      ]
      for file in files.compactMap({ $0 }) where (try? File.open(file)) == nil {
        missing.append("\(file) cannot be read")
      }
    }
    missing += Self.unreadable(configuration)
    let console = output.console
    if output.json {
      Document.write([
        "schema": "fueki.config/1", "path": path, "ok": missing.isEmpty, "missing": missing,
      ])
    } else {
      for line in missing { console.verbatim(line) }
      if missing.isEmpty { console.report("\(path): correct") }
    }
    guard missing.isEmpty else { throw ExitStatus.notFound }
  }
}

extension ConfigValidate {
  /// Returns the endpoints' keys that are certainly not in their configured places.
  ///
  /// Only opening the keychain shows whether it has one: see `doctor`.
  private static func unreadable(_ configuration: Configuration) -> [String] {
    let endpoints = configuration.endpoints + configuration.prices
    var missing: [String] = []
    for file in endpoints.compactMap(\.credentialFile) where (try? File.open(file)) == nil {
      missing.append("\(file) cannot be read")
    }
    let names = Set(endpoints.compactMap(\.credentialKeychain)).sorted()
    guard !names.isEmpty else { return missing }
    // With several vaults it is unknown whose keychain is meant.
    guard let directory = try? DataOptions.standard(configuration),
      (try? Keychain.currentStamp(in: directory)).flatMap({ $0 }) == nil
    else { return missing }
    return missing + names.map { "there is no keychain in \(directory) that could hold \"\($0)\"" }
  }

  private static func sentence(_ target: Target, _ error: any Error) -> String {
    if case TargetError.noTarget = error { return "target \(target.path) is not there" }
    return "target \(target.path): \(Failure(describing: error).message)"
  }
}

/// What is in force, as `config show` has it.
struct ConfigDocument {
  struct Table {
    let table: String
    let values: [Value]
  }

  struct Value {
    let key: String
    /// As the file would have it.
    let text: String
    /// The file and its line, a variable, or that it is the default.
    let origin: String
  }

  let path: String?
  let tables: [Table]

  var members: Members {
    [
      "schema": "fueki.config/1",
      "path": path,
      "tables": tables.map {
        [
          "table": $0.table,
          "values": $0.values.map { ["key": $0.key, "value": $0.text, "origin": $0.origin] as Members },
        ] as Members
      },
    ]
  }

  init(_ file: ConfigurationFile?, vault: String?) {
    path = file?.path
    tables = ConfigurationKey.Table.allCases.flatMap { name -> [Table] in
      var entries = file?.entries[name] ?? []
      if name == .vault {
        entries = entries.filter { vault == nil || $0.values["name"]?.text == vault }
        // Without a [[vault]] the defaults hold for the one there is.
        if entries.isEmpty { entries = [ConfigurationFile.Entry(values: [:], lines: [:], line: nil)] }
      }
      return entries.map { entry in
        Table(
          table: name.rawValue,
          values: ConfigurationKey.of(name).compactMap { Value($0, entry, path: file?.path ?? "") })
      }
    }
  }
}

extension ConfigDocument.Value {
  /// Nil if the key has no value.
  fileprivate init?(_ key: ConfigurationKey, _ entry: ConfigurationFile.Entry, path: String) {
    self.key = key.name
    if let variable = key.environment, let value = Environment.get(variable), !value.isEmpty {
      text = Self.quoted(value)
      origin = "environment, \(variable)"
    } else if let value = entry.values[key.name] {
      text =
        switch key.kind {
        case .privateURL: Self.hidden(value)
        case .privateText: Self.quoted("(not shown)")
        default: Self.written(value)
        }
      origin = path + (entry.lines[key.name].map { ", line \($0)" } ?? "")
    } else if let standard = key.standard ?? Self.standard(of: key) {
      switch key.kind {
      case .number, .flag: text = standard
      case .texts: text = "[\(Self.quoted(standard))]"
      default: text = Self.quoted(standard)
      }
      origin = "default"
    } else {
      return nil
    }
  }

  /// A default that depends on the machine.
  private static func standard(of key: ConfigurationKey) -> String? {
    guard key.environment == "FUEKI_DATADIR" else { return nil }
    return try? Places.base("XDG_DATA_HOME", below: ".local/share") + "/fueki"
  }

  /// Where a private URL leads, and no more.
  private static func hidden(_ value: ConfigurationFile.Value) -> String {
    quoted(value.text.flatMap(PrivateURL.init)?.description ?? "")
  }

  private static func written(_ value: ConfigurationFile.Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .texts(let texts): "[" + texts.map(quoted).joined(separator: ", ") + "]"
    case .number(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    }
  }

  /// A text as a TOML file has it.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      // A byte of a path that is not UTF-8: written out, because editors show nothing for it.
      case _ where PathText.escapedByte(scalar) != nil:
        quoted += "\\U00" + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// Checks a vault's values as the commands will read them.
///
/// A wrong recipient has the right type, but would stop the first unattended backup.
enum ConfiguredValues {
  /// - Throws: ``CommandError/configuration(_:)`` with the line of the first key that no command could use. A file that
  ///   cannot be opened is passed over.
  static func check(_ file: ConfigurationFile, vault picked: String?) throws {
    for entry in file.entries[.vault] ?? [] where picked == nil || entry.values["name"]?.text == picked {
      let vault = VaultSettings(entry, file: file.path)
      let checks: [(key: String, path: String?, body: () throws -> Void)] = [
        ("from", nil, { try SourceList.check(vault.from ?? []) }),
        ("recipients", nil, { _ = try vault.recipients.map(NamedRecipient.init) }),
        ("recipients_file", vault.recipientsFile, { _ = try vault.recipientsFile.map(NamedRecipient.all) }),
        ("guardians", vault.guardians, { _ = try vault.guardians.map(GuardianFile.read) }),
        ("sign_key", vault.signKey, { _ = try vault.signKey.map(SigningKeyPlace.read) }),
        ("trusted_signers", nil, { _ = try TrustOptions.named(by: vault, file: file.path) }),
        (
          "trusted_signers_file", vault.trustedSignersFile,
          { _ = try vault.trustedSignersFile.map(TrustOptions.signers(inFile:)) }
        ),
        ("parity", nil, { try vault.checkParity() }),
        ("full_every", nil, { try vault.checkFullEvery() }),
        ("archive_endpoints", nil, { _ = try EndpointOptions.places(vault.archiveEndpoints) }),
        (
          "passphrase_file", vault.passphraseFile,
          { if let path = vault.passphraseFile { _ = try SecretSource.privateFile(path) } }
        ),
        (
          "keychain_key_file", vault.keychainKeyFile,
          { _ = try vault.keychainKeyFile.map(SecretSource.keyFile) }
        ),
      ]
      for check in checks where entry.values[check.key] != nil {
        if let path = check.path, (try? File.open(path)) == nil { continue }
        do {
          try check.body()
        } catch {
          throw CommandError.configuration(
            ConfigurationProblem(
              path: file.path, line: entry.lines[check.key],
              what: "\"\(check.key)\" of [[vault]]: \(Failure(describing: error).message)",
              hint: Failure(describing: error).hint))
        }
      }
    }
  }
}
