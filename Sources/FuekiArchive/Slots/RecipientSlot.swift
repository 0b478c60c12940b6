internal import FuekiCrypto

extension SlotFormat {
  /// Type 3: an X25519 key pair.
  static let x25519 = SlotFormat(
    type: .x25519, name: "x25519",
    accepts: { $0.count == X25519.byteCount },
    cost: { _ in nil },
    derivations: { place, given in
      // One of another length is no X25519 key, and opens nothing.
      given.identities.filter { $0.bytes.count == X25519.byteCount }.map { identity in
        {
          place.derive { () throws(CryptoError) in
            SlotSecret(
              secret: try RecipientSecret.opening(identity, ephemeral: place.parameters),
              again: .recipient(try X25519.publicKey(of: identity.bytes), opening: place.mask))
          }
        }
      }
    })
}

/// The secret of slot types 3 and 4: product ‖ ephemeral public key ‖ recipient's public key.
enum RecipientSecret {
  /// As the holder of the private key has it.
  static func opening(
    _ identity: SharedSecret, ephemeral: [UInt8]
  ) throws(CryptoError) -> SharedSecret {
    let product = try X25519.product(identity.bytes, ephemeral)
    return try joined(product, ephemeral, try X25519.publicKey(of: identity.bytes))
  }

  /// As the writer has it, who draws the ephemeral key and forgets it.
  static func sealing(
    to recipient: [UInt8], _ randomness: RandomSource
  ) throws(CryptoError) -> (ephemeral: [UInt8], secret: SharedSecret) {
    let ephemeral = try randomness.secret(X25519.byteCount)
    let publicKey = try X25519.publicKey(of: ephemeral.bytes)
    let product = try X25519.product(ephemeral.bytes, recipient)
    return (publicKey, try joined(product, publicKey, recipient))
  }

  private static func joined(
    _ product: borrowing SecretBytes, _ ephemeral: [UInt8], _ recipient: [UInt8]
  ) throws(CryptoError) -> SharedSecret {
    var joined = try SecretBytes(count: 3 * X25519.byteCount)
    joined.withMutableBytes { target in
      product.withBytes { target.write($0, at: 0) }
      target.write(ephemeral.span, at: X25519.byteCount)
      target.write(recipient.span, at: X25519.byteCount + ephemeral.count)
    }
    return SharedSecret(joined)
  }
}

extension NewSlot {
  /// A slot that the holder of an X25519 private key opens.
  ///
  /// - Parameters:
  ///   - publicKey: 32 bytes, what `age1…` encodes. A key of small order is refused when the archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request.
  public static func recipient(_ publicKey: [UInt8], opening mask: ScopeMask = .all) -> NewSlot {
    NewSlot(type: .x25519, mask: mask) { randomness throws(CryptoError) in
      let (ephemeral, secret) = try RecipientSecret.sealing(to: publicKey, randomness)
      return (ephemeral, secret)
    }
  }
}
