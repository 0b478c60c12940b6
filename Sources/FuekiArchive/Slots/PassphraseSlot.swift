public import FuekiCrypto

/// Parameters of slot types 1 and 2: a 16-byte salt, and what Argon2id costs.
struct PassphraseParameters: Equatable {
  static let byteCount = 24
  let salt: [UInt8]
  let cost: Argon2id.Cost

  init(salt: [UInt8], cost: Argon2id.Cost) {
    self.salt = salt
    self.cost = cost
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do {
      salt = try reader.bytes(16)
      cost = Argon2id.Cost(memoryKiB: try reader.u32(), passes: try reader.u32())
      try reader.finish()
    } catch { return nil }
  }

  var encoded: [UInt8] {
    var bytes = salt
    bytes.append(littleEndian: cost.memoryKiB)
    bytes.append(littleEndian: cost.passes)
    return bytes
  }

  func derive(_ passphrase: SharedSecret) throws(CryptoError) -> SharedSecret {
    SharedSecret(try Argon2id.derive(from: passphrase.bytes, salt: salt, cost: cost))
  }
}

extension SlotFormat {
  /// Type 1: Argon2id of a passphrase.
  static let passphrase = SlotFormat(
    type: .passphrase, name: "passphrase",
    accepts: { $0.count == PassphraseParameters.byteCount },
    cost: { PassphraseParameters($0)?.cost },
    derivations: { place, given in
      guard let parameters = PassphraseParameters(place.parameters) else { return [] }
      return given.passphrases.map { passphrase in
        {
          place.derive { () throws(CryptoError) in
            SlotSecret(
              secret: try parameters.derive(passphrase),
              again: .passphrase(passphrase, cost: parameters.cost, opening: place.mask))
          }
        }
      }
    })
}

extension NewSlot {
  /// A slot that a passphrase opens.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - cost: of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request, which costs no derivation yet.
  public static func passphrase(
    _ passphrase: SharedSecret, cost: Argon2id.Cost, opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(type: .passphrase, mask: mask, cost: cost) { randomness throws(CryptoError) in
      let parameters = PassphraseParameters(salt: try randomness.bytes(16), cost: cost)
      return (parameters.encoded, try parameters.derive(passphrase))
    }
  }
}
