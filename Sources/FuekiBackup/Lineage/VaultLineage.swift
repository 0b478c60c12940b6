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

  /// The most archives that a target may be ahead of this machine's state.
  ///
  /// A million archives in between are implausible.
  static let furthestJump: UInt64 = 1 << 20

  /// Returns whether a vault can have reached this number since this machine's last known one.
  static func isPlausible(_ sequence: UInt64, after known: UInt64?) -> Bool {
    sequence <= known ?? 0 || sequence - (known ?? 0) <= furthestJump
  }

  /// Finds the next archive's place from this machine's state and the archives in the targets.
  ///
  /// Only the user's archives count. The new one follows a published intent of this machine, or an archive that a
  /// signer of the vault made on another machine. A stranger's archive is skipped.
  ///
  /// - Parameters:
  ///   - vault: the vault's id, 16 bytes. Archives of others are skipped.
  ///   - state: this machine's state of the vault.
  ///   - found: the structurally intact archives of the targets.
  ///   - ownerships: their owners.
  ///   - adopting: whether the user chose the newest of their archives at a fork.
  /// - Returns: the place after the newest known or own archive; sequence 1 if there is none.
  /// - Throws: ``LineageError/forked(sequence:known:)`` if another archive of the user has the newest known one's
  ///   place, ``LineageError/implausibleSequence(_:known:)`` if one is too far ahead.
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
    // No machine made so many archives: one with this number was planted, and has no successor.
    guard known.sequence < .max else { throw LineageError.forked(sequence: .max, known: known.sequence) }
    return Position(sequence: known.sequence + 1, previous: digest)
  }

  /// Refuses a target with a possibly newer archive of the vault whose owner is unknown.
  ///
  /// - Parameters:
  ///   - vault: the vault's id.
  ///   - state: this machine's state of it.
  ///   - found: the archives of one target.
  ///   - ownerships: their owners.
  /// - Throws: ``LineageError/unknownLineage(sequence:)`` if the vault is unknown to this machine,
  ///   ``LineageError/unknownSuccessor(sequence:known:)`` or ``LineageError/forked(sequence:known:)`` if it knows an
  ///   older archive, or another of the same number.
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

/// Notes on an archive's place among the others of its vault, with the names that scripts see.
public enum LineageNote: String, Sendable {
  /// Nothing speaks against it.
  case inPlace = "ok"
  /// It is the newest of its vault here, and this machine knows a newer one.
  case older = "older-than-known"
  /// It is newer than any that this machine knows.
  case newer = "newer-than-known"
  /// The vault's history divides here.
  case forked
}

extension VaultLineage {
  /// Compares archives with one another, and with the known ones of their vaults.
  ///
  /// A folder of backups normally holds older archives next to the newest, so that is not noted.
  ///
  /// - Parameters:
  ///   - archives: headers and digests, of any vaults, in any order.
  ///   - known: returns the newest known archive of a vault.
  /// - Returns: a note for each archive, in the same order.
  public static func notes(
    of archives: [(facts: HeaderFacts, digest: Digest)], known: (VaultID) throws -> VaultState.Link?
  ) rethrows -> [LineageNote] {
    struct Place: Hashable {
      let vault: VaultID
      let sequence: UInt64
    }
    var digests: [Place: Set<Digest>] = [:]
    var newest: [VaultID: UInt64] = [:]
    for (facts, digest) in archives {
      digests[Place(vault: facts.vaultID, sequence: facts.sequence), default: []].insert(digest)
      newest[facts.vaultID] = max(newest[facts.vaultID] ?? 0, facts.sequence)
    }
    return try archives.map { facts, digest in
      let beside = digests[Place(vault: facts.vaultID, sequence: facts.sequence)] ?? []
      // Zeros say that the one before was not known, which is reported and no fork.
      let before =
        facts.sequence > 1 && facts.previous != .zero
        ? digests[Place(vault: facts.vaultID, sequence: facts.sequence - 1)] : nil
      guard beside.count == 1, before.map({ $0.contains(facts.previous) }) ?? true else { return .forked }
      guard let known = try known(facts.vaultID) else { return .inPlace }
      do {
        try judge(facts, digest: digest, known: known)
        return facts.sequence > known.sequence ? .newer : .inPlace
      } catch LineageError.forked {
        return .forked
      } catch {
        return newest[facts.vaultID] == facts.sequence ? .older : .inPlace
      }
    }
  }
}

/// A conflict in a vault's lineage.
public enum LineageError: Error, Equatable, Sendable {
  /// An older archive than the newest known of its vault.
  case olderThanKnown(sequence: UInt64, known: UInt64)
  /// The vault's history divides here.
  case forked(sequence: UInt64, known: UInt64)
  /// A target holds an archive of this vault that this machine has never seen.
  case unknownSuccessor(sequence: UInt64, known: UInt64?)
  /// A target holds archives of this vault, which is unknown to this machine, and their owner is unknown.
  case unknownLineage(sequence: UInt64)
  /// The passphrase also opens a newer archive, which has other keys, too, and whose owner is unknown to this machine, which
  /// knows no archive of the vault.
  case inDoubt(sequence: UInt64, signer: Ed25519.PublicKey?)
  /// There was no time to try the passphrase on these newer archives, which have other keys, too, and whose owner is unknown
  /// to this machine, which knows no archive of the vault: their paths, or their short ids.
  case untried(_ archives: [String], tried: Int)
  /// An archive that claims to be of this vault has an implausibly high number.
  case implausibleSequence(_ sequence: UInt64, known: UInt64?)
  /// The vault's archives are signed, and no key was given to sign the next.
  case unsignedSuccessor
  /// The key that would sign the next archive was retired.
  case retiredSigner(Ed25519.PublicKey)
  /// The targets hold archives of other vaults, and none of the vault that would begin next to them.
  case secondVault(others: [String])
  /// The passphrase opens the archives of a vault, nothing of which is on this machine.
  case elsewhere(VaultElsewhere)
  /// The archive is not the user's, or its owner is unknown, so it is neither signed nor re-encrypted.
  case notMine(sequence: UInt64, Ownership)
}
