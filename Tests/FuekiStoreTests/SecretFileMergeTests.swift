import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Secret files in archives: restored, merged and collected again.
@Suite struct SecretFileMergeTests {
  private static func contents(_ directory: String) throws -> [String] {
    try SecretFileTests.contents(directory, try Cheap.opening("p"))
  }

  private static func archive(
    _ files: [[SecretFilePart]], _ scratch: borrowing TemporaryDirectory
  ) throws -> String {
    try SecretFileTests.make(scratch.path("other"), files)
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    return scratch.path("a.fueki")
  }

  @Test func `files come back sealed anew, and as they were`() throws {
    let scratch = try TemporaryDirectory()
    let archive = try Self.archive(
      [SecretFileTests.parts(1, ["one ", "two ", "three"]), SecretFileTests.parts(2, ["four"])], scratch)
    let destination = try StoreDestination(
      dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
    try Pipeline.restore(archive, into: destination, keychain: destination.keychain)
    #expect(try Self.contents(scratch.path("data")) == ["one ", "two ", "three", "four"])
    let (new, old) = (
      try SecretFileTests.names(scratch.path("data")), try SecretFileTests.names(scratch.path("other"))
    )
    #expect(new.count == 1 && Set(new).isDisjoint(with: old))
    #expect(try Merging.contents(scratch.path("data")) == Merging.contents(scratch.path("other")))
  }

  @Test func `parts that lie among one another come back in their order`() throws {
    let scratch = try TemporaryDirectory()
    let (a, b) = (try SecretFileTests.parts(1, ["1", "2"]), try SecretFileTests.parts(2, ["3", "4"]))
    let archive = try Self.archive([[a[0], b[0], a[1], b[1]]], scratch)
    let destination = try StoreDestination(
      dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
    try Pipeline.restore(archive, into: destination, keychain: destination.keychain)
    #expect(try Self.contents(scratch.path("data")) == ["1", "3", "2", "4"])
  }

  @Test func `a merge adds what is not there, and twice changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let shared = try SecretFileTests.parts(1, ["one ", "two"])
    try SecretFileTests.make(scratch.path("data"), [shared])
    let archive = try Self.archive([shared, SecretFileTests.parts(2, ["three"])], scratch)
    let report = try Merging.run(archive, into: scratch.path("data"), .fail)
    #expect(report.counts[.secretFiles]?.added == 1 && report.counts[.secretFiles]?.equal == 2)
    #expect(try Self.contents(scratch.path("data")) == ["one ", "two", "three"])
    #expect(try Merging.run(archive, into: scratch.path("data"), .fail).previous == nil)
    // The previous data directory is complete, including its own file.
    let previous = try #require(report.previous)
    #expect(try Self.contents(previous) == ["one ", "two"])
  }

  @Test(arguments: [ConflictPolicy.skip, .newer, .replace])
  func `of a file that differs the parts come from one version`(policy: ConflictPolicy) throws {
    let scratch = try TemporaryDirectory()
    try SecretFileTests.make(
      scratch.path("data"), [SecretFileTests.parts(1, ["same", "old!", "tail"], at: 1)])
    let before = try SecretFileTests.names(scratch.path("data"))
    let archived = try SecretFileTests.parts(1, ["same", "new!", "tail"], at: 1)
    let newer = try SecretFileTests.parts(1, ["same", "new!", "tail"], at: 2)
    // The first part is equal including its time, so that the difference is found only in the second.
    let archive = try Self.archive([[archived[0], newer[1], newer[2]]], scratch)
    let report = try Merging.run(archive, into: scratch.path("data"), policy)
    let wanted = policy == .skip ? ["same", "old!", "tail"] : ["same", "new!", "tail"]
    #expect(try Self.contents(scratch.path("data")) == wanted)
    let after = try SecretFileTests.names(scratch.path("data"))
    #expect(policy == .skip ? after == before : Set(after).isDisjoint(with: before))
    #expect(report.conflicts.map(\.section) == [.secretFiles])
  }

  @Test func `a file that is replaced leaves its neighbours as they are`() throws {
    let scratch = try TemporaryDirectory()
    let neighbours = try [2, 3].map { try SecretFileTests.parts($0, ["a\($0)", "b\($0)"]) }
    try SecretFileTests.make(
      scratch.path("data"), [neighbours[0], SecretFileTests.parts(1, ["old"]), neighbours[1]])
    try SecretFileTests.add(scratch.path("data"), [SecretFileTests.parts(4, ["apart"])])
    let before = try SecretFileTests.names(scratch.path("data"))
    let archive = try Self.archive([SecretFileTests.parts(1, ["new"])], scratch)
    _ = try Merging.run(archive, into: scratch.path("data"), .replace)
    #expect(try Self.contents(scratch.path("data")) == ["apart", "a2", "b2", "a3", "b3", "new"])
    // The sealed file that does not hold it is not written anew.
    let after = try SecretFileTests.names(scratch.path("data"))
    #expect(after.count == 3 && Set(after).intersection(before).count == 1)
  }

  @Test func `what took the place of a directory needs its files before that goes`() throws {
    let scratch = try TemporaryDirectory()
    try SecretFileTests.make(scratch.path("data"), [SecretFileTests.parts(1, ["one"])])
    try PreviousDirectory.requireSound(dataDirectory: scratch.path("data"))
    let name = try #require(SecretFileTests.names(scratch.path("data")).first)
    try Directory.open(scratch.path("data/secret-files")).remove(name)
    #expect(throws: StoreError.noSoundKeychain(path: scratch.path("data"))) {
      try PreviousDirectory.requireSound(dataDirectory: scratch.path("data"))
    }
  }

  @Test func `a file that is taken away while a backup reads it stops the backup`() throws {
    let scratch = try TemporaryDirectory()
    try SecretFileTests.make(scratch.path("data"), [SecretFileTests.parts(1, ["one"])])
    let bundle = try Merging.bundle(scratch.path("data"))
    let name = try #require(SecretFileTests.names(scratch.path("data")).first)
    try Directory.open(scratch.path("data/secret-files")).remove(name)
    #expect(throws: KeychainError.damaged(path: scratch.path("data/secret-files/\(name)"))) {
      try bundle.fingerprint()
    }
    let keychain = try Keychain.read(scratch.path("data"), with: try Cheap.opening("p"))
    try KeychainEditor(editing: keychain).write(in: scratch.path("data"))
    #expect(throws: CollectError.sourceKeepsChanging(name: "store")) { try bundle.fingerprint() }
  }
}
