import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

/// The library as an app uses it.
@Suite struct VaultTests {
  private static func person(_ name: String) -> ChatUser {
    var person = ChatUser()
    (person.id, person.name) = (PackedText.pack(name), name)
    return person
  }

  @Test func `records come back in the order of their kinds, and shares with their descriptors`() async throws
  {
    let bench = try VaultBench()
    let messages = (0..<3000).map(VaultBench.message)
    var share = KeyShareDescriptor()
    (share.id, share.curve) = (Data(SampleBundle.shareID), "secp256k1")
    let descriptor = share
    let plain = SampleBundle.shareSecret
    let secret = SharedSecret(try SecretBytes(copying: plain.span))
    let report = try await bench.vault().backUp(to: [bench.target], opening: VaultBench.slots()) { archive in
      for message in messages { try archive.add(message) }
      try archive.add(Self.person("ada"))
      try archive.add(share: descriptor, secret: secret)
    }
    #expect(report.isComplete && report.archive.facts.signer != nil)

    let archive = try await Archive.newest(of: bench.vault(), in: [bench.target])
      .open(with: .passphrase(VaultBench.passphrase()))
    var all: [any SectionRecord] = []
    for try await record in archive.records { all.append(record) }
    #expect(all.compactMap { $0 as? ChatUser } == [Self.person("ada")])
    #expect(all.compactMap { $0 as? ChatMessage } == messages)
    #expect(all.compactMap { $0 as? KeyShareDescriptor } == [descriptor])
    let sections = all.map { type(of: $0).section }
    #expect(sections == sections.sorted() && all.count == messages.count + 2)
    var again: [ChatMessage] = []
    for try await message in archive.records(of: ChatMessage.self) { again.append(message) }
    #expect(again == messages)
    let shares = try await archive.keyShares()
    #expect(shares.map(\.descriptor) == [descriptor])
    #expect(shares.allSatisfy { $0.secret.bytes.isEqualInConstantTime(to: secret.bytes) })
  }

  @Test func `a record whose id is not a packed text stops the backup`() async throws {
    let bench = try VaultBench()
    let (vault, target, slots) = (try await bench.vault(), bench.target, try VaultBench.slots())
    for id in [Data("plain".utf8), Data([0]), Data([0, 0xFF]), Data([4, 1])] {
      await #expect(throws: CollectError.recordID(section: "messages")) {
        try await vault.backUp(to: [target], opening: slots) { archive in
          try archive.add(VaultBench.message(1))
          var message = VaultBench.message(2)
          message.id = id
          try archive.add(message)
        }
      }
      #expect(try bench.names().isEmpty)
    }
    // The key of a setting is a text of any kind.
    try await vault.backUp(to: [target], opening: slots) { archive in
      var setting = Setting()
      setting.key = "plain"
      try archive.add(setting)
    }
  }

  @Test func `a wrong passphrase does not open an archive`() async throws {
    let bench = try VaultBench()
    try await bench.vault().backUp(to: [bench.target], opening: VaultBench.slots()) {
      try $0.add(VaultBench.message(1))
    }
    let archive = try await Archive.newest(in: [bench.target])
    await #expect(throws: ArchiveError.wrongSecret) {
      _ = try await archive.open(with: .passphrase(VaultBench.passphrase("another passphrase")))
    }
  }

  @Test func `the newest of several archives counts, and an older one only if it is accepted`() async throws {
    let bench = try VaultBench()
    let vault = try await bench.vault()
    for number in 1...3 {
      try await vault.backUp(to: [bench.target], opening: VaultBench.slots()) {
        try $0.add(VaultBench.message(number))
      }
    }
    let newest = try await Archive.newest(of: vault, in: [bench.target])
    #expect(newest.facts.sequence == 3 && newest.ownership == .mine)
    try Directory.open(bench.target.path).remove(Target(holding: newest.path).name(of: newest.path))
    let target = bench.target
    await #expect(throws: LineageError.olderThanKnown(sequence: 2, known: 3)) {
      _ = try await Archive.newest(of: vault, in: [target])
    }
    let older = try await Archive.newest(of: vault, in: [target], acceptsOlder: true)
    #expect(older.facts.sequence == 2)
  }

  @Test func `an archive of another signer is ignored, even if it claims to be of the vault`() async throws {
    let bench = try VaultBench()
    let (vault, target) = (try await bench.vault(), bench.target)
    #expect(try vault.signer() == nil)
    try await vault.backUp(to: [target], opening: VaultBench.slots()) { try $0.add(VaultBench.message(1)) }
    let seed = SharedSecret(try SecretBytes.random(count: Ed25519.seedByteCount))
    let draft = ArchiveDraft(
      vaultID: vault.id, sequence: 2, previous: .zero, created: 1_795_242_601,
      signer: try SigningKey(seed: seed))
    var planted = BackupBundle.Builder()
    try planted.add(VaultBench.message(2))
    _ = try planted.build().write(
      to: ArchiveFile(Directory.open(target.path).createFile("planted.fueki")), draft: draft,
      slots: VaultBench.slots(), facts: SampleBundle().facts)
    #expect(try await Archive.newest(of: vault, in: [target]).facts.sequence == 1)

    let signer = try #require(try vault.signer()?.publicKey)
    #expect(try await Archive.newest(in: [target], signedBy: signer).facts.signer == signer)
    let stranger = try SigningKey(seed: SharedSecret(try SecretBytes.random(count: 32))).publicKey
    await #expect(throws: FindingError.noArchive(name: "latest")) {
      _ = try await Archive.newest(in: [target], signedBy: stranger)
    }
    let other = try await bench.vault("other")
    await #expect(throws: FindingError.noArchive(name: "latest")) {
      _ = try await Archive.newest(of: other, in: [target])
    }
  }

  @Test func `a new machine continues the vault with a key of its own`() async throws {
    let bench = try VaultBench()
    let old = try await bench.vault("old")
    try await old.backUp(to: [bench.target], opening: VaultBench.slots()) {
      try $0.add(VaultBench.message(1))
    }
    let archive = try await Archive.newest(in: [bench.target]).open(
      with: .passphrase(VaultBench.passphrase()))
    let new = try await bench.vault("new", continuing: archive)
    #expect(new.id == old.id)
    let report = try await new.backUp(to: [bench.target], opening: VaultBench.slots()) {
      try $0.add(VaultBench.message(1))
    }
    #expect(report.archive.facts.sequence == 2 && report.strangers.isEmpty)
    #expect(try new.signer()?.publicKey == report.archive.facts.signer)
    #expect(try new.signer() != old.signer())
    #expect(try await Archive.newest(of: new, in: [bench.target]).facts.sequence == 2)
    // Continuing twice is harmless, also after an older archive.
    let again = try await bench.vault("new", continuing: archive)
    #expect(try await Archive.newest(of: again, in: [bench.target]).facts.sequence == 2)
  }

  @Test func `a state continues neither another vault nor an archive without a proven owner`() async throws {
    let bench = try VaultBench()
    let kept = try await bench.vault("kept").id
    let identity = try SecretBytes.random(count: 32)
    let slot = NewSlot.recipient(try X25519.publicKey(of: identity), opening: .all)
    try await bench.vault("other").backUp(
      to: [bench.target], opening: VaultBench.slots() + [slot]
    ) { try $0.add(VaultBench.message(1)) }
    let archive = try await Archive.newest(in: [bench.target]).open(
      with: .passphrase(VaultBench.passphrase()))
    let (mine, fresh) = (bench.folder.path("kept"), bench.folder.path("fresh"))
    await #expect(throws: VaultError.otherVault(kept)) {
      _ = try await Vault.open(state: mine, continuing: archive)
    }
    await #expect(throws: VaultError.unprovenOwner) {
      _ = try await Vault.open(state: fresh, continuing: archive)
    }
  }
}

extension Target {
  fileprivate func name(of file: String) -> String { String(file.dropFirst(path.utf8.count + 1)) }
}
