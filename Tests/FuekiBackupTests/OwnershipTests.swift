import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Whose an archive is, of archives that the library makes.
@Suite struct OwnershipTests {
  private static func key(_ byte: UInt8) throws -> SigningKey {
    let bytes = [UInt8](repeating: byte, count: 32)
    return try SigningKey(seed: SharedSecret(try SecretBytes(copying: bytes.span)))
  }

  /// Makes an archive of the vault and returns its digest.
  private func make(
    _ sequence: UInt64, after previous: Digest, _ signer: SigningKey? = nil,
    in folder: borrowing TemporaryDirectory,
    as name: String
  ) throws -> Digest {
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: sequence, previous: previous, created: 1_795_242_600,
      signer: signer)
    let slot = NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
    return try SampleBundle().bundle().write(
      to: ArchiveFile(folder.open().createFile("\(name).fueki")), draft: draft, slots: [slot],
      facts: ManifestFacts(program: "test", label: "test", device: "test")
    ).digest
  }

  private func judge(_ folder: borrowing TemporaryDirectory, _ trust: Trust) throws -> [String: Ownership] {
    let entries = try Target(path: folder.path).entries()
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
    return Dictionary(
      uniqueKeysWithValues: entries.compactMap { entry in
        entry.archive.map { (String(entry.name.dropLast(".fueki".count)), ownerships[$0]) }
      })
  }

  private static func trust(_ state: VaultState) -> Trust {
    var trust = Trust()
    trust.remember(state, of: SampleBundle.vaultID)
    return trust
  }

  @Test func `an archive of this vault comes with its proof, and a stranger's has none`() throws {
    let folder = try TemporaryDirectory()
    let first = try make(1, after: .zero, in: folder, as: "first")
    let second = try make(2, after: first, Self.key(1), in: folder, as: "second")
    let third = try make(3, after: second, in: folder, as: "third")
    _ = try make(3, after: second, Self.key(2), in: folder, as: "other")
    func proofs(_ trust: Trust) throws -> [String: OwnArchive.Proof] {
      let entries = try Target(path: folder.path).entries()
      let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
      return Dictionary(
        uniqueKeysWithValues: entries.compactMap { entry in
          entry.archive.flatMap { ownerships.own($0) }.map {
            (String(entry.name.dropLast(".fueki".count)), $0.proof)
          }
        })
    }
    #expect(try proofs(Trust()).isEmpty)
    var state = VaultState()
    state.accept(signers: [try Self.key(1).publicKey])
    #expect(try proofs(Self.trust(state)) == ["first": .successor, "second": .signature])
    // An archive chosen for this run counts like a remembered one, and so do its predecessors.
    var given = Trust()
    given.given[SampleBundle.vaultID] = VaultState.Link(sequence: 3, digest: third)
    #expect(try proofs(given) == ["first": .successor, "second": .successor, "third": .state])
  }

  @Test func `what an archive that is mine names as the one before is mine, and so on back`() throws {
    let folder = try TemporaryDirectory()
    let first = try make(1, after: .zero, in: folder, as: "first")
    let second = try make(2, after: first, in: folder, as: "second")
    let third = try make(3, after: second, Self.key(1), in: folder, as: "third")
    _ = try make(4, after: third, Self.key(1), in: folder, as: "fourth")
    // An archive with a repeated number, outside of the chain, and another that claims to follow the user's.
    _ = try make(2, after: first, in: folder, as: "stray")
    _ = try make(5, after: third, in: folder, as: "late")
    _ = try make(5, after: third, Self.key(2), in: folder, as: "other")
    #expect(try Set(judge(folder, Trust()).values) == [.unknown])
    var state = VaultState()
    state.accept(signers: [try Self.key(1).publicKey])
    #expect(
      try judge(folder, Self.trust(state)) == [
        "first": .mine, "second": .mine, "third": .mine, "fourth": .mine, "stray": .unknown,
        "late": .stranger, "other": .stranger,
      ])
    // Archives that this machine made unsigned after that are the user's, and so are accepted ones.
    state.accept(unsigned: [try #require(try digest(of: "late", in: folder))])
    #expect(try judge(folder, Self.trust(state))["late"] == .mine)
  }

  private func digest(of name: String, in folder: borrowing TemporaryDirectory) throws -> Digest? {
    try Target(path: folder.path).entries().first { $0.name == "\(name).fueki" }?.archive?.statedDigest
  }

  @Test func `a header that names my signer without a signature that holds is a stranger's`() throws {
    let folder = try TemporaryDirectory()
    _ = try make(1, after: .zero, Self.key(1), in: folder, as: "mine")
    let other = try TemporaryDirectory()
    _ = try make(2, after: .zero, Self.key(1), in: other, as: "forged")
    try folder.write(Self.breakSignature(other.read("forged.fueki")), to: "forged.fueki")
    var state = VaultState()
    state.accept(signers: [try Self.key(1).publicKey])
    let judged = try judge(folder, Self.trust(state))
    #expect(judged["mine"] == .mine)
    #expect(judged["forged"] != .mine)
  }

  /// Turns one bit of the signature in each of the two trailers, and makes their checks right again.
  private static func breakSignature(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let end: [UInt8] = [0x0a, 0x1a, 0x0a, 0x0d, 0x41, 0x4b, 0x46, 0x89]
    for start in bytes.indices.dropLast(255) where Array(bytes[start + 248..<start + 256]) == end {
      bytes[start + 120] ^= 1
      let check = SHA256.hash(Array("fueki/1 trailer".utf8) + bytes[start..<start + 240])
      bytes.replaceSubrange(start + 240..<start + 248, with: check.bytes.prefix(8))
    }
    return bytes
  }

  @Test(arguments: [false, true])
  func `a copy with other seals is not mine, and hides nothing that is`(_ isFirst: Bool) throws {
    let folder = try TemporaryDirectory()
    let first = try make(1, after: .zero, in: folder, as: "first")
    _ = try make(2, after: first, Self.key(1), in: folder, as: "signed")
    let copy = isFirst ? "a copy" : "the copy"
    try folder.write(folder.read("signed.fueki").withOtherSeals, to: "\(copy).fueki")
    var state = VaultState()
    state.accept(signers: [try Self.key(1).publicKey])
    // The copy has the digest that this machine knows.
    state.known = VaultState.Link(
      sequence: 2, digest: try #require(try digest(of: "signed", in: folder)))
    let expected: [String: Ownership] = ["first": .mine, "signed": .mine, copy: .stranger]
    #expect(try judge(folder, Self.trust(state)) == expected)
  }

  @Test func `a state that cannot be read judges nothing`() throws {
    let folder = try TemporaryDirectory()
    _ = try make(1, after: .zero, in: folder, as: "one")
    let damaged = Trust(remembered: [
      SampleBundle.vaultID: .failure(StateError.damaged(path: "vault.json"))
    ])
    #expect(throws: StateError.damaged(path: "vault.json")) { try judge(folder, damaged) }
    #expect(try judge(folder, damaged.readable) == ["one": .unknown])
  }

  @Test func `an archive's manifest names the vault's signers`() throws {
    let folder = try TemporaryDirectory()
    let sample = try SampleBundle()
    let state = StateDirectory(path: folder.path("state"))
    var trust = Trust()
    trust.configured[SampleBundle.vaultID] = [try Self.key(2).publicKey]
    var backup = Publication(
      to: [Target(path: folder.path)], of: SampleBundle.vaultID, label: "test",
      slots: [.passphrase(sample.passphrase, cost: SampleBundle.cost, opening: .all)],
      signing: .key(try Self.key(1)), created: 1_795_242_600,
      state: try state.lock(purpose: "test", processID: 1))
    backup.trust = trust
    let report = try backup.create(
      ManifestFacts(program: "test", label: "test", device: "test"), progress: { _ in },
      collect: { try sample.bundle() })
    let path = try #require(report.paths.first)
    let intact = try #require(try StoredArchive(at: path).verify().intact)
    let open = try intact.unlock(with: UnlockingSecrets(passphrases: [sample.passphrase]))
    let named = try #require(try open.decodedManifest()?.manifest.signers)
      .map { Ed25519.PublicKey(bytes: [UInt8]($0)) }
    #expect(named == [try Self.key(1).publicKey, try Self.key(2).publicKey].sorted())
  }

  /// As in archives of version 0.2.0.
  @Test func `an archive without a list of signers names the one that signed it`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(TestVectors.file("archives/signed.fueki"), to: "signed.fueki")
    let intact = try #require(try StoredArchive(at: folder.path("signed.fueki")).verify().intact)
    let open = try SampleBundle().open(intact)
    #expect(try open.decodedManifest()?.manifest.signers == [])
    let learned = try SignerLearning(from: open, others: [], open: { _ in nil })
    #expect(learned?.signers == Set([open.facts.signer].compactMap(\.self)) && learned?.unsigned == nil)
  }
}
