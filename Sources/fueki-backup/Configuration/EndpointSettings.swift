internal import FuekiCrypto
internal import FuekiSync
internal import FuekiSystem

/// A `[[endpoint]]`, or a `[[price]]`: a server, and the file or command that its key is from.
struct EndpointSettings {
  private let values: [String: ConfigurationFile.Value]
  private let credentialFile: String?

  /// - Throws: ``CommandError/configuration(_:)`` where something is missing.
  init(_ entry: ConfigurationFile.Entry, _ table: ConfigurationKey.Table, file: String) throws {
    values = entry.values
    credentialFile = VaultSettings(entry, file: file).path("credential_file")
    let required = table == .price ? ["asset", "currency", "url", "path"] : ["kind", "url"]
    for key in required where values[key] == nil {
      throw CommandError.configuration(
        ConfigurationProblem(path: file, line: entry.line, what: "[[\(table.rawValue)]] needs \"\(key)\""))
    }
    guard values["credential_file"] == nil || values["credential_command"] == nil else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: file, line: entry.line,
          what: "[[\(table.rawValue)]] has both \"credential_file\" and \"credential_command\""))
    }
    let form = values["credential_form"]?.text
    guard (form == "header" || form == "query") == (values["credential_name"] != nil) else {
      throw CommandError.configuration(
        ConfigurationProblem(
          path: file, line: entry.line,
          what: "\"credential_name\" goes with \"credential_form\" header or query"))
    }
  }

  func endpoint(_ console: Console) throws -> ConfiguredEndpoint {
    ConfiguredEndpoint(
      kind: text("kind"), chain: values["chain"]?.text, url: text("url"),
      priority: Int32(values["priority"]?.number ?? 0), credential: try credential(console))
  }

  func price(_ console: Console) throws -> PriceSource {
    PriceSource(
      asset: text("asset"), currency: text("currency"), url: text("url"), path: text("path"),
      credential: try credential(console))
  }

  private func text(_ key: String) -> String { values[key]?.text ?? "" }

  private func credential(_ console: Console) throws -> EndpointCredential? {
    let command = values["credential_command"]?.text
    guard credentialFile != nil || command != nil else { return nil }
    let source = SecretSource(
      file: credentialFile, command: command, descriptor: nil, name: .passphrase, secret: .endpoint)
    let name = text("credential_name")
    let form: EndpointCredential.Form =
      switch text("credential_form") {
      case "basic": .basic
      case "header": .header(name)
      case "query": .query(name)
      default: .bearer
      }
    return EndpointCredential(form, secret: try source.read(console))
  }
}
