internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

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
