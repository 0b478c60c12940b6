public import FuekiArchive
public import FuekiCrypto

/// The chain that a vault's archives form: sequences that ascend by one, each naming the digest before it.
public enum VaultLineage {
  /// Compares an archive with what is known of its vault: step 4 of fueki-archive(5).
  ///
  /// - Throws: ``LineageError/olderThanKnown(sequence:known:)`` or ``LineageError/forked(sequence:known:)``.
  public static func judge(_ facts: HeaderFacts, digest: Digest, known: VaultState.Link?) throws {
    guard let known else { return }
    guard facts.sequence >= known.sequence else {
      throw LineageError.olderThanKnown(sequence: facts.sequence, known: known.sequence)
    }
    let isFork =
      facts.sequence == known.sequence
      ? digest.hex != known.digest
      : facts.sequence - known.sequence == 1 && facts.previous != .zero && facts.previous.hex != known.digest
    // A base that takes the known one's place divides the history just as well.
    let isForkOfBase =
      facts.base.map { $0.sequence == known.sequence && $0.digest.hex != known.digest } ?? false
    guard !isFork, !isForkOfBase else {
      throw LineageError.forked(sequence: facts.sequence, known: known.sequence)
    }
  }

  /// The place that the vault's next archive takes.
  public struct Position: Equatable, Sendable {
    /// One more than the newest known.
    public let sequence: UInt64
    /// The newest known archive's digest; zeros if there is none.
    public let previous: Digest
  }

  /// The furthest that the targets may be ahead of what this machine knows: nobody makes a million archives meanwhile.
  static let furthestJump: UInt64 = 1 << 20

  /// Whether a vault can have come to this number since what this machine knows.
  public static func isPlausible(_ sequence: UInt64, after known: UInt64?) -> Bool {
    sequence <= known ?? 0 || sequence - (known ?? 0) <= furthestJump
  }

  /// Finds the next archive's place from what this machine knows and what lies in the targets.
  ///
  /// Only what is mine counts. An intent of this machine that was published is one behind which the next comes; so is
  /// an archive that a signer of the vault made on another machine. A stranger's is passed over.
  ///
  /// - Parameters:
  ///   - vault: the vault's id, 16 bytes; archives of others are passed over.
  ///   - state: what this machine knows of the vault.
  ///   - found: the structurally whole archives of the targets.
  ///   - ownerships: whose they are.
  ///   - adopting: the person says that the newest that is theirs counts, where the lineage divides.
  /// - Returns: one behind the newest that is known or mine; sequence 1 where there is none.
  /// - Throws: ``LineageError/forked(sequence:known:)`` where an archive that is mine takes the newest known one's place,
  ///   ``LineageError/implausibleSequence(_:known:)`` where one is too far ahead.
  public static func next(
    of vault: VaultID, state: VaultState, found: [StoredArchive], ownerships: Ownerships, adopting: Bool
  ) throws -> Position {
    var known = state.known
    let mine = found.filter { $0.facts.vaultID == vault && ownerships[$0] == .mine }
    if let newest = mine.max(by: { $0.facts.sequence < $1.facts.sequence }) {
      let link = VaultState.Link(sequence: newest.facts.sequence, digest: newest.statedDigest)
      if !adopting, link != state.intent {
        for archive in mine where archive.facts.sequence == known?.sequence {
          try judge(archive.facts, digest: archive.statedDigest, known: known)
        }
        if link.sequence > known?.sequence ?? 0 {
          try judge(newest.facts, digest: newest.statedDigest, known: known)
        }
      }
      guard isPlausible(link.sequence, after: known?.sequence) else {
        throw LineageError.implausibleSequence(link.sequence, known: known?.sequence)
      }
      if link.sequence >= known?.sequence ?? 0 { known = link }
    }
    guard let known, let digest = Digest(hex: known.digest) else {
      return Position(sequence: 1, previous: .zero)
    }
    // Nobody made so many: one that says so was planted, and leaves no place behind it.
    guard known.sequence < .max else { throw LineageError.forked(sequence: .max, known: known.sequence) }
    return Position(sequence: known.sequence + 1, previous: digest)
  }

  /// Refuses a target that holds what may be a newer archive of the vault, and nobody can tell whose it is.
  ///
  /// - Parameters:
  ///   - vault: the vault's id.
  ///   - state: what this machine knows of it.
  ///   - found: the archives of one target.
  ///   - ownerships: whose they are.
  /// - Throws: ``LineageError/unknownLineage(sequence:)`` where this machine knows nothing of the vault,
  ///   ``LineageError/unknownSuccessor(sequence:known:)`` or ``LineageError/forked(sequence:known:)`` where it knows an
  ///   older one, or another of the same number.
  static func refuseUnknown(
    of vault: VaultID, state: VaultState, in found: [StoredArchive], ownerships: Ownerships
  ) throws(LineageError) {
    let unknown = found.filter { $0.facts.vaultID == vault && ownerships[$0] == .unknown }
    guard let newest = unknown.map(\.facts.sequence).max() else { return }
    guard let known = state.known?.sequence else { throw .unknownLineage(sequence: newest) }
    if newest > known { throw .unknownSuccessor(sequence: newest, known: known) }
    if unknown.contains(where: { $0.facts.sequence == known }) {
      throw .forked(sequence: known, known: known)
    }
  }
}
