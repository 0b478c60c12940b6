internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// A `[[endpoint]]`, or a `[[price]]`: a server, and where its key is from: the keychain, a file or a command.
struct EndpointSettings {
  private let values: [String: ConfigurationFile.Value]
  /// The file that the server's key is in.
  let credentialFile: String?

  /// - Throws: ``CommandError/configuration(_:)`` where something is missing.
  init(_ entry: ConfigurationFile.Entry, _ table: ConfigurationKey.Table, file: String) throws {
    values = entry.values
    credentialFile = VaultSettings(entry, file: file).path("credential_file")
    let required = table == .price ? ["asset", "currency", "url", "path"] : ["kind", "url"]
    for key in required where values[key] == nil {
      throw CommandError.configuration(
        ConfigurationProblem(path: file, line: entry.line, what: "[[\(table.rawValue)]] needs \"\(key)\""))
    }
    guard table == .price || values["chain"] != nil || !Self.tellsNoChain(values) else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: file, line: entry.line,
          what: "[[endpoint]] needs \"chain\": a server of its kind does not tell whose chain it has"))
    }
    let places = ["credential_keychain", "credential_file", "credential_command"]
      .filter { values[$0] != nil }
    guard places.count <= 1 else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: file, line: entry.line,
          what: "[[\(table.rawValue)]] has both \"\(places[0])\" and \"\(places[1])\""))
    }
    let form = values["credential_form"]?.text
    guard (form == "header" || form == "query") == (values["credential_name"] != nil) else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: file, line: entry.line,
          what: "\"credential_name\" goes with \"credential_form\" header or query"))
    }
  }

  /// Returns whether a server answers about its own chain, whichever chain is requested.
  ///
  /// The second version of Etherscan's API receives the chain.
  private static func tellsNoChain(_ values: [String: ConfigurationFile.Value]) -> Bool {
    switch values["kind"]?.text {
    case "blockscout": true
    case "etherscan": !(values["url"]?.text?.contains("/v2/") ?? false)
    default: false
    }
  }

  /// The name of the server's key in the keychain.
  var credentialKeychain: String? { values["credential_keychain"]?.text }

  func endpoint(_ console: Console, _ keychain: EndpointKeychain) throws -> ConfiguredEndpoint {
    ConfiguredEndpoint(
      kind: text("kind"), chain: values["chain"]?.text, url: text("url"),
      priority: Int32(values["priority"]?.number ?? 0), credential: try credential(console, keychain))
  }

  func price(_ console: Console, _ keychain: EndpointKeychain) throws -> PriceSource {
    PriceSource(
      asset: text("asset"), currency: text("currency"), url: text("url"), path: text("path"),
      credential: try credential(console, keychain))
  }

  private func text(_ key: String) -> String { values[key]?.text ?? "" }

  private func secret(_ console: Console, _ keychain: EndpointKeychain) throws -> SharedSecret? {
    if let name = credentialKeychain { return try keychain.key(named: name) }
    let command = values["credential_command"]?.text
    guard credentialFile != nil || command != nil else { return nil }
    return try SecretSource(
      place: credentialFile.map { .file(ExactText($0)) } ?? command.map { .command(ExactText($0)) },
      name: .endpoint,
      secret: .endpoint
    ).read(console).secret
  }

  private func credential(_ console: Console, _ keychain: EndpointKeychain) throws -> EndpointCredential? {
    guard let secret = try secret(console, keychain) else { return nil }
    let name = text("credential_name")
    let form: EndpointCredential.Form =
      switch text("credential_form") {
      case "basic": .basic
      case "header": .header(name)
      case "query": .query(name)
      default: .bearer
      }
    return EndpointCredential(form, secret: secret)
  }
}

/// Whether endpoints that the wallets name themselves may be asked.
struct EndpointOptions {
  /// Whether all of them may be asked.
  let allowsAll: Bool

  init(_ consents: Consents) { allowsAll = consents.contains(.archiveEndpoints) }

  /// Returns the consent of the user, else the vault's `archive_endpoints`.
  func consent(_ configuration: Configuration) throws -> EndpointConsent {
    guard !allowsAll else { return .all }
    return .places(Set(try Self.places(configuration.meant?.archiveEndpoints ?? [])))
  }

  /// The places that texts of the configuration name.
  static func places(_ texts: [String]) throws -> [String] {
    try texts.map { text in
      let whole = text.hasPrefix("~/") ? (Environment.get("HOME") ?? "~") + text.dropFirst() : text
      guard let place = EndpointConsent.place(named: whole) else {
        throw CommandError.usage(
          "\"archive_endpoints\" takes servers such as https://node.example:8545, without a path, and directories"
        )
      }
      return place
    }
  }
}

/// The servers' keys in the wallet's keychain.
///
/// The keychain is opened for the first key, so that a configuration without such keys needs no secret.
final class EndpointKeychain {
  private let directory: String
  private let opening: () throws -> KeychainOpening
  private var opened: Keychain?

  /// Creates the keychain of a data directory, with its secrets, which are requested at most once.
  init(_ directory: String, opening: @escaping () throws -> KeychainOpening) {
    self.directory = directory
    self.opening = opening
  }

  /// Returns a key by its name.
  ///
  /// - Throws: ``KeychainError``, errors from the opening, and a failure if the keychain has no such key.
  func key(named name: String) throws -> SharedSecret {
    guard let key = try keychain().endpointKey(named: name) else {
      throw Self.missing([name], in: directory)
    }
    return key
  }

  /// The failure of keys that are not there.
  static func missing(_ names: [String], in directory: String) -> Failure {
    let named = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return Failure(
      .notFound, "the keychain in \(directory) has no endpoint's key \(named)",
      meaning: "nothing was asked",
      hint: "fueki-backup config credential add \(names.first ?? "NAME")")
  }

  private func keychain() throws -> Keychain {
    if let opened { return opened }
    let keychain = try Keychain.read(directory, with: try opening())
    opened = keychain
    return keychain
  }
}
