public import FuekiArchive
public import FuekiCrypto

/// The known facts about an archive's maker, with the names that scripts see.
public enum Authenticity: String, Sendable {
  /// A signer whom the caller trusts.
  case trusted = "trusted-signer"
  /// Made by a holder of the key in the header, whose owner is unknown.
  case signed
  /// Made by a person who knows the only passphrase that opens it.
  case unsigned
  /// Anyone who holds one of several keys, or only a public one.
  case unprovable = "not-provable"

  /// - Parameters:
  ///   - archive: the archive.
  ///   - trusted: the keys of which at least one must have signed, if the signature was checked against them.
  public init(_ archive: StoredArchive, trusting trusted: Set<Ed25519.PublicKey>? = nil) {
    if let signer = archive.facts.signer {
      self = trusted?.contains(signer) ?? false ? .trusted : .signed
    } else {
      let isSecret = archive.slots.allSatisfy { $0.type == .passphrase || $0.type == .passphraseAndKeyFile }
      self = archive.slots.count == 1 && isSecret ? .unsigned : .unprovable
    }
  }
}

extension VerificationResult {
  /// Sets the verdict *forked* on archives that are intact by themselves, but contradict one another.
  ///
  /// It compares only archives that were intact so far, so that a planted file cannot accuse the others.
  ///
  /// - Returns: the indices of the changed verdicts.
  static func markForks(in results: inout [VerificationResult]) -> [Int] {
    // A stranger's archive never forks the history.
    let whole = results.indices.filter {
      [.intact, .baseMissing].contains(results[$0].verdict) && results[$0].ownership != .stranger
    }
    let archives = whole.compactMap { index -> (index: Int, facts: HeaderFacts, digest: Digest)? in
      guard let facts = results[index].facts, let digest = results[index].digest else { return nil }
      return (index, facts, digest)
    }
    let notes = VaultLineage.notes(of: archives.map { ($0.facts, $0.digest) }, known: { _ in nil })
    let forked = zip(archives, notes).filter { $1 == .forked }.map(\.0.index)
    for index in forked { (results[index].verdict, results[index].error) = (.forked, nil) }
    return forked
  }
}

/// Whether a signature covers an archive's seals, with the names that scripts see.
///
/// The seals are outside the archive's digest. Without a signature over them, anyone can make a copy that has the same
/// digest and that no key opens, and only opening it shows that.
public enum SealCover: String, Sendable {
  /// The archive's signature covers them.
  case covered
  /// The archive is signed, by a version that did not cover them.
  case uncovered = "not-covered"
  /// The archive is not signed.
  case unsigned

  /// Reads an archive's header, which nothing proves yet.
  public init(_ facts: HeaderFacts) {
    self = facts.signatureCoversSeals ? .covered : facts.signer == nil ? .unsigned : .uncovered
  }
}

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
    let all = seals.filter { $0.archive != new.archive } + [new]
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
    made = Dictionary(state.seals.map { ($0.archive, $0.trailer) }) { $1 }
  }

  /// Whether this machine made the archive with these very seals, or a signer of the vault signed them.
  func vouches(for archive: StoredArchive) -> Bool {
    if archive.facts.signatureCoversSeals { return archive.isSigned(byOneOf: signers) }
    return made[archive.statedDigest.hex] == archive.trailerDigest.hex
  }
}

/// A file of a target that has its archive's original seals.
///
/// Only a ``SealWitness`` makes one. Code that relies on opening a file later, without a secret to try now, requires
/// this value.
struct VouchedFile: Sendable {
  let entry: TargetEntry

  /// Nil if the file is no archive, or nothing proves its seals.
  init?(_ entry: TargetEntry, _ witness: SealWitness) {
    guard let archive = entry.archive, witness.vouches(for: archive) else { return nil }
    self.entry = entry
  }
}
