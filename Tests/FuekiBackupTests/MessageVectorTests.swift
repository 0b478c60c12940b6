import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The test vectors about messages and files, at which the archive's own module does not look (TestVectors/README.md).
struct MessageVectorTests {
  private struct Vector: Decodable {
    let base: String
    let edits: [Edit]
    let messages: String?

    struct Edit: Decodable {
      let offset: Int
      let remove: Int
      let insert: String
      let `repeat`: Int?
    }

    func bytes() throws -> [UInt8] {
      let base = try TestVectors.file("archives/\(base).fueki")
      var bytes: [UInt8] = []
      var position = 0
      for edit in edits {
        bytes += base[position..<edit.offset]
        let insert = try #require(Hex.decode(edit.insert))
        for _ in 0..<(edit.repeat ?? 1) { bytes += insert }
        position = edit.offset + edit.remove
      }
      return bytes + base[position...]
    }
  }

  private static func names() throws -> [String] {
    try Directory.open("\(TestVectors.folder)/archives").list().compactMap(\.text)
      .filter { $0.hasPrefix("messages-") && $0.hasSuffix(".json") }.sorted()
  }

  @Test func `verify looks into messages and files`() throws {
    let names = try Self.names()
    #expect(names.count > 60)
    let folder = try TemporaryDirectory()
    let secrets = UnlockingSecrets(passphrases: [try SampleBundle().passphrase])
    for name in names {
      let vector = try JSONDecoder().decode(Vector.self, from: Data(TestVectors.file("archives/\(name)")))
      try folder.write(vector.bytes(), to: "archive.fueki")
      let result = try Verification(depth: .contents, secrets: secrets)
        .run(on: folder.path("archive.fueki"), known: { _ in nil })
      let verdict = result.verdict.rawValue.split(separator: "-").joined(separator: " ")
      #expect(verdict == vector.messages, "\(name)")
      try folder.open().remove("archive.fueki")
    }
  }
}
