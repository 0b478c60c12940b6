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
  /// Holds back the threads of backups until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() {
      while !isOpen.withLock({ $0 }) { SystemClock.sleep(seconds: 0.005) }
    }
  }

  /// A folder with a target, and with the state of vaults.
  private struct Bench: ~Copyable {
    let folder: TemporaryDirectory
    let target: Target

    init() throws {
      let folder = try TemporaryDirectory()
      let path = folder.path("target")
      try Directory.makePrivateDirectories(path)
      target = Target(path: path, kind: .local)
      self.folder = folder
    }

    func vault(_ name: String = "state", continuing archive: OpenArchive? = nil) async throws -> Vault {
      try await Vault.open(
        state: folder.path(name), continuing: archive, now: { 1_795_242_600_000_000 })
    }

    func names() throws -> [String] {
      try Directory.open(target.path).list().compactMap(\.text).sorted()
    }
  }

  private static func passphrase(_ text: String = "correct horse battery staple") throws -> VaultPassphrase {
    let typed = [UInt8](text.utf8)
    return try VaultPassphrase(utf8: typed.span)
  }

  private static func slots() throws -> [NewSlot] {
    [try .passphrase(passphrase(), cost: SampleBundle.cost)]
  }

  private static func message(_ number: Int) -> ChatMessage {
    var message = ChatMessage()
    (message.id, message.threadID) = (PackedText.pack("message-\(number)"), PackedText.pack("thread"))
    message.text = "number \(number)"
    return message
  }

  private static func person(_ name: String) -> ChatUser {
    var person = ChatUser()
    (person.id, person.name) = (PackedText.pack(name), name)
    return person
  }

  @Test func `records come back in the order of their kinds, and shares with their descriptors`() async throws
  {
    let bench = try Bench()
    let messages = (0..<3000).map(Self.message)
    var share = KeyShareDescriptor()
    (share.id, share.curve) = (Data(SampleBundle.shareID), "secp256k1")
    let descriptor = share
    let plain = SampleBundle.shareSecret
    let secret = SharedSecret(try SecretBytes(copying: plain.span))
    let report = try await bench.vault().backUp(to: [bench.target], opening: Self.slots()) { archive in
      for message in messages { try archive.add(message) }
      try archive.add(Self.person("ada"))
      try archive.add(share: descriptor, secret: secret)
    }
    #expect(report.isComplete && report.archive.facts.signer != nil)

    let archive = try await Archive.newest(of: bench.vault(), in: [bench.target])
      .open(with: .passphrase(Self.passphrase()))
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
    let bench = try Bench()
    let (vault, target, slots) = (try await bench.vault(), bench.target, try Self.slots())
    for id in [Data("plain".utf8), Data([0]), Data([0, 0xFF]), Data([4, 1])] {
      await #expect(throws: CollectError.recordID(section: "messages")) {
        try await vault.backUp(to: [target], opening: slots) { archive in
          try archive.add(Self.message(1))
          var message = Self.message(2)
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
    let bench = try Bench()
    try await bench.vault().backUp(to: [bench.target], opening: Self.slots()) { try $0.add(Self.message(1)) }
    let archive = try await Archive.newest(in: [bench.target])
    await #expect(throws: ArchiveError.wrongSecret) {
      _ = try await archive.open(with: .passphrase(Self.passphrase("another passphrase")))
    }
  }

  @Test func `a cancelled backup leaves no file, and the state is free`() async throws {
    let bench = try Bench()
    let (vault, target, slots) = (try await bench.vault(), bench.target, try Self.slots())
    let gate = Gate()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let backup = Task {
      try await vault.backUp(to: [target], opening: slots) { archive in
        begin.finish()
        gate.wait()
        try archive.add(Self.message(1))
      }
    }
    for await _ in begun {}
    backup.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await backup.value }
    #expect(try bench.names().isEmpty)
    let report = try await vault.backUp(to: [target], opening: slots) { try $0.add(Self.message(1)) }
    #expect(report.archive.facts.sequence == 1)
  }

  @Test func `of two backups of one state, the second is refused while the first runs`() async throws {
    let bench = try Bench()
    let (one, other) = (try await bench.vault(), try await bench.vault())
    let (target, slots) = (bench.target, try Self.slots())
    #expect(one.id == other.id)
    let gate = Gate()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await one.backUp(to: [target], opening: slots) { archive in
        begin.finish()
        gate.wait()
        try archive.add(Self.message(1))
      }
    }
    for await _ in begun {}
    await #expect {
      _ = try await other.backUp(to: [target], opening: slots) { try $0.add(Self.message(2)) }
    } throws: { error in
      guard case StateError.locked(let owner) = error else { return false }
      return owner?.contains("process \(CurrentProcess.identifier)") == true
    }
    gate.open()
    #expect(try await first.value.archive.facts.sequence == 1)
    let next = try await other.backUp(to: [target], opening: slots) { try $0.add(Self.message(2)) }
    #expect(next.archive.facts.sequence == 2)
  }

  @Test func `more backups than processors do not hold up other tasks`() async throws {
    let bench = try Bench()
    let (target, slots, gate) = (bench.target, try Self.slots(), Gate())
    var vaults: [Vault] = []
    for number in 0..<4 * Processors.count { vaults.append(try await bench.vault("state-\(number)")) }
    let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { [vaults] group in
      for vault in vaults {
        group.addTask {
          // An error of the app's own ends the backup, and spares the test the derivations.
          await #expect(throws: CancellationError.self) {
            try await vault.backUp(to: [target], opening: slots) { _ in
              arrive.yield()
              gate.wait()
              throw CancellationError()
            }
          }
        }
      }
      group.addTask {
        var count = 0
        for await _ in arrived {
          count += 1
          if count == vaults.count { break }
        }
        gate.open()
      }
      try await group.waitForAll()
    }
  }

  @Test func `progress ends with the backup, with the opening, and with an error`() async throws {
    let bench = try Bench()
    let (vault, target, slots) = (try await bench.vault(), bench.target, try Self.slots())
    let (steps, progress) = AsyncStream.makeStream(of: BackupProgress.self)
    async let report = vault.backUp(to: [target], opening: slots, progress: progress) {
      try $0.add(Self.message(1))
    }
    var taken: [BackupProgress] = []
    for await step in steps { taken.append(step) }
    let readsBack = taken.contains { if case .readingBack = $0 { true } else { false } }
    #expect(taken.contains(.sealing) && readsBack)
    #expect(try await report.paths.count == 1)

    let (reads, reading) = AsyncStream.makeStream(of: RestoreProgress.self)
    let found = try await Archive.newest(of: vault, in: [target])
    _ = try await found.open(with: .passphrase(Self.passphrase()), progress: reading)
    var bytes: [UInt64] = []
    for await case .reading(let read, let all) in reads where all > 0 { bytes.append(read) }
    #expect(!bytes.isEmpty && bytes == bytes.sorted())

    let (failing, failed) = AsyncStream.makeStream(of: BackupProgress.self)
    let nowhere = Target(path: bench.folder.path("nowhere"), kind: .local)
    await #expect(throws: TargetError.self) {
      _ = try await vault.backUp(to: [nowhere], opening: slots, progress: failed) { _ in }
    }
    for await _ in failing {}
  }

  @Test func `the newest of several archives counts, and an older one only if it is accepted`() async throws {
    let bench = try Bench()
    let vault = try await bench.vault()
    for number in 1...3 {
      try await vault.backUp(to: [bench.target], opening: Self.slots()) { try $0.add(Self.message(number)) }
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
    let bench = try Bench()
    let (vault, target) = (try await bench.vault(), bench.target)
    #expect(try vault.signer() == nil)
    try await vault.backUp(to: [target], opening: Self.slots()) { try $0.add(Self.message(1)) }
    let seed = SharedSecret(try SecretBytes.random(count: Ed25519.seedByteCount))
    let draft = ArchiveDraft(
      vaultID: vault.id, sequence: 2, previous: .zero, created: 1_795_242_601,
      signer: try SigningKey(seed: seed))
    var planted = BackupBundle.Builder()
    try planted.add(Self.message(2))
    _ = try planted.build().write(
      to: ArchiveFile(Directory.open(target.path).createFile("planted.fueki")), draft: draft,
      slots: Self.slots(), facts: SampleBundle().facts)
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
    let bench = try Bench()
    let old = try await bench.vault("old")
    try await old.backUp(to: [bench.target], opening: Self.slots()) { try $0.add(Self.message(1)) }
    let archive = try await Archive.newest(in: [bench.target]).open(with: .passphrase(Self.passphrase()))
    let new = try await bench.vault("new", continuing: archive)
    #expect(new.id == old.id)
    let report = try await new.backUp(to: [bench.target], opening: Self.slots()) {
      try $0.add(Self.message(1))
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
    let bench = try Bench()
    let kept = try await bench.vault("kept").id
    let identity = try SecretBytes.random(count: 32)
    let slot = NewSlot.recipient(try X25519.publicKey(of: identity), opening: .all)
    try await bench.vault("other").backUp(
      to: [bench.target], opening: Self.slots() + [slot]
    ) { try $0.add(Self.message(1)) }
    let archive = try await Archive.newest(in: [bench.target]).open(with: .passphrase(Self.passphrase()))
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
