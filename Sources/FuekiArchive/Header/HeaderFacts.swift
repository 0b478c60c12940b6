public import FuekiCrypto

/// The facts in an archive's header that anyone can read (fueki-archive(5), HEADER).
public struct HeaderFacts: Equatable, Sendable {
  /// The algorithms of the archive.
  public let suite: Suite
  /// 32 random bytes, fresh in every file.
  public let archiveID: [UInt8]
  /// The archive's vault.
  public let vaultID: VaultID
  /// 1 for a vault's first archive, then one more than the previous archive's.
  public let sequence: UInt64
  /// The archive digest of the archive with the previous sequence; zeros if there is none or it is unknown.
  public let previous: Digest
  /// Seconds since 1970-01-01T00:00:00Z.
  public let created: UInt64
  /// The signer's public key, or nil in an unsigned archive.
  public let signer: Ed25519.PublicKey?
  /// The base of a differential archive; nil in a full one.
  public let base: BaseReference?
  /// Whether the signature covers the seals; false if unsigned, or signed by version 0.2.0 or earlier.
  public let signatureCoversSeals: Bool

  /// Creates a writer's facts.
  ///
  /// The signature of every archive signed now covers the seals.
  package init(
    archiveID: [UInt8], vaultID: VaultID, sequence: UInt64, previous: Digest, created: UInt64,
    signer: Ed25519.PublicKey?, suite: Suite = .columns, base: BaseReference? = nil
  ) {
    self.suite = suite
    self.archiveID = archiveID
    self.vaultID = vaultID
    self.sequence = sequence
    self.previous = previous
    self.created = created
    self.signer = signer
    self.base = base
    signatureCoversSeals = signer != nil
  }
}

/// The header's tags.
///
/// Bit 15 marks a field that every reader must know.
enum HeaderTag: UInt16, CaseIterable {
  case suite = 0x8001
  case archiveID = 0x8002
  case vaultID = 0x8003
  case sequence = 0x8004
  case previous = 0x8005
  case created = 0x8006
  case signer = 0x8007
  case slots = 0x8008
  case confirmations = 0x8009
  // 0x800A is an unknown field in released test vectors.
  case base = 0x800B
  case coveredSeals = 0x800C

  static func isCritical(_ tag: UInt16) -> Bool { tag & 0x8000 != 0 }

  /// Whether the field is mandatory.
  var isRequired: Bool {
    switch self {
    case .signer, .base, .coveredSeals: false
    default: true
    }
  }

  /// The field's length if it is fixed.
  var byteCount: Int? {
    switch self {
    case .suite: 2
    case .archiveID, .previous: 32
    case .signer: Ed25519.PublicKey.byteCount
    case .vaultID: VaultID.byteCount
    case .sequence, .created: 8
    case .confirmations: 96
    case .base: BaseReference.byteCount
    case .coveredSeals: 0
    case .slots: nil
    }
  }
}
