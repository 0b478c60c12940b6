public import FuekiArchive
public import FuekiCrypto

/// What is known of who made an archive, by the names that scripts see.
public enum Authenticity: String, Sendable {
  /// A signer whom the caller trusts.
  case trusted = "trusted-signer"
  /// Somebody who holds the key that the header names; whose it is nobody has said.
  case signed
  /// Somebody who knows the one passphrase that opens it.
  case unsigned
  /// Anyone who holds one of several keys, or only a public one.
  case unprovable = "not-provable"

  /// - Parameters:
  ///   - archive: what it says of itself.
  ///   - trusted: the keys of which one has to have signed, where the signature was checked against them.
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
  /// Gives the verdict *forked* to archives that hold by themselves, and contradict one another.
  ///
  /// Only what held until then is compared, so that a file that somebody planted cannot accuse the others.
  ///
  /// - Returns: the indices of those whose verdict changed.
  public static func markForks(in results: inout [VerificationResult]) -> [Int] {
    // A stranger's divides nobody's history.
    let whole = results.indices.filter {
      results[$0].verdict == .intact && results[$0].ownership != .stranger
    }
    let archives = whole.compactMap { index -> (index: Int, facts: HeaderFacts, digest: Digest)? in
      guard let facts = results[index].facts, let digest = results[index].digest else { return nil }
      return (index, facts, digest)
    }
    let notes = VaultLineage.notes(of: archives.map { ($0.facts, $0.digest) }, known: { _ in nil })
    let forked = zip(archives, notes).filter { $1 == .forked }.map(\.0.index)
    for index in forked { results[index].verdict = .forked }
    return forked
  }
}
