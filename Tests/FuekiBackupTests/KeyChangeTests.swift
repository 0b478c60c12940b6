import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// An archive that is re-encrypted with other keys, as the vault's next.
struct KeyChangeTests {
  /// A folder with one archive, and a state that knows it.
  private struct Place: ~Copyable {
    let sample: SampleBundle
    let folder: TemporaryDirectory
    let intact: IntactArchive

    init(transactions: Int = 5, suite: Suite = .columns) throws {
      let sample = try SampleBundle()
      let folder = try TemporaryDirectory()
      let intact = try sample.archive(
        try sample.bundle(transactions: transactions), in: folder, suite: suite)
      let state = StateDirectory(path: folder.path("state"))
      var known = VaultState()
      known.accept(unsigned: [intact.digest])
      try state.lock(purpose: "test", processID: 1).keep(known, of: SampleBundle.vaultID)
      self.intact = intact
      self.sample = sample
      self.folder = folder
    }

    var state: StateDirectory { StateDirectory(path: folder.path("state")) }
    func change(_ slots: [NewSlot], of open: OpenArchive, created: UInt64 = 1_800_000_000) throws
      -> StoredArchive
    {
      let change = KeyChange(targets: [Target(path: folder.path)], slots: slots, created: created)
      let lock = try state.lock(purpose: "test", processID: 1)
      let path = try #require(try change.run(open, state: lock) { _ in }.paths.first)
      return try StoredArchive(reading: ArchiveFile(File.open(path)))
    }
  }

  private func records(_ open: OpenArchive) throws -> [UInt16: [[UInt8]]] {
    var records: [UInt16: [[UInt8]]] = [:]
    for section in open.sections where section.id != 64 && section.id != 1 {
      _ = try open.readRecords(of: section.id) { block in
        block.messages.map { Array(block.bytes[$0]) }
      } body: {
        records[section.id, default: []] += $0
      }
    }
    return records
  }

  private func share(_ open: OpenArchive) throws -> [UInt8] {
    let keychain = MemoryKeychain()
    _ = try open.decryptShares(.everything, into: keychain)
    return keychain.shares[SampleBundle.shareID] ?? []
  }

  @Test func `everything is carried over under fresh keys`() throws {
    let place = try Place(transactions: 30_000)
    let old = try place.sample.open(place.intact)
    let identity = SharedSecret(try SecretBytes.random(count: 32))
    let recipient = NewSlot.recipient(try X25519.publicKey(of: identity.bytes))
    let same = try #require(old.newSlot(like: 1))
    let stored = try place.change([same, recipient], of: old)
    let intact = try #require(try stored.verify().intact)
    #expect(stored.facts.sequence == 2)
    #expect(stored.facts.previous == old.digest)
    #expect(stored.facts.vaultID == old.facts.vaultID)
    #expect(stored.facts.archiveID != old.facts.archiveID)
    #expect(stored.facts.created == 1_800_000_000)
    for secrets in [
      UnlockingSecrets(passphrases: [place.sample.passphrase]),
      UnlockingSecrets(identities: [.x25519(identity)]),
    ] {
      let new = try intact.unlock(with: secrets)
      try new.checkContents()
      #expect(try records(new) == records(old))
      #expect(try share(new) == SampleBundle.shareSecret)
      #expect(try new.decodedManifest()?.manifest.label == "sample")
      #expect(new.sections.map(\.id) == old.sections.map(\.id))
      // Everything but the manifest and the shares, which are sealed under other keys, has the same digest.
      let unchanged = old.sections.filter { $0.id != 1 && $0.id != 64 }
      #expect(Set(new.sections).isSuperset(of: unchanged))
      #expect(new.sections.first { $0.id == 64 }?.digest != old.sections.first { $0.id == 64 }?.digest)
    }
    // Compressed blocks are the same ones: the padded sizes are the same too.
    #expect(stored.streamBytes == place.intact.source.streamBytes)
    #expect(try place.state.vault(SampleBundle.vaultID).known?.sequence == 2)
  }

  @Test(arguments: [Suite.rows, .columns]) func `an archive keeps its suite`(_ suite: Suite) throws {
    let place = try Place(transactions: 2000, suite: suite)
    let open = try place.sample.open(place.intact)
    let stored = try place.change(place.sample.slots(), of: open)
    #expect(stored.facts.suite == suite)
    let new = try place.sample.open(try #require(try stored.verify().intact))
    try new.checkContents()
    #expect(try records(new) == records(open))
  }

  @Test func `a key that opens only some scopes cannot change keys`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let accountant = SharedSecret(try SecretBytes.random(count: 32))
    let file = ArchiveFile(try folder.open().createFile("a.fueki"))
    let draft = ArchiveDraft(vaultID: SampleBundle.vaultID, sequence: 1, previous: .zero, created: 1)
    let slots =
      sample.slots() + [
        .recipient(try X25519.publicKey(of: accountant.bytes), opening: ScopeMask([.history]))
      ]
    _ = try sample.bundle().write(to: file, draft: draft, slots: slots, facts: sample.facts)
    let intact = try #require(try StoredArchive(reading: file).verify().intact)
    let open = try intact.unlock(with: UnlockingSecrets(identities: [.x25519(accountant)]))
    let change = KeyChange(targets: [Target(path: folder.path)], slots: sample.slots(), created: 2)
    let state = try StateDirectory(path: folder.path("state")).lock(purpose: "test", processID: 1)
    #expect(throws: KeyChangeError.partlyOpen(closed: ["profile", "secrets"])) {
      _ = try change.run(open, state: state) { _ in }
    }
    #expect(try Target(path: folder.path).entries().count == 1)
  }

  @Test func `an archive that is not the newest keeps its place`() throws {
    let place = try Place()
    let first = try place.sample.open(place.intact)
    _ = try place.change(place.sample.slots(), of: first)
    // This machine knows number 2 now.
    #expect(throws: LineageError.olderThanKnown(sequence: 1, known: 2)) {
      _ = try place.change(place.sample.slots(), of: first)
    }
    // A machine that knows nothing of either cannot tell whose they are.
    try place.folder.open().removeTree("state")
    #expect(throws: LineageError.unknownLineage(sequence: 2)) {
      _ = try place.change(place.sample.slots(), of: first)
    }
    #expect(try Target(path: place.folder.path).entries().count == 2)
  }

  @Test func `an altered record stops the change`() throws {
    let place = try Place()
    let open = try place.sample.open(place.intact)
    // The chunk is altered behind the reader's back, as a failing disk would between verifying and reading.
    let folder = try place.folder.open()
    var bytes = try File.open(place.folder.path("a.fueki")).readAll(limit: 1 << 24)
    bytes[3000] ^= 1
    let file = try folder.openFileForWriting("a.fueki")
    try file.pwriteAll(bytes, at: 0)
    #expect(throws: ArchiveError.self) { _ = try place.change(place.sample.slots(), of: open) }
    #expect(try Target(path: place.folder.path).entries().count == 1)
  }
}
