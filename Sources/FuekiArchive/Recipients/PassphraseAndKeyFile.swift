public import FuekiCrypto

extension SlotType {
  /// A passphrase and a key file together.
  public static let passphraseAndKeyFile = SlotType(rawValue: 2)
}

extension SlotKind {
  /// Type 2: Argon2id of a passphrase, then the digest of a key file.
  static let passphraseAndKeyFile = SlotKind(
    type: .passphraseAndKeyFile, name: "passphrase-and-key-file", isForTheLongTerm: true, holder: .secret,
    advice: SlotAdvice(
      opener: "a passphrase and a key file, both", note: "passphrase, and where the key file is",
      option: "--key-file F, the key file", asksForPassphrase: true),
    facts: { PassphraseParameters($0).map { SlotFacts(cost: $0.cost) } },
    identities: { given in
      given.passphrases.flatMap { passphrase in
        given.keyFiles.map { KeyFileIdentity(passphrase: passphrase, keyFile: $0) }
      }
    })
}

/// A key file's contribution to a secret.
enum KeyFile {
  /// Joins the 32 derived bytes and the digest of the file's bytes.
  static func joined(_ derived: SharedSecret, _ file: SharedSecret) throws(CryptoError) -> SharedSecret {
    let digest = try file.bytes.withBytes { (bytes) throws(CryptoError) in try SHA256.secretHash(bytes) }
    var joined = try SecretBytes(count: derived.bytes.count + digest.count)
    joined.withMutableBytes { target in
      derived.bytes.withBytes { target.write($0, at: 0) }
      let start = derived.bytes.count
      digest.withBytes { target.write($0, at: start) }
    }
    return SharedSecret(joined)
  }
}

private struct KeyFileRecipient: Recipient {
  let passphrase: SharedSecret
  let keyFile: SharedSecret
  let derivation: Argon2id.Cost
  var type: SlotType { .passphraseAndKeyFile }
  var text: String? { nil }
  var cost: Argon2id.Cost? { derivation }
  var opener: UnlockingSecrets? { UnlockingSecrets(passphrases: [passphrase], keyFiles: [keyFile]) }

  func wrap(_ randomness: RandomSource) throws(CryptoError) -> WrappingSecret {
    let parameters = PassphraseParameters(salt: try randomness.bytes(16), cost: derivation)
    return WrappingSecret(
      parameters: parameters.encoded, secret: try KeyFile.joined(parameters.derive(passphrase), keyFile))
  }
}

private struct KeyFileIdentity: Identity {
  let passphrase: SharedSecret
  let keyFile: SharedSecret

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    guard let parameters = PassphraseParameters(slot.parameters) else { throw slot.unreadable }
    return try slot.derive { () throws(CryptoError) in
      UnwrappingSecret(
        secret: try KeyFile.joined(parameters.derive(passphrase), keyFile),
        again: KeyFileRecipient(
          passphrase: passphrase, keyFile: keyFile, derivation: parameters.cost))
    }
  }
}

extension NewSlot {
  /// Creates a slot that requires a passphrase and a key file.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - keyFile: all of the file's bytes, 32 bytes to 64 MiB.
  ///   - cost: the cost of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request, with nothing derived yet.
  public static func passphrase(
    _ passphrase: SharedSecret, andKeyFile keyFile: SharedSecret, cost: Argon2id.Cost,
    opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(
      KeyFileRecipient(passphrase: passphrase, keyFile: keyFile, derivation: cost), opening: mask)
  }
}
