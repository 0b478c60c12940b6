import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Secret files, which are sealed in files beside the keychain that has their keys.
@Suite struct SecretFileTests {
  /// Returns a file's parts, distinguishable by their bytes.
  static func parts(_ id: UInt8, _ contents: [String], at time: Int64 = 1) throws -> [SecretFilePart] {
    var offset: UInt64 = 0
    return try contents.map { content in
      var part = SecretFilePart(
        id: [UInt8](repeating: id, count: 16), source: "file", path: Array("wallet.dat".utf8), offset: offset,
        total: UInt64(contents.joined().utf8.count), content: try Samples.secret(content))
      part.modifiedAt = time
      offset += UInt64(content.utf8.count)
      return part
    }
  }

  /// Creates a data directory with files of these parts.
  static func make(_ directory: String, _ files: [[SecretFilePart]]) throws {
    try Merging.make(directory, [Samples.wallet(1)])
    try write(files, try KeychainEditor(slots: [try Cheap.slot("p")]), directory)
  }

  /// Adds files to a data directory.
  static func add(_ directory: String, _ files: [[SecretFilePart]]) throws {
    let keychain = try Keychain.read(directory, with: try Cheap.opening("p"))
    try write(files, KeychainEditor(editing: keychain), directory)
  }

  private static func write(
    _ files: [[SecretFilePart]], _ editor: KeychainEditor, _ directory: String
  ) throws {
    for part in files.joined() {
      try part.encoded().withBytes { try editor.add(secretFileRecord: $0, in: directory) }
    }
    try editor.write(in: directory)
  }

  static func names(_ directory: String) throws -> [String] {
    try Directory.open("\(directory)/secret-files").list().compactMap(\.text).sorted()
  }

  /// Returns the contents of all parts in order.
  static func contents(_ directory: String, _ opening: KeychainOpening) throws -> [String] {
    var all: [String] = []
    try Keychain.read(directory, with: opening).forEachSecretFileRecord { record in
      let part = try record.withBytes { try SecretFilePart(decoding: $0) }
      all.append(
        part.content.bytes.withBytes { bytes in
          String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        })
    }
    return all
  }

  private static func contents(_ directory: String) throws -> [String] {
    try contents(directory, try Cheap.opening("p"))
  }

  @Test func `files are sealed together, and nothing of them is in the clear`() throws {
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("data"), [Self.parts(1, ["canary ", "one"]), Self.parts(2, ["canary two"])])
    let names = try Self.names(scratch.path("data"))
    #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix(".sealed") && $0.utf8.count == 39 })
    let folder = try Directory.open(scratch.path("data"))
    #expect(try folder.status(of: "secret-files").permissions == 0o700)
    for path in names.map({ "data/secret-files/\($0)" }) + ["data/keychain.sealed"] {
      #expect(try File.open(scratch.path(path)).permissions() == 0o600)
      #expect(!String(decoding: try scratch.read(path), as: UTF8.self).contains("canary"))
    }
    #expect(try Self.contents(scratch.path("data")) == ["canary ", "one", "canary two"])
  }

  @Test func `other secrets of the keychain, or other slots, leave the files as they are`() throws {
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("data"), [Self.parts(1, ["one"])])
    let path = "data/secret-files/\(try #require(Self.names(scratch.path("data")).first))"
    let before = try File.open(scratch.path(path)).status()
    let keychain = try Keychain.read(scratch.path("data"), with: try Cheap.opening("p"))
    let editor = KeychainEditor(editing: keychain)
    try editor.replaceSlots(with: [try Cheap.slot("q")])
    try editor.write(in: scratch.path("data"))
    #expect(try File.open(scratch.path(path)).status() == before)
    #expect(try Self.contents(scratch.path("data"), try Cheap.opening("q")) == ["one"])
  }

  @Test func `what a run that was killed had begun goes at the next write, and nothing else`() throws {
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("data"), [Self.parts(1, ["one"])])
    let names = try Self.names(scratch.path("data"))
    let orphan = String(repeating: "ab", count: 16) + ".sealed"
    let folder = try Directory.open(scratch.path("data/secret-files"))
    for name in [orphan, "mine.sealed"] { try folder.createFile(name).pwriteAll([1], at: 0) }
    let keychain = try Keychain.read(scratch.path("data"), with: try Cheap.opening("p"))
    try KeychainEditor(editing: keychain).write(in: scratch.path("data"))
    #expect(try Self.names(scratch.path("data")) == (names + ["mine.sealed"]).sorted())
  }

  @Test func `an import that does not come about leaves no files`() throws {
    struct Stopped: Error {}
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("data"), [Self.parts(1, ["one"])])
    let names = try Self.names(scratch.path("data"))
    let store = try WalletStore.open(scratch.path("data"))
    #expect(throws: Stopped.self) {
      try store.importRecords { running in
        let keychain = try #require(running.keychain)
        try keychain.open(with: try Cheap.opening("p"))
        for part in try Self.parts(2, ["two"]) {
          try keychain.add(secretRecord: try part.encoded(), of: .secretFiles)
        }
        #expect(try Self.names(scratch.path("data")).count == 2)
        throw Stopped()
      }
    }
    try store.close()
    #expect(try Self.names(scratch.path("data")) == names)
    #expect(try Self.contents(scratch.path("data")) == ["one"])
  }

  @Test func `a sealed file that is long enough is followed by another`() throws {
    let scratch = try TemporaryDirectory()
    let long = String(repeating: "x", count: 12 << 20)
    // The sixth file ends beyond 64 MiB, with both of its parts.
    let files = try (1...6).map { try Self.parts($0, [long, "\($0)"]) }
    try Self.make(scratch.path("data"), files + [Self.parts(7, ["7", long])])
    #expect(try Self.names(scratch.path("data")).count == 2)
    let contents = try Self.contents(scratch.path("data"))
    #expect(contents.filter { $0 != long } == ["1", "2", "3", "4", "5", "6", "7"])
  }

  @Test func `any byte that is flipped, cut off or added is found`() throws {
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("data"), [Self.parts(1, ["first", "second"])])
    let name = try #require(Self.names(scratch.path("data")).first)
    let path = "data/secret-files/\(name)"
    let bytes = try scratch.read(path)
    let folder = try Directory.open(scratch.path("data/secret-files"))
    let damaged = KeychainError.damaged(path: scratch.path(path))
    func expectDamaged(_ bytes: [UInt8], _ what: String) throws {
      try folder.remove(name)
      try folder.createFile(name).pwriteAll(bytes, at: 0)
      #expect(throws: damaged, "\(what)") { try Self.contents(scratch.path("data")) }
    }
    for place in bytes.indices {
      var flipped = bytes
      flipped[place] ^= 1 << UInt8(place % 8)
      try expectDamaged(flipped, "byte \(place)")
    }
    for count in 0..<bytes.count { try expectDamaged(Array(bytes[..<count]), "cut to \(count)") }
    try expectDamaged(bytes + [0], "one more")
    try folder.remove(name)
    #expect(throws: damaged) { try Self.contents(scratch.path("data")) }
  }

  @Test func `records cannot change places, nor files their names`() throws {
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("data"), [Self.parts(1, ["aaaaa", "bbbbb"])])
    try Self.add(scratch.path("data"), [Self.parts(2, ["ccccc", "ddddd"])])
    let names = try Self.names(scratch.path("data"))
    let folder = try Directory.open(scratch.path("data/secret-files"))
    let bytes = try scratch.read("data/secret-files/\(names[0])")
    // The records differ by one varint field: the first has no offset.
    let first = 26 + 4 + Int(bytes.span[26]) + Int(bytes.span[27]) << 8
    let second = first + 4 + Int(bytes.span[first]) + Int(bytes.span[first + 1]) << 8
    let exchanged = Array(bytes[..<26] + bytes[first..<second] + bytes[26..<first] + bytes[second...])
    let repeated = Array(bytes[..<first] + bytes[26..<first] + bytes[second...])
    let dropped = Array(bytes[..<26] + bytes[first...])
    for forged in [exchanged, repeated, dropped] {
      try folder.remove(names[0])
      try folder.createFile(names[0]).pwriteAll(forged, at: 0)
      #expect(throws: KeychainError.self) { try Self.contents(scratch.path("data")) }
    }
    try folder.remove(names[0])
    try folder.createFile(names[0]).pwriteAll(bytes, at: 0)
    try folder.renameExchange(names[0], names[1])
    #expect(throws: KeychainError.self) { try Self.contents(scratch.path("data")) }
  }
}
