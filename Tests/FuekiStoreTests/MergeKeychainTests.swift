import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Merging an archive's secrets with a wallet's.
@Suite struct MergeKeychainTests {
  private static let wallet = Samples.wallet(1, kind: "tss")

  private func share(_ number: UInt8, epoch: UInt64 = 1) -> KeyShareDescriptor {
    var descriptor = Samples.descriptor(number)
    descriptor.walletID = Samples.id(1)
    descriptor.epoch = epoch
    return descriptor
  }

  private func key(_ number: UInt8, _ secret: String, at time: Int64) throws -> PrivateKeyRecord {
    PrivateKeyRecord(
      id: [UInt8](repeating: number, count: 16), walletID: Samples.id(1), kind: "seed-phrase", name: "",
      secret: try Samples.secret(secret), createdAt: time)
  }

  private func secrets(_ directory: String) throws -> [String] {
    let keychain = try Keychain.read(directory, with: try Cheap.opening("p"))
    let keys = try keychain.privateKeys().map(\.secret)
    return (keychain.shares.map(\.secret) + keys).map { secret in
      secret.bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }.sorted()
  }

  @Test func `new shares and keys join those that are there, and twice changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    try Merging.make(
      scratch.path("data"), [Self.wallet, share(1)], shares: [(share(1), "one")],
      keys: [try key(5, "words", at: 1)])
    // The first share under another id.
    var same = share(1)
    same.id = Data(repeating: 7, count: 16)
    try Merging.make(
      scratch.path("other"), [Self.wallet, same, share(3)], shares: [(same, "one"), (share(3), "three")],
      keys: [try key(5, "words", at: 1), try key(6, "more words", at: 1)])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    #expect(report.conflicts.isEmpty, "\(report.conflicts)")
    #expect(report.counts[.keyShares]?.added == 1 && report.counts[.keyShares]?.equal == 1)
    #expect(report.counts[.privateKeys]?.added == 1 && report.counts[.privateKeys]?.equal == 1)
    #expect(try secrets(scratch.path("data")) == ["more words", "one", "three", "words"])
    let stamp = try Keychain.currentStamp(in: scratch.path("data"))
    let after = try Merging.contents(scratch.path("data"))
    #expect(try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail).previous == nil)
    #expect(try Keychain.currentStamp(in: scratch.path("data")) == stamp)
    #expect(try Merging.contents(scratch.path("data")) == after)
    // Store and keychain were swapped together, and the previous ones are kept unchanged.
    let previous = try #require(report.previous)
    #expect(previous == scratch.path("data.before-restore-20261121T063000Z"))
    #expect(try secrets(previous) == ["one", "words"])
  }

  @Test(arguments: ConflictPolicy.allCases)
  func `a share and a key that differ follow the rule`(policy: ConflictPolicy) throws {
    let scratch = try TemporaryDirectory()
    try Merging.make(
      scratch.path("data"), [Self.wallet, share(1, epoch: 1)], shares: [(share(1, epoch: 1), "old share")],
      keys: [try key(5, "old key", at: 9)])
    try Merging.make(
      scratch.path("other"), [Self.wallet, share(1, epoch: 2)], shares: [(share(1, epoch: 2), "new share")],
      keys: [try key(5, "new key", at: 3)])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    var conflicts: [RestoreConflict] = []
    do {
      conflicts = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), policy).conflicts
      #expect(policy != .fail)
    } catch RestoreError.conflicts(let found) {
      conflicts = found
      #expect(policy == .fail)
    }
    #expect(conflicts.map(\.section) == [.keyShares, .privateKeys, .keyShareDescriptors])
    #expect(conflicts.map(\.fields) == [["epoch", "secret"], ["secret", "created_at"], ["epoch"]])
    let expected =
      switch policy {
      case .fail, .skip, .rename: ["old key", "old share"]
      case .newer: ["new share", "old key"]
      case .replace: ["new key", "new share"]
      }
    #expect(try secrets(scratch.path("data")) == expected.sorted())
    let store = try WalletStore.open(scratch.path("data"))
    let epoch: UInt64 = expected.contains("new share") ? 2 : 1
    #expect(try store.keyShareDescriptors.fetch().map(\.epoch) == [epoch])
  }

  @Test(arguments: [true, false])
  func `two secrets of an archive that have one id are both kept, and twice changes nothing`(isMerge: Bool)
    throws
  {
    let scratch = try TemporaryDirectory()
    var builder = BackupBundle.Builder()
    try builder.add(Self.wallet)
    for secret in ["one", "another", "one"] {
      try builder.add(share: share(1), secret: try Samples.secret(secret))
    }
    for key in [try key(5, "words", at: 1), try key(5, "other words", at: 1)] {
      let message = try key.encoded()
      var framed: [UInt8] = []
      try RecordFraming.append(message.withBytes { bytes in bytes.indices.map { bytes[$0] } }, to: &framed)
      builder.add(
        secretRecord: SharedSecret(try SecretBytes(copying: framed.span)), to: .privateKeys)
    }
    try Pipeline.write(builder.build(), to: scratch.path("a.fueki"))
    if isMerge {
      try Merging.make(scratch.path("data"), [Samples.wallet(2)], shares: [(share(9), "nine")])
      let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
      #expect(report.counts[.keyShares]?.added == 2 && report.counts[.privateKeys]?.added == 2)
    } else {
      let destination = try StoreDestination(
        dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
      try Pipeline.restore(scratch.path("a.fueki"), into: destination, keychain: destination.keychain)
    }
    let all = ["another", "one", "other words", "words"] + (isMerge ? ["nine"] : [])
    #expect(try secrets(scratch.path("data")) == all.sorted())
    let again = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    #expect(again.changesNothing && again.previous == nil, "\(again)")
    #expect(try secrets(scratch.path("data")) == all.sorted())
  }

  @Test func `a wallet without a keychain gets one`() throws {
    let scratch = try TemporaryDirectory()
    try Merging.make(scratch.path("data"), [Samples.wallet(2)])
    try Merging.make(scratch.path("other"), [Self.wallet, share(1)], shares: [(share(1), "one")])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail, slots: [try Cheap.slot("p")])
    #expect(try secrets(scratch.path("data")) == ["one"])
  }

  @Test func `shares that are there are told before anything is decrypted`() throws {
    let scratch = try TemporaryDirectory()
    try Merging.make(
      scratch.path("data"), [Self.wallet, share(1), share(2)], shares: [(share(1), "one")])
    try Merging.archive(scratch.path("data"), scratch.path("a.fueki"))
    try Pipeline.restore(scratch.path("a.fueki")) { open in
      let merge = try MergeDestination(
        dataDirectory: scratch.path("data"), archive: open, onConflict: .fail, time: 0)
      try merge.keychain.open(with: try Cheap.opening("p"))
      #expect(try merge.presentShares().map(\.id) == [share(1).id, share(2).id])
      return (merge, merge.keychain)
    }
  }
}

/// The swap of the data directories.
@Suite struct MergeSwapTests {
  private func prepare(_ scratch: borrowing TemporaryDirectory) throws {
    try Merging.make(scratch.path("data"), [Samples.wallet(1)])
    try Merging.make(scratch.path("other"), [Samples.wallet(2)])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
  }

  @Test func `what else lies in the data directory stays in it, and all is for its owner alone`() throws {
    let scratch = try TemporaryDirectory()
    try prepare(scratch)
    try Directory.makePrivateDirectories(scratch.path("data/more/deep"))
    try Directory.open(scratch.path("data/more/deep")).createFile("file").pwriteAll([1, 2, 3], at: 0)
    try Directory.open(scratch.path("data")).createFile("large").pwriteAll(
      [UInt8](repeating: 7, count: 3 << 20), at: 0)
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    #expect(try scratch.read("data/more/deep/file") == [1, 2, 3])
    #expect(try scratch.read("data/large") == [UInt8](repeating: 7, count: 3 << 20))
    let previous = try Directory.open(try #require(report.previous))
    #expect(try previous.status().permissions == 0o700)
    #expect(try Directory.open(scratch.path("data")).status().permissions == 0o700)
    #expect(try WalletStore.open(scratch.path("data")).wallets.count() == 2)
    #expect(try WalletStore.open(try #require(report.previous)).wallets.count() == 1)
    let kept = try PreviousDirectory.all(besideDataDirectory: scratch.path("data"))
    #expect(kept.map(\.path) == [report.previous] && kept[0].bytes > 3 << 20)
    try PreviousDirectory.requireSound(dataDirectory: scratch.path("data"))
    try kept[0].remove()
    #expect(try PreviousDirectory.all(besideDataDirectory: scratch.path("data")).isEmpty)
  }

  @Test func `a wallet's last writes are merged too, where it was killed before they were in its file`()
    throws
  {
    let scratch = try TemporaryDirectory()
    try prepare(scratch)
    let running = try WalletStore.open(scratch.path("data"))
    try running.wallets.save(Samples.wallet(3))
    // Leftovers of a killed wallet process.
    try Directory.makePrivateDirectories(scratch.path("killed"))
    for name in ["wallet.sqlite", "wallet.sqlite-wal"] {
      try Directory.open(scratch.path("data")).copyFile(name, into: Directory.open(scratch.path("killed")))
    }
    try running.close()
    try Merging.run(scratch.path("a.fueki"), into: scratch.path("killed"), .fail)
    #expect(try WalletStore.open(scratch.path("killed")).wallets.count() == 3)
  }

  @Test func `only what a restore has kept counts as such, under no other name`() throws {
    let scratch = try TemporaryDirectory()
    let base = "data.before-restore-20261121T063000Z"
    for name in [base, "\(base)-2", "\(base)-keep", "\(base).old", "\(base)-", "\(base)2"] {
      try Directory.makePrivateDirectories(scratch.path(name))
    }
    let found = try PreviousDirectory.all(besideDataDirectory: scratch.path("data"))
    #expect(found.map(\.path) == [scratch.path(base), scratch.path("\(base)-2")])
  }

  @Test func `what cannot be replaced is refused, and left as it is`() throws {
    let scratch = try TemporaryDirectory()
    try prepare(scratch)
    let linked = try BuiltBinary.run(
      program: "/bin/ln", ["-s", scratch.path("data"), scratch.path("link")])
    #expect(linked.status == 0)
    #expect(throws: PlaceError.notReplaceable(path: scratch.path("link"), obstacle: .symbolicLink)) {
      try MergeDestination.isThere(scratch.path("link"))
    }
    _ = try BuiltBinary.run(program: "/bin/ln", ["-s", "nowhere", scratch.path("data/odd")])
    #expect(
      throws: PlaceError.notReplaceable(path: scratch.path("data"), obstacle: .foreignEntry(name: "odd"))
    ) { try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail) }
    try scratch.write([UInt8](repeating: 1, count: 200), to: "file")
    #expect(throws: PlaceError.wouldOverwrite(path: scratch.path("file"))) {
      try MergeDestination.isThere(scratch.path("file"))
    }
    #expect(try scratch.open().list().compactMap(\.text) == ["a.fueki", "data", "file", "link", "other"])
    #expect(throws: PlaceError.notReplaceable(path: "/proc", obstacle: .mountPoint)) {
      try MergeDestination.isThere("/proc")
    }
  }

  @Test func `a merge's work grows with what is new, not with what is there`() throws {
    let scratch = try TemporaryDirectory()
    func work(_ present: Int) throws -> Int {
      let name = "data \(present)"
      let builder = try StoreBuilder(dataDirectory: scratch.path(name))
      try builder.insert([Samples.wallet(1)])
      try builder.insert((0..<present).map { Samples.transaction($0, wallet: 1) })
      try builder.finish().close()
      let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path(name), .fail)
      #expect(report.counts[.transactions]?.added == 100)
      return try changedPages(scratch.path(name), try #require(report.previous))
    }
    try Merging.make(
      scratch.path("other"),
      [Samples.wallet(1)] + (90_000..<90_100).map { Samples.transaction($0, wallet: 1) })
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    let (few, many) = (try work(500), try work(10_000))
    // With twenty times as many records, each new one changes at most one page of each of a few indices.
    #expect(many < few + 600, "\(few) and \(many) pages of 8 KiB")
  }

  /// Returns the number of database pages changed by a merge.
  private func changedPages(_ directory: String, _ previous: String) throws -> Int {
    let old = try File.open(DataDirectory.storePath(in: previous)).readAll(limit: 1 << 30)
    let new = try File.open(DataDirectory.storePath(in: directory)).readAll(limit: 1 << 30)
    return stride(from: 0, to: new.count, by: 8192).count { start in
      let end = min(start + 8192, new.count)
      return end > old.count || new[start..<end] != old[start..<end]
    }
  }
}
