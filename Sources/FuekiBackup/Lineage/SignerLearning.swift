public import FuekiArchive
public import FuekiCrypto
internal import FoundationEssentials
internal import FuekiWallet

/// What an archive that a passphrase opened proves of who made it.
///
/// Whoever has a recipient's public key can make an archive that its owner opens. One whose only slot is a passphrase was
/// made by somebody who knows that passphrase, so that the signers it names can be learned from it, unasked.
public struct SignerLearning: Equatable, Sendable {
  /// The signers that the archive names.
  public let signers: Set<Ed25519.PublicKey>
  /// The archive itself, where nobody signed it.
  public let unsigned: Digest?

  /// So many of the vault's other archives are opened and asked, too.
  public static let mostTried = 8

  /// Learns from an archive that is open; nil where it proves nothing, or another one names other signers.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - others: the vault's other archives, newest first; at most ``mostTried`` in all are opened. One that names
  ///     fewer signers contradicts nothing: the vault has got others since.
  ///   - open: opens one of them with the same secret; nil where it does not open.
  /// - Throws: what `open` and reading throw.
  public init?(
    from archive: OpenArchive, others: [StoredArchive], open: (StoredArchive) throws -> OpenArchive?
  ) throws {
    guard let named = try Self.named(by: archive) else { return nil }
    var tried = 1
    for other in others where other.provenDigest != archive.digest && Self.hasOnlyPassphrase(other) {
      guard tried < Self.mostTried else { break }
      tried += 1
      guard let opened = try open(other), let names = try Self.named(by: opened) else { continue }
      let isNewer = other.facts.sequence > archive.facts.sequence
      guard isNewer ? names.isSuperset(of: named) : names.isSubset(of: named) else { return nil }
    }
    signers = named
    unsigned = archive.facts.signer == nil ? archive.digest : nil
  }

  /// Whether a passphrase is all that opens an archive.
  public static func hasOnlyPassphrase(_ archive: StoredArchive) -> Bool {
    guard archive.slots.count == 1, let slot = archive.slots.first else { return false }
    return slot.type == .passphrase || slot.type == .passphraseAndKeyFile
  }

  /// The signers that the manifest names, or that an earlier version's header does; nil where they prove nothing.
  private static func named(by archive: OpenArchive) throws -> Set<Ed25519.PublicKey>? {
    guard hasOnlyPassphrase(archive.source.source), let manifest = try archive.decodedManifest()?.manifest
    else { return nil }
    let keys = manifest.signers.compactMap { Ed25519.PublicKey(bytes: [UInt8]($0)) }
    return Set(keys).union([archive.facts.signer].compactMap(\.self))
  }
}

extension VaultState {
  /// Takes what was learned for true: the signers are the vault's, and an unsigned archive is this person's.
  public mutating func accept(_ learned: SignerLearning) {
    accept(signers: learned.signers)
    accept(unsigned: [learned.unsigned].compactMap(\.self))
  }
}
