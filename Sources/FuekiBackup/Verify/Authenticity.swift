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
