package import FuekiArchive
internal import FuekiCrypto

extension VaultState {
  /// The trailer of an archive that this machine made, seals included.
  public struct Seals: Codable, Equatable, Sendable {
    /// The archive's digest, in hex.
    public let archive: String
    /// The digest of its whole trailer, in hex.
    public let trailer: String
  }

  /// How many archives' seals a machine remembers, besides those of the vault's base.
  private static let mostSeals = 64

  /// Remembers the seals of an archive that this machine made and read back, unless its signature covers them.
  package mutating func remember(sealsOf archive: StoredArchive) {
    guard !archive.facts.signatureCoversSeals else { return }
    let new = Seals(archive: archive.statedDigest.hex, trailer: archive.trailerDigest.hex)
    let all = (seals ?? []).filter { $0.archive != new.archive } + [new]
    let old = all.dropLast(Self.mostSeals).filter { $0.archive == base?.digest }
    seals = old + all.suffix(Self.mostSeals)
  }
}

/// Proves that an archive's seals are its original ones.
///
/// Seals are outside the archive digest. Anyone who can add a file to a target can copy an archive and replace them:
/// the copy verifies without a secret, but no key opens it.
struct SealWitness: Sendable {
  private let made: [String: String]
  private let signers: Set<Ed25519.PublicKey>

  /// - Parameters:
  ///   - state: this machine's state of the vault.
  ///   - signers: the vault's signers.
  init(_ state: VaultState, signers: Set<Ed25519.PublicKey>) {
    self.signers = signers
    made = Dictionary((state.seals ?? []).map { ($0.archive, $0.trailer) }) { $1 }
  }

  /// Whether this machine made the archive with these very seals, or a signer of the vault signed them.
  func vouches(for archive: StoredArchive) -> Bool {
    if archive.facts.signatureCoversSeals { return archive.isSigned(byOneOf: signers) }
    return made[archive.statedDigest.hex] == archive.trailerDigest.hex
  }
}
