internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// `key trust --json` and `key retire --json`: the signers that count on this machine.
struct KeyTrustDocument: Encodable {
  struct Signer: Encodable {
    let key: String
    let fingerprint: String

    init(_ key: Ed25519.PublicKey) {
      self.key = key.hex
      fingerprint = key.fingerprint
    }
  }

  let schema = "fueki.key-trust/1"
  let vault: String
  let signers: [Signer]
  let retired: [Signer]

  /// - Throws: ``StateError/damaged(path:)``.
  init(_ vault: VaultID, _ trust: Trust) throws {
    let trust = try trust.of(vault)
    self.vault = vault.hex
    signers = trust.signers.sorted().map(Signer.init)
    retired = trust.retired.sorted().map(Signer.init)
  }

  func show(_ console: Console, isJSON: Bool) {
    guard !isJSON else { return Document.write(self) }
    console.line("vault \(vault)")
    for (name, keys) in [("signer", signers), ("retired", retired)] {
      for one in keys {
        console.line("\(name) \(one.key)")
        console.line("  fingerprint \(one.fingerprint)")
      }
    }
    if signers.isEmpty { console.line("no signer is accepted on this machine") }
  }
}
