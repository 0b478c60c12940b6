internal import FuekiSync
internal import FuekiSystem

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
