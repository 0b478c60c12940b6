public import FuekiArchive
internal import FuekiCrypto

/// An archive's owner, with the names that scripts see.
///
/// Opening proves no ownership: anyone who has a recipient's public key can make an archive that the recipient opens.
public enum Ownership: String, Sendable, CaseIterable {
  /// A signer of the vault signed it, or this machine made it or accepted it.
  case mine
  /// The owner is unknown.
  case unknown
  /// The vault has signers, and none of them signed it.
  case stranger
}

/// The owners of archives that were found together.
///
/// Only the user's archives may decide anything: numbers, removals, signatures, and the meaning of `latest`.
public struct Ownerships: Sendable {
  /// Known facts of one vault's archives.
  private struct Lineage {
    let mine: [Digest: OwnArchive.Proof]
    let signers: Set<Ed25519.PublicKey>
    let retired: Set<Ed25519.PublicKey>
    /// The sequence of the first archive that a signer of the vault signed; nil without signers.
    let signedFrom: UInt64?
  }

  private var lineages: [VaultID: Lineage] = [:]

  /// Judges archives of any vaults, in any order.
  ///
  /// An archive's stated predecessor is the user's if the archive itself is, and so on back.
  ///
  /// - Throws: ``StateError/damaged(path:)`` if this machine's state of a vault cannot be read.
  public init(of archives: [StoredArchive], trust: Trust) throws {
    for (vault, group) in Dictionary(grouping: archives, by: \.facts.vaultID) {
      lineages[vault] = Self.lineage(of: group, try trust.of(vault))
    }
  }

  private static func lineage(of archives: [StoredArchive], _ trust: VaultTrust) -> Lineage {
    var proven: [Digest: HeaderFacts] = [:]
    // One copy of several may have lost its signature.
    var signed: [Digest: HeaderFacts] = [:]
    for archive in archives {
      guard let digest = archive.provenDigest else { continue }
      proven[digest] = archive.facts
      if archive.isSigned(byOneOf: trust.signers) { signed[digest] = archive.facts }
    }
    var mine: [Digest: OwnArchive.Proof] = [:]
    for digest in signed.keys { mine[digest] = .signature }
    for digest in trust.digests { mine[digest] = .state }
    var open = proven.keys.filter { mine[$0] != nil }
    while let digest = open.popLast() {
      guard let previous = proven[digest]?.previous, previous != .zero, mine[previous] == nil else {
        continue
      }
      mine[previous] = .successor
      if proven[previous] != nil { open.append(previous) }
    }
    let first = (signed.values.map(\.sequence) + [trust.signedFrom].compactMap(\.self)).min()
    return Lineage(
      mine: mine, signers: trust.signers, retired: trust.retired,
      signedFrom: trust.signers.isEmpty ? nil : first ?? 0)
  }

  /// Returns an archive's owner; unknown for a vault that was not judged.
  public subscript(archive: StoredArchive) -> Ownership {
    guard let lineage = lineages[archive.facts.vaultID] else { return .unknown }
    guard own(archive) == nil else { return .mine }
    if let signer = archive.facts.signer, lineage.retired.contains(signer) { return .stranger }
    guard let signedFrom = lineage.signedFrom else { return .unknown }
    // From before the vault had signers, so that no signature was possible.
    return archive.facts.signer == nil && archive.facts.sequence < signedFrom ? .unknown : .stranger
  }

  /// Returns the archive with the proof that it is the user's; nil without proof.
  ///
  /// Code that names an archive, keeps it, or builds on it requires this value.
  public func own(_ archive: StoredArchive) -> OwnArchive? {
    guard let lineage = lineages[archive.facts.vaultID] else { return nil }
    if let digest = archive.provenDigest, let proof = lineage.mine[digest] {
      return OwnArchive(archive: archive, proof: proof)
    }
    guard archive.isSigned(byOneOf: lineage.signers) else { return nil }
    return OwnArchive(archive: archive, proof: .signature)
  }
}

/// An archive of the user, with the proof.
///
/// Only ``Ownerships`` makes one, or the secret that opens an archive.
public struct OwnArchive: Sendable {
  /// The kinds of proof, by the names that scripts see.
  public enum Proof: String, Sendable, CaseIterable {
    /// This machine made or accepted the archive, or the user gave its digest.
    case state
    /// A signer of the vault signed it.
    case signature
    /// A later archive of the user states it as its predecessor.
    case successor
    /// The passphrase opened it, or the user confirmed the signer of an archive that a secret opened.
    case opened
  }

  /// The archive.
  public let archive: StoredArchive
  /// The proof that it is the user's.
  public let proof: Proof

  fileprivate init(archive: StoredArchive, proof: Proof) {
    self.archive = archive
    self.proof = proof
  }

  /// Tries secrets on an archive that neither this machine nor a signer vouches for.
  ///
  /// Nil if it does not open, or opening it proves nothing.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - acceptance: the secrets, and whom to ask what an opened archive does not prove.
  ///   - siblings: the vault's other archives, newest first.
  /// - Throws: what reading the archives and asking throw.
  init?(
    opening archive: StoredArchive, with acceptance: SignerAcceptance, siblings: [StoredArchive]
  ) throws {
    guard let open = acceptance.opened(archive), try acceptance.accept(open, siblings: siblings) != nil
    else { return nil }
    self.init(archive: archive, proof: .opened)
  }
}
