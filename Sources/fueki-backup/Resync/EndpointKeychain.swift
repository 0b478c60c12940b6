internal import FuekiCrypto
internal import FuekiStore

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
