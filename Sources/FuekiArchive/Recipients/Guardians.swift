public import FuekiCrypto

extension SlotType {
  /// A sufficient number of the guardians' shares.
  package static let guardians = SlotType(rawValue: 4)
}

extension SlotKind {
  /// Type 4: an X25519 key pair whose private key was split among guardians.
  static let guardians = SlotKind(
    type: .guardians, name: "guardians", isForTheLongTerm: false, holder: .guardians,
    advice: SlotAdvice(
      opener: "the words of guardians", note: "who they are",
      option: "--guardian-shares F F …, the guardians’ words",
      asksForPassphrase: false),
    facts: { GuardianParameters($0, .x25519).map { SlotFacts(guardians: $0.summary) } },
    identities: { guardianIdentities($0, .x25519, keys: $0.identities.x25519) })

  /// Returns the given secrets that may open a guardians slot with this form of key.
  static func guardianIdentities(
    _ given: UnlockingSecrets, _ form: AgeKeyForm, keys: [SharedSecret]
  ) -> [any Identity] {
    // A key combined by hand is an identity like any other.
    let keys: [any Identity] = keys.map { GuardiansKey(form: form, key: $0) }
    return given.guardianShares.isEmpty
      ? keys : keys + [GuardianShares(form: form, words: given.guardianShares)]
  }
}

/// Parameters of slot types 4 and 6, which are validated even if the slot is not tried.
struct GuardianParameters: Equatable {
  let form: AgeKeyForm
  /// An ephemeral public key, or an encapsulation.
  let sealed: [UInt8]
  let threshold: Int
  let identifier: UInt16
  let shareTags: [[UInt8]]

  init?(_ bytes: [UInt8], _ form: AgeKeyForm) {
    self.form = form
    var reader = ByteReader(bytes)
    do {
      sealed = try reader.bytes(form == .hybrid ? XWing.encapsulationByteCount : X25519.byteCount)
      threshold = Int(try reader.u8())
      let count = Int(try reader.u8())
      identifier = try reader.u16()
      var tags: [[UInt8]] = []
      for _ in 0..<count { tags.append(try reader.bytes(GuardianSet.tagByteCount)) }
      shareTags = tags
      try reader.finish()
      guard GuardianSet.isInRange(threshold: threshold, count: count, identifier: identifier) else {
        return nil
      }
    } catch { return nil }
  }

  var summary: SlotSummary.Guardians {
    SlotSummary.Guardians(threshold: threshold, identifier: identifier, shareTags: shareTags)
  }

  static func encoded(_ guardians: GuardianSet, sealed: [UInt8]) -> [UInt8] {
    var bytes = sealed + [UInt8(guardians.threshold), UInt8(guardians.shareTags.count)]
    bytes.append(littleEndian: guardians.identifier)
    return bytes + guardians.shareTags.flatMap(\.self)
  }

  /// Returns the slot's secret from the guardians' key.
  func secret(
    _ key: SharedSecret, of slot: SlotPlace, mustOpen: Bool
  ) throws(ArchiveError) -> UnwrappingSecret {
    try slot.derive { () throws(CryptoError) in
      let guardians = GuardianSet(
        publicKey: try form.publicKey(of: key.bytes), threshold: threshold, identifier: identifier,
        shareTags: shareTags)
      guard let guardians else { throw .invalidKey }
      let secret =
        switch form {
        case .x25519: try X25519Secret.opening(key, ephemeral: sealed)
        case .hybrid: try HybridSecret.opening(key, sealed)
        }
      return UnwrappingSecret(secret: secret, again: guardians, mustOpen: mustOpen)
    }
  }
}

extension GuardianSet: Recipient {
  /// The type of slot that they open.
  public var type: SlotType { form == .hybrid ? .hybridGuardians : .guardians }
  /// As ``line``.
  public var text: String? { line }
  /// Nil: no passphrase is involved.
  public var cost: Argon2id.Cost? { nil }

  /// Seals to the public key.
  public func wrap(_ randomness: RandomSource) throws(CryptoError) -> WrappingSecret {
    let (sealed, secret) =
      switch form {
      case .x25519: try X25519Secret.sealing(to: publicKey, randomness)
      case .hybrid: try HybridSecret.sealing(to: publicKey)
      }
    return WrappingSecret(parameters: GuardianParameters.encoded(self, sealed: sealed), secret: secret)
  }
}

private struct GuardiansKey: Identity {
  let form: AgeKeyForm
  let key: SharedSecret

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    guard let parameters = GuardianParameters(slot.parameters, form) else { throw slot.unreadable }
    return try parameters.secret(key, of: slot, mustOpen: false)
  }
}

private struct GuardianShares: Identity {
  let form: AgeKeyForm
  let words: [SharedSecret]

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    guard let parameters = GuardianParameters(slot.parameters, form) else { throw slot.unreadable }
    let key = try GatheredShares(words, for: parameters.summary, slot).combined()
    return try parameters.secret(key, of: slot, mustOpen: true)
  }
}

extension NewSlot {
  /// Creates a slot that enough guardians open together.
  ///
  /// - Parameters:
  ///   - guardians: their public part. No single person has the private key.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request.
  public static func guardians(_ guardians: GuardianSet, opening mask: ScopeMask = .all) -> NewSlot {
    NewSlot(guardians, opening: mask)
  }
}

/// The public part of a vault's guardians, which is all that a writer keeps (fueki-archive(5), SLOTS).
public struct GuardianSet: Equatable, Sendable {
  /// The kind of key that was split.
  public let form: AgeKeyForm
  /// Its public key.
  public let publicKey: [UInt8]
  /// The number of shares that open a slot together, 2…16.
  public let threshold: Int
  /// The shares' SLIP-39 identifier, 0…32767.
  public let identifier: UInt16
  /// The shares' tags of 4 bytes, in member order, one for each guardian.
  public let shareTags: [[UInt8]]

  /// The length of a share's tag.
  static let tagByteCount = 4

  /// Nil for invalid numbers: 2 ≤ threshold ≤ count ≤ 16, and the identifier below 2^15.
  public init?(publicKey: [UInt8], threshold: Int, identifier: UInt16, shareTags: [[UInt8]]) {
    let form = AgeKeyForm.allCases.first { $0.recipientByteCount == publicKey.count }
    guard let form, shareTags.allSatisfy({ $0.count == Self.tagByteCount }),
      Self.isInRange(threshold: threshold, count: shareTags.count, identifier: identifier)
    else { return nil }
    self.form = form
    self.publicKey = publicKey
    self.threshold = threshold
    self.identifier = identifier
    self.shareTags = shareTags
  }

  static func isInRange(threshold: Int, count: Int, identifier: UInt16) -> Bool {
    threshold >= 2 && threshold <= count && count <= 16 && identifier < 1 << 15
  }

  /// Returns the tag that distinguishes the right share from a wrong or damaged one.
  ///
  /// - Parameters:
  ///   - words: the words of one share, lower case, joined by single spaces.
  ///   - vaultID: the guardians' vault.
  /// - Returns: 4 bytes.
  public static func shareTag(of words: borrowing SecretBytes, vaultID: VaultID) -> [UInt8] {
    var hash = SHA256()
    hash.update(.label("fueki/1 guardian"))
    hash.update(vaultID.bytes)
    words.withBytes { hash.update($0) }
    return Array(hash.finalize().bytes.prefix(tagByteCount))
  }

  // MARK: as text

  private static let keyword = "fueki-guardians-1"

  /// The set as a line of text: `fueki-guardians-1 age1pq1… THRESHOLD IDENTIFIER tag,tag,…`.
  public var line: String {
    let tags = shareTags.map { Hex.encode($0) }.joined(separator: ",")
    return "\(Self.keyword) \(AgeKey.text(recipient: publicKey, form)) \(threshold) \(identifier) \(tags)"
  }

  /// Parses the output of ``line``; nil for anything else.
  public init?(line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 5, words[0] == Self.keyword, let recipient = try? AgeKey.recipient(words[1]),
      let threshold = Int(words[2]), let identifier = UInt16(words[3])
    else { return nil }
    let tags = words[4].split(separator: ",", omittingEmptySubsequences: false).map { Hex.decode($0) ?? [] }
    self.init(publicKey: recipient.key, threshold: threshold, identifier: identifier, shareTags: tags)
  }
}

extension SlotType {
  /// A sufficient number of the guardians' shares of a hybrid key.
  package static let hybridGuardians = SlotType(rawValue: 6)
}

extension SlotKind {
  /// Type 6: as type 4, with an X-Wing key pair whose seed was split.
  static let hybridGuardians = SlotKind(
    type: .hybridGuardians, name: "hybrid-guardians", isForTheLongTerm: true, holder: .guardians,
    advice: guardians.advice,
    facts: { GuardianParameters($0, .hybrid).map { SlotFacts(guardians: $0.summary) } },
    identities: { guardianIdentities($0, .hybrid, keys: $0.identities.hybrid) })
}
