internal import FuekiBackup
internal import FuekiCrypto

/// The `[policy]` of a configuration: the owner's consent to follow an administrator's policy.
struct PolicyPlace {
  let path: String
  /// The keys of which one must have signed the policy.
  let signers: Set<Ed25519.PublicKey>

  /// - Throws: ``CommandError/configuration(_:)`` if the file or its signers are missing or wrong.
  init(_ entry: ConfigurationFile.Entry, file: String) throws {
    func problem(_ key: String, _ what: String) -> CommandError {
      .configuration(
        ConfigurationProblem(
          path: file, line: entry.lines[key] ?? entry.line, what: what,
          hint: "fueki-backup-policy(5) describes policies"))
    }
    guard let path = VaultSettings(entry, file: file).path("file") else {
      throw problem("file", "[policy] needs a \"file\"")
    }
    self.path = path
    signers = Set(
      try (entry.values["signers"]?.texts ?? []).map { text in
        guard let signer = Signer(text) else {
          throw problem("signers", "\"signers\" of [policy] has no key in \"\(text)\"")
        }
        return signer.publicKey
      })
    guard !signers.isEmpty else {
      throw problem("signers", "[policy] needs the administrator's key in \"signers\"")
    }
  }
}
