public import FuekiArchive
public import FuekiCrypto

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
