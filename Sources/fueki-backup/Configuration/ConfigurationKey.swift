internal import FuekiSync

/// A key that config.toml may have: what parsing, messages, `config show` and fueki-backup-config(5) know of it.
struct ConfigurationKey {
  /// The tables of the file.
  enum Table: String, CaseIterable {
    case target
    case vault
    case recipient
    case source
    case hooks
    case health
    case endpoint
    case price
    case output

    /// Whether there can be several of them.
    var isRepeatable: Bool { self != .hooks && self != .output }

    /// The line that begins one.
    var header: String { isRepeatable ? "[[\(rawValue)]]" : "[\(rawValue)]" }
  }

  /// The required kind of a value.
  enum Kind: Equatable {
    case text
    /// Relative to the file's folder; `~/` is the user's home.
    ///
    /// A target's may be a remote's.
    case path
    case texts
    case number(ClosedRange<Int>)
    case flag
    case choice([String])
    case choices([String])
    /// May grant access by itself, and is never shown.
    case privateURL
    /// May have a secret in it, and is never shown.
    case privateText
  }

  let table: Table
  let name: String
  let kind: Kind
  /// The option that overrides it.
  var option: String?
  /// The variable that overrides it.
  var environment: String?
  /// The default value.
  var standard: String?

  /// Every key there is.
  static let all: [ConfigurationKey] =
    [
      ConfigurationKey(table: .target, name: "name", kind: .text),
      ConfigurationKey(table: .target, name: "path", kind: .path, option: "--target"),
      ConfigurationKey(
        table: .target, name: "kind", kind: .choice(["local", "synced", "rclone"]), standard: "synced"),
      ConfigurationKey(table: .target, name: "append_only", kind: .flag, standard: "false"),
      ConfigurationKey(table: .target, name: "private_keys", kind: .flag, option: "--accept synced-keys"),

      ConfigurationKey(table: .vault, name: "name", kind: .text, option: "--vault"),
      ConfigurationKey(table: .vault, name: "id", kind: .text),
      ConfigurationKey(table: .vault, name: "label", kind: .text, option: "--label", standard: "wallet"),
      ConfigurationKey(
        table: .vault, name: "datadir", kind: .path, option: "--datadir", environment: "FUEKI_DATADIR"),
      ConfigurationKey(table: .vault, name: "from", kind: .texts, option: "--from", standard: "store"),
      ConfigurationKey(table: .vault, name: "targets", kind: .texts, option: "--target"),
      ConfigurationKey(table: .vault, name: "recipients", kind: .texts, option: "--recipient"),
      ConfigurationKey(table: .vault, name: "recipients_file", kind: .path, option: "--recipients-file"),
      ConfigurationKey(table: .vault, name: "guardians", kind: .path, option: "--guardians"),
      ConfigurationKey(table: .vault, name: "slot_names", kind: .texts),
      ConfigurationKey(table: .vault, name: "sign_key", kind: .path, option: "--sign-key"),
      ConfigurationKey(table: .vault, name: "trusted_signers", kind: .texts, option: "--trusted-signer"),
      ConfigurationKey(table: .vault, name: "trusted_signers_file", kind: .path, option: "--trusted-signer"),
      ConfigurationKey(
        table: .vault, name: "kdf_memory", kind: .number(64...1024), option: "--kdf-memory", standard: "256"),
      ConfigurationKey(
        table: .vault, name: "kdf_passes", kind: .number(2...16), option: "--kdf-passes", standard: "3"),
      ConfigurationKey(table: .vault, name: "parity", kind: .text, option: "--parity", standard: "0%"),
      ConfigurationKey(table: .vault, name: "full_every", kind: .text, option: "--full"),
      ConfigurationKey(table: .vault, name: "passphrase_file", kind: .path, option: "--passphrase-from"),
      ConfigurationKey(table: .vault, name: "keychain_key_file", kind: .path, option: "--keychain-key-file"),
      ConfigurationKey(
        table: .vault, name: "archive_endpoints", kind: .texts, option: "--accept archive-endpoints"),

      ConfigurationKey(table: .recipient, name: "recipient", kind: .text),
      ConfigurationKey(table: .recipient, name: "post_quantum", kind: .flag, standard: "false"),

      ConfigurationKey(table: .source, name: "kind", kind: .choice(SourceSettings.kinds)),
      ConfigurationKey(table: .source, name: "path", kind: .path, option: "--from"),
      ConfigurationKey(table: .source, name: "include_private_keys", kind: .flag, standard: "true"),
      ConfigurationKey(table: .source, name: "password_command", kind: .privateText),
      ConfigurationKey(table: .source, name: "vaults", kind: .texts),

      ConfigurationKey(table: .hooks, name: "before", kind: .text),
      ConfigurationKey(table: .hooks, name: "after", kind: .text),
      ConfigurationKey(table: .hooks, name: "failed", kind: .text),
      ConfigurationKey(table: .hooks, name: "finally", kind: .text),

      ConfigurationKey(table: .health, name: "url", kind: .privateURL),
      ConfigurationKey(table: .health, name: "commands", kind: .choices(HookedRun.commands)),
      ConfigurationKey(table: .health, name: "vaults", kind: .texts),

      ConfigurationKey(table: .endpoint, name: "kind", kind: .choice(servedKinds)),
      ConfigurationKey(table: .endpoint, name: "chain", kind: .text),
      ConfigurationKey(table: .endpoint, name: "url", kind: .privateURL),
      ConfigurationKey(table: .endpoint, name: "priority", kind: .number(0...1000), standard: "0"),

      ConfigurationKey(table: .price, name: "asset", kind: .text),
      ConfigurationKey(table: .price, name: "currency", kind: .text),
      ConfigurationKey(table: .price, name: "url", kind: .privateURL),
      ConfigurationKey(table: .price, name: "path", kind: .text),

      ConfigurationKey(
        table: .output, name: "progress", kind: .choice(ProgressStyle.allCases.map(\.rawValue)),
        option: "--progress", environment: ProgressStyle.variable),
    ]
    + [Table.endpoint, .price].flatMap { table in
      [
        ConfigurationKey(
          table: table, name: "credential_form", kind: .choice(["bearer", "basic", "header", "query"]),
          standard: "bearer"),
        ConfigurationKey(table: table, name: "credential_name", kind: .text),
        ConfigurationKey(table: table, name: "credential_keychain", kind: .text),
        ConfigurationKey(table: table, name: "credential_file", kind: .path),
        ConfigurationKey(table: table, name: "credential_command", kind: .privateText),
      ]
    }

  /// The kinds of endpoints.
  ///
  /// Bark is no server, and its directory is configured with its wallet.
  private static let servedKinds = ChainSources.all.kinds.filter { $0 != "bark" }

  static func of(_ table: Table) -> [ConfigurationKey] { all.filter { $0.table == table } }
}

extension ConfigurationKey.Kind {
  /// The required value, in a few words.
  var sentence: String {
    switch self {
    case .text, .privateText: "a text in quotes"
    case .path: "a path in quotes"
    case .texts: "a list of texts"
    case .number(let range): "a whole number, \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .choice(let names): "one of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
    case .choices(let names): "a list of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
    case .privateURL: "a URL that begins with https:// or http://, with no user in it"
    }
  }
}
