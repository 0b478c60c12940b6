import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The keys that must have signed an archive of a listed vault.
@Suite struct VerifiedVaultsTests {
  private static let alice = VaultID(words: (1, 1))
  private static let bob = VaultID(words: (2, 2))

  private static func key(_ byte: UInt8) throws -> SigningKey {
    let bytes = [UInt8](repeating: byte, count: 32)
    return try SigningKey(seed: SharedSecret(try SecretBytes(copying: bytes.span)))
  }

  private func make(
    _ vault: VaultID, _ sequence: UInt64, after previous: Digest = .zero, _ signer: UInt8,
    in folder: borrowing TemporaryDirectory
  ) throws -> StoredArchive {
    let draft = ArchiveDraft(
      vaultID: vault, sequence: sequence, previous: previous, created: 1_795_242_600,
      signer: try Self.key(signer))
    let slot = NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
    let name = "\(vault.hex.prefix(16))-\(sequence)-\(signer).fueki"
    _ = try SampleBundle().bundle().write(
      to: ArchiveFile(folder.open().createFile(name)), draft: draft, slots: [slot],
      facts: ManifestFacts(program: "test", label: "test", device: "test"))
    return try StoredArchive(at: "\(folder.path)/\(name)")
  }

  /// A list in which Alice's archives are signed by key 1, and Bob's by key 2, with archives in both orders.
  private func lists(_ archives: [StoredArchive]) throws -> [VerifiedVaults] {
    var (alice, bob) = (ExpectedVault(Self.alice), ExpectedVault(Self.bob))
    alice.signers = [try Self.key(1).publicKey]
    bob.signers = [try Self.key(2).publicKey]
    return [archives, archives.reversed()].map { archives in
      var vaults = VerifiedVaults(ExpectedVaults([alice, bob]))
      for (number, archive) in archives.enumerated() { vaults.add(archive, at: "/backups/\(number).fueki") }
      return vaults
    }
  }

  @Test func `a signer vouches for earlier archives of its own vault only`() throws {
    let folder = try TemporaryDirectory()
    let forged = try make(Self.bob, 1, 3, in: folder)
    let forgery = try make(Self.alice, 2, after: forged.statedDigest, 1, in: folder)
    let (alice, bob) = (try Self.key(1).publicKey, try Self.key(2).publicKey)
    for vaults in try lists([forged, forgery]) {
      #expect(vaults.signers(of: forged, demanded: nil) == [bob])
    }
    let first = try make(Self.alice, 1, 3, in: folder)
    let second = try make(Self.alice, 2, after: first.statedDigest, 4, in: folder)
    let third = try make(Self.alice, 3, after: second.statedDigest, 1, in: folder)
    for vaults in try lists([first, second, third]) {
      #expect(vaults.signers(of: first, demanded: nil) == nil)
      #expect(vaults.signers(of: second, demanded: nil) == nil)
      #expect(vaults.signers(of: third, demanded: nil) == [alice])
    }
  }

  @Test func `an archive whose number is not lower is no predecessor`() throws {
    let folder = try TemporaryDirectory()
    let later = try make(Self.alice, 5, 3, in: folder)
    let same = try make(Self.alice, 5, after: later.statedDigest, 1, in: folder)
    let earliest = try make(Self.alice, 1, 3, in: folder)
    let raised = try make(Self.alice, 6, after: earliest.statedDigest, 3, in: folder)
    let signed = try make(Self.alice, 4, after: raised.statedDigest, 1, in: folder)
    let alice = try Self.key(1).publicKey
    for vaults in try lists([later, same, earliest, raised, signed]) {
      for archive in [later, earliest, raised] {
        #expect(vaults.signers(of: archive, demanded: nil) == [alice])
      }
    }
  }
}
