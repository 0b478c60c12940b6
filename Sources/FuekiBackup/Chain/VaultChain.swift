public import FuekiArchive
public import FuekiCrypto

/// The chain that a vault's archives form: sequences that ascend by one, each naming the digest before it.
public enum VaultChain {
  /// Compares an archive with what is known of its vault: step 4 of FORMAT.md section 8.
  ///
  /// - Throws: ``BackupError/olderThanKnown(sequence:known:)`` or ``BackupError/forked(sequence:known:)``.
  public static func judge(_ facts: HeaderFacts, digest: Digest, known: VaultState.Link?) throws {
    guard let known else { return }
    guard facts.sequence >= known.sequence else {
      throw BackupError.olderThanKnown(sequence: facts.sequence, known: known.sequence)
    }
    let isFork =
      facts.sequence == known.sequence
      ? digest.hex != known.digest
      : facts.sequence - known.sequence == 1 && facts.previous != .zero && facts.previous.hex != known.digest
    guard !isFork else { throw BackupError.forked(sequence: facts.sequence, known: known.sequence) }
  }

  /// The place that the vault's next archive takes.
  public struct Position: Equatable, Sendable {
    /// One more than the newest known.
    public let sequence: UInt64
    /// The newest known archive's digest; zeros if there is none.
    public let previous: Digest
  }

  /// Finds the next archive's place from what this machine knows and what lies in the targets.
  ///
  /// An intent of this machine that was published is adopted. Any other archive with a higher sequence was made by
  /// somebody else, or by this vault on another machine: it stops the run unless its signer is trusted or the
  /// person adopts it.
  ///
  /// - Parameters:
  ///   - vault: the vault's id, 16 bytes; archives of others are passed over.
  ///   - state: what this machine knows of the vault.
  ///   - found: the structurally whole archives of the targets.
  ///   - adopting: the person says that unknown newer archives are theirs.
  ///   - trusted: Ed25519 public keys; a newer archive that one of them signed is adopted, once every byte of it was
  ///     read.
  /// - Returns: one behind the newest that is known or adopted; sequence 1 where there is none.
  /// - Throws: ``BackupError/forked(sequence:known:)`` where an archive takes the newest known one's place,
  ///   ``BackupError/unknownSuccessor(sequence:known:)`` where one is newer.
  public static func next(
    of vault: [UInt8], state: VaultState, found: [StoredArchive], adopting: Bool,
    trusting trusted: [[UInt8]] = []
  ) throws -> Position {
    var known = state.known
    let archives = found.filter { $0.facts.vaultID == vault }.sorted { $0.facts.sequence < $1.facts.sequence }
    if let signed = archives.last(where: {
      $0.facts.sequence > known?.sequence ?? 0 && isSigned($0, by: trusted)
    }) {
      // Whoever signed it, it does not hide that the history divides at what this machine knows.
      if !adopting {
        for archive in archives where archive.facts.sequence == known?.sequence {
          try judge(archive.facts, digest: archive.statedDigest, known: known)
        }
        try judge(signed.facts, digest: signed.statedDigest, known: known)
      }
      known = VaultState.Link(sequence: signed.facts.sequence, digest: signed.statedDigest)
    }
    for archive in archives {
      let link = VaultState.Link(sequence: archive.facts.sequence, digest: archive.statedDigest)
      guard link.sequence >= known?.sequence ?? 0, link != known else { continue }
      let isOwnIntent = link == state.intent
      guard isOwnIntent || adopting else {
        guard link.sequence != known?.sequence else {
          throw BackupError.forked(sequence: link.sequence, known: link.sequence)
        }
        throw BackupError.unknownSuccessor(sequence: link.sequence, known: known?.sequence)
      }
      known = link
    }
    guard let known, let digest = Digest(hex: known.digest) else {
      return Position(sequence: 1, previous: .zero)
    }
    // Nobody made so many: one that says so was planted, and leaves no place behind it.
    guard known.sequence < .max else { throw BackupError.forked(sequence: .max, known: known.sequence) }
    return Position(sequence: known.sequence + 1, previous: digest)
  }

  /// Whether one of the keys signed the archive, all of which is as it was written.
  private static func isSigned(_ archive: StoredArchive, by trusted: [[UInt8]]) -> Bool {
    // Nobody else's archive is worth reading to its end.
    guard let signer = archive.facts.signer, trusted.contains(signer) else { return false }
    return (try? archive.verify(trusting: trusted).intact) != nil
  }
}
