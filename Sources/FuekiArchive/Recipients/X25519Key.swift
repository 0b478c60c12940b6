internal import FuekiCrypto

extension SlotType {
  /// An X25519 key, as in age.
  public static let x25519 = SlotType(rawValue: 3)
}

extension SlotKind {
  /// Type 3: an X25519 key pair.
  static let x25519 = SlotKind(
    type: .x25519, name: "x25519", isForTheLongTerm: false,
    holder: .key(
      .x25519,
      { (key) throws(CryptoError) in
        // A key that shares no secret with anyone would create a slot that never opens.
        _ = try X25519.product(try SecretBytes.random(count: X25519.byteCount), key)
        return X25519Recipient(key)
      }),
    advice: SlotAdvice(
      opener: "an age identity", note: "where it is", option: "--identity F, an age identity’s file",
      asksForPassphrase: false),
    facts: { $0.count == X25519.byteCount ? SlotFacts() : nil },
    identities: { given in given.identities.x25519.map(X25519Identity.init) })
}

extension [AgeIdentity] {
  /// The X25519 keys.
  ///
  /// Keys of the wrong length are ignored.
  var x25519: [SharedSecret] {
    filter { $0.form == .x25519 && $0.key.bytes.count == X25519.byteCount }.map(\.key)
  }
}

/// The secret of slot types 3 and 4: product ‖ ephemeral public key ‖ recipient's public key.
enum X25519Secret {
  /// Computes the secret from the private key.
  static func opening(_ key: SharedSecret, ephemeral: [UInt8]) throws(CryptoError) -> SharedSecret {
    let product = try X25519.product(key.bytes, ephemeral)
    return try joined(product, ephemeral, try X25519.publicKey(of: key.bytes))
  }

  /// Computes the secret for a recipient with an ephemeral key, which is then discarded.
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

private struct X25519Recipient: Recipient {
  let publicKey: [UInt8]
  var type: SlotType { .x25519 }
  var cost: Argon2id.Cost? { nil }
  var text: String? { AgeKey.text(recipient: publicKey, .x25519) }

  init(_ publicKey: [UInt8]) { self.publicKey = publicKey }

  func wrap(_ randomness: RandomSource) throws(CryptoError) -> WrappingSecret {
    let (ephemeral, secret) = try X25519Secret.sealing(to: publicKey, randomness)
    return WrappingSecret(parameters: ephemeral, secret: secret)
  }
}

private struct X25519Identity: Identity {
  let key: SharedSecret

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    try slot.derive { () throws(CryptoError) in
      UnwrappingSecret(
        secret: try X25519Secret.opening(key, ephemeral: slot.parameters),
        again: X25519Recipient(try X25519.publicKey(of: key.bytes)))
    }
  }
}

extension NewSlot {
  /// Creates a slot for the holder of an X25519 private key.
  ///
  /// - Parameters:
  ///   - publicKey: 32 bytes, the contents of `age1…`. A key of small order is refused when the archive is
  ///     written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request.
  public static func recipient(_ publicKey: [UInt8], opening mask: ScopeMask = .all) -> NewSlot {
    NewSlot(X25519Recipient(publicKey), opening: mask)
  }
}
