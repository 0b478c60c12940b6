internal import FuekiCrypto

extension SlotType {
  /// An X25519 and ML-KEM-768 key, as in age 1.3.
  public static let hybrid = SlotType(rawValue: 5)
}

extension SlotKind {
  /// Type 5: an X-Wing key pair.
  static let hybrid = SlotKind(
    type: .hybrid, name: "hybrid", isForTheLongTerm: true,
    holder: .key(
      .hybrid,
      { (key) throws(CryptoError) in
        // Encapsulating validates the key's arithmetic.
        _ = try XWing.encapsulate(to: key)
        return HybridRecipient(key)
      }),
    advice: SlotAdvice(
      opener: "a hybrid age identity", note: "where it is", option: "--identity F, an age identity’s file",
      asksForPassphrase: false),
    facts: { $0.count == XWing.encapsulationByteCount ? SlotFacts() : nil },
    identities: { given in given.identities.hybrid.map(HybridIdentity.init) })
}

extension [AgeIdentity] {
  /// The seeds of hybrid keys.
  ///
  /// Seeds of the wrong length are ignored.
  var hybrid: [SharedSecret] {
    filter { $0.form == .hybrid && $0.key.bytes.count == XWing.seedByteCount }.map(\.key)
  }
}

/// The secret of slot types 5 and 6: X-Wing's, then the digests of the encapsulation and of the recipient.
///
/// The digests bind the slot to one recipient, as in types 3 and 4.
enum HybridSecret {
  /// Computes the secret from the seed.
  static func opening(_ seed: SharedSecret, _ encapsulation: [UInt8]) throws(CryptoError) -> SharedSecret {
    let secret = try XWing.decapsulate(encapsulation, with: seed.bytes)
    return try joined(secret, encapsulation, try XWing.publicKey(of: seed.bytes))
  }

  /// Computes the secret for a recipient, with the cryptographic library's randomness.
  static func sealing(
    to recipient: [UInt8]
  ) throws(CryptoError) -> (encapsulation: [UInt8], secret: SharedSecret) {
    let drawn = try XWing.encapsulate(to: recipient)
    return (drawn.encapsulation, try joined(drawn.secret.bytes, drawn.encapsulation, recipient))
  }

  private static func joined(
    _ secret: borrowing SecretBytes, _ encapsulation: [UInt8], _ recipient: [UInt8]
  ) throws(CryptoError) -> SharedSecret {
    let digests = SHA256.hash(encapsulation).bytes + SHA256.hash(recipient).bytes
    let start = secret.count
    var joined = try SecretBytes(count: start + digests.count)
    joined.withMutableBytes { target in
      secret.withBytes { target.write($0, at: 0) }
      target.write(digests.span, at: start)
    }
    return SharedSecret(joined)
  }
}

private struct HybridRecipient: Recipient {
  let publicKey: [UInt8]
  var type: SlotType { .hybrid }
  var cost: Argon2id.Cost? { nil }
  var text: String? { AgeKey.text(recipient: publicKey, .hybrid) }

  init(_ publicKey: [UInt8]) { self.publicKey = publicKey }

  func wrap(_: RandomSource) throws(CryptoError) -> WrappingSecret {
    let (encapsulation, secret) = try HybridSecret.sealing(to: publicKey)
    return WrappingSecret(parameters: encapsulation, secret: secret)
  }
}

private struct HybridIdentity: Identity {
  let seed: SharedSecret

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    try slot.derive { () throws(CryptoError) in
      UnwrappingSecret(
        secret: try HybridSecret.opening(seed, slot.parameters),
        again: HybridRecipient(try XWing.publicKey(of: seed.bytes)))
    }
  }
}

extension NewSlot {
  /// Creates a slot for the holder of a hybrid key's seed.
  ///
  /// - Parameters:
  ///   - publicKey: 1216 bytes, the contents of `age1pq1…`. An invalid key is refused when the archive is
  ///     written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request.
  public static func hybrid(_ publicKey: [UInt8], opening mask: ScopeMask = .all) -> NewSlot {
    NewSlot(HybridRecipient(publicKey), opening: mask)
  }
}
