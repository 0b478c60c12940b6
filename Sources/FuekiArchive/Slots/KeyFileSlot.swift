public import FuekiCrypto

extension SlotFormat {
  /// Type 2: Argon2id of a passphrase, then the digest of a key file.
  static let passphraseAndKeyFile = SlotFormat(
    type: .passphraseAndKeyFile, name: "passphrase-and-key-file",
    accepts: { $0.count == PassphraseParameters.byteCount },
    cost: { PassphraseParameters($0)?.cost },
    derivations: { place, given in
      guard let parameters = PassphraseParameters(place.parameters) else { return [] }
      return given.passphrases.flatMap { passphrase in
        given.keyFiles.map { keyFile in
          {
            place.derive { () throws(CryptoError) in
              SlotSecret(
                secret: try KeyFile.joined(parameters.derive(passphrase), keyFile),
                again: .passphrase(
                  passphrase, andKeyFile: keyFile, cost: parameters.cost, opening: place.mask))
            }
          }
        }
      }
    })
}

/// A key file's part in a secret.
enum KeyFile {
  /// The 32 bytes of the derivation, then the digest of the file's bytes.
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

extension NewSlot {
  /// A slot that needs a passphrase and a key file.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - keyFile: all of the file's bytes, 32 bytes to 64 MiB.
  ///   - cost: of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request, which costs no derivation yet.
  public static func passphrase(
    _ passphrase: SharedSecret, andKeyFile keyFile: SharedSecret, cost: Argon2id.Cost,
    opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(type: .passphraseAndKeyFile, mask: mask, cost: cost) { randomness throws(CryptoError) in
      let parameters = PassphraseParameters(salt: try randomness.bytes(16), cost: cost)
      return (parameters.encoded, try KeyFile.joined(parameters.derive(passphrase), keyFile))
    }
  }
}
