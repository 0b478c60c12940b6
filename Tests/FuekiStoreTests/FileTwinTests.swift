import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiWallet
import TestSupport
import Testing

/// Stores restored from an archive that has a file twice, as archives of version 0.2.0 may.
struct FileTwinTests {
  private static let id = Data(repeating: 7, count: 16)
  private static let contents = ["a wallet's ", "file"]

  private static func archive(_ path: String, secrets: Bool) throws {
    var builder = BackupBundle.Builder()
    let secretParts = try SecretFileTests.parts(7, contents)
    for _ in 0..<2 {
      for part in secretParts {
        if secrets {
          builder.add(secretRecord: try RecordFraming.framed(part.encoded()), to: .secretFiles)
        } else {
          var facts = try FilePart(describing: part)
          facts.offset = part.offset
          facts.content = part.content.bytes.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) }
          try builder.add(facts)
        }
      }
    }
    try Pipeline.write(builder.build(), to: path)
  }

  private static func restored(_ archive: String, into directory: String) throws -> [String] {
    let destination = try StoreDestination(
      dataDirectory: directory, keychainSlots: [try Cheap.slot("p")])
    try Pipeline.restore(archive, into: destination, keychain: destination.keychain)
    let store = try WalletStore.open(directory)
    defer { try? store.close() }
    return try store.files.fetch(.file(RecordID(packed: id))).map {
      String(decoding: $0.content, as: UTF8.self)
    }
  }

  @Test func `a file that is in a store twice is backed up once`() throws {
    let scratch = try TemporaryDirectory()
    try Self.archive(scratch.path("old.fueki"), secrets: false)
    let twice = try Self.restored(scratch.path("old.fueki"), into: scratch.path("data"))
    #expect(twice.count == 4)
    try Pipeline.write(try Pipeline.bundle(scratch.path("data")), to: scratch.path("next.fueki"))
    let once = try Self.restored(scratch.path("next.fueki"), into: scratch.path("again"))
    #expect(once == Self.contents)
  }

  @Test func `a secret file that is in a keychain twice is backed up once`() throws {
    let scratch = try TemporaryDirectory()
    let opening = try Cheap.opening("p")
    try Self.archive(scratch.path("old.fueki"), secrets: true)
    _ = try Self.restored(scratch.path("old.fueki"), into: scratch.path("data"))
    #expect(try SecretFileTests.contents(scratch.path("data"), opening).count == 4)
    let request = CollectionRequest(includesPrivateKeys: true)
    try Pipeline.write(
      try Pipeline.bundle(scratch.path("data"), opening, request), to: scratch.path("next.fueki"))
    _ = try Self.restored(scratch.path("next.fueki"), into: scratch.path("again"))
    #expect(try SecretFileTests.contents(scratch.path("again"), opening) == Self.contents)
  }
}
