public import FuekiCrypto

/// A writer's choices for an archive's header.
public struct ArchiveDraft: Sendable {
  /// The archive's vault.
  var vaultID: VaultID
  /// 1 for the vault's first archive.
  var sequence: UInt64
  /// The digest of the archive with the previous sequence, or zeros if it is unknown.
  var previous: Digest
  /// Seconds since 1970-01-01T00:00:00Z.
  var created: UInt64
  /// The signer, or nil for an unsigned archive.
  public var signer: SigningKey?
  /// The suite, which limits how blocks are stored.
  ///
  /// An archive with carried-over blocks keeps its suite.
  public var suite: Suite
  /// The base of a differential archive; nil for a full archive.
  ///
  /// The history of a differential archive has a record of changes, section 62.
  var base: BaseReference?

  /// - Parameters:
  ///   - vaultID: the archive's vault.
  ///   - sequence: from 1.
  ///   - previous: the digest of the previous archive, or zeros if it is unknown; ignored for sequence 1.
  ///   - created: seconds since 1970.
  ///   - signer: nil for an unsigned archive.
  ///   - suite: limits how blocks are stored.
  ///   - base: nil for a full archive; otherwise an archive of an earlier sequence.
  public init(
    vaultID: VaultID, sequence: UInt64, previous: Digest, created: UInt64, signer: SigningKey? = nil,
    suite: Suite = .columns, base: BaseReference? = nil
  ) {
    precondition(sequence > 0, "sequences count from 1")
    self.vaultID = vaultID
    self.sequence = sequence
    self.previous = sequence == 1 ? .zero : previous
    self.created = created
    self.signer = signer
    self.suite = suite
    self.base = base
  }
}

/// A header ready to be written, and the keys bound to it.
struct SealedHeader {
  /// Bytes 0..<48+L.
  let bytes: [UInt8]
  let digest: Digest
  let facts: HeaderFacts
  let slotTypes: [SlotType]
  /// For each slot, whether it withstands quantum computers.
  let slotsForTheLongTerm: [Bool]
  let keys: [ArchiveScope: ScopeKeys]

  var fieldBytes: UInt64 { UInt64(bytes.count - 48) }

  /// Draws the archive id and the root keys, seals the slots, and encodes the header (fueki-archive(5)).
  init(
    _ draft: ArchiveDraft, slots requests: [NewSlot], randomness: RandomSource
  ) throws {
    let archiveID = try randomness.bytes(32)
    var roots: [ArchiveScope: SharedSecret] = [:]
    for scope in ArchiveScope.allCases { roots[scope] = try randomness.secret(32) }
    slotTypes = requests.map(\.type)
    var slots: [UInt8] = []
    var slotsForTheLongTerm: [Bool] = []
    for request in requests {
      let sealed = try Slot.seal(request, archiveID: archiveID, roots: roots, randomness: randomness)
      slots += sealed.slot.encoded
      slotsForTheLongTerm.append(sealed.isForTheLongTerm)
    }
    self.slotsForTheLongTerm = slotsForTheLongTerm
    facts = HeaderFacts(
      archiveID: archiveID, vaultID: draft.vaultID, sequence: draft.sequence, previous: draft.previous,
      created: draft.created, signer: draft.signer?.publicKey, suite: draft.suite, base: draft.base)

    let covered = Self.fields(facts, slots: slots)
    let behind = Self.fieldsBehindConfirmations(facts)
    let length = covered.count + 6 + 96 + behind.count
    guard Limits.headerFieldBytes.contains(length) else { throw BundleError.headerTooLarge(bytes: length) }
    var prefix = Layout.magic
    prefix.append(littleEndian: Layout.major)
    prefix.append(littleEndian: Layout.minor)
    prefix.append(littleEndian: UInt32(length))
    let transcript = Header.transcript(prefix: prefix, fields: covered + behind)

    var keys: [ArchiveScope: ScopeKeys] = [:]
    var confirmations: [UInt8] = []
    for scope in ArchiveScope.allCases {
      guard let root = roots[scope] else { continue }
      let scopeKeys = try ScopeKeys(scope: scope, root: root, archiveID: archiveID, transcript: transcript)
      confirmations += try scopeKeys.confirmation()
      keys[scope] = scopeKeys
    }
    self.keys = keys
    let head =
      prefix + covered + RawField(tag: HeaderTag.confirmations.rawValue, value: confirmations).encoded
      + behind
    digest = SHA256.hash(head)
    bytes = head + digest.bytes
  }

  /// Returns the fields with tags above that of the confirmations, in order.
  ///
  /// The transcript covers them too.
  private static func fieldsBehindConfirmations(_ facts: HeaderFacts) -> [UInt8] {
    let values: [(HeaderTag, [UInt8]?)] = [
      (.base, facts.base?.encoded), (.coveredSeals, facts.signatureCoversSeals ? [] : nil),
    ]
    return encoded(values)
  }

  /// Returns the fields with tags below that of the confirmations, in order.
  private static func fields(_ facts: HeaderFacts, slots: [UInt8]) -> [UInt8] {
    func integer<I: FixedWidthInteger & UnsignedInteger>(_ value: I) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(littleEndian: value)
      return bytes
    }
    let values: [(HeaderTag, [UInt8]?)] = [
      (.suite, integer(facts.suite.rawValue)), (.archiveID, facts.archiveID),
      (.vaultID, facts.vaultID.bytes), (.sequence, integer(facts.sequence)),
      (.previous, facts.previous.bytes),
      (.created, integer(facts.created)), (.signer, facts.signer?.bytes), (.slots, slots),
    ]
    return encoded(values)
  }

  private static func encoded(_ values: [(HeaderTag, [UInt8]?)]) -> [UInt8] {
    values.flatMap { tag, value in
      value.map { RawField(tag: tag.rawValue, value: $0).encoded } ?? []
    }
  }
}

/// An Ed25519 key that signs archives.
public struct SigningKey: Sendable {
  /// The public key that verifies its signatures, as in the header.
  public let publicKey: Ed25519.PublicKey
  let seed: SharedSecret

  /// - Parameter seed: 32 bytes, RFC 8032's private key.
  /// - Throws: ``CryptoError`` if the public key cannot be computed.
  public init(seed: SharedSecret) throws(CryptoError) {
    self.seed = seed
    publicKey = try Ed25519.publicKey(seed: seed.bytes)
  }

  /// Signs a message, which must start with its own label, so that uses of the key cannot be confused.
  package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try Ed25519.sign(message, seed: seed.bytes)
  }
}

/// A writer's error about its input.
public enum BundleError: Error, Equatable {
  /// A record exceeds the format's 16 MiB.
  case recordTooLarge(bytes: Int)
  /// Sections are not in ascending order, or repeated.
  case sectionOrder(UInt16)
  /// The manifest's length is not the reserved one.
  case manifestLength(reserved: Int, given: Int)
  /// There is no slot, or more than readers accept: 32, of which 4 are for passphrases.
  case slotCount(Int)
  /// A passphrase's key derivation exceeds the limits of readers.
  case derivationCost(Argon2id.Cost)
  /// The header's fields, including the slots, exceed 64 KiB.
  case headerTooLarge(bytes: Int)
  /// No slot opens these scopes, so they would be lost.
  case closedScopes([ArchiveScope])
  /// The archive would exceed 1 TiB.
  case archiveTooLarge
}
