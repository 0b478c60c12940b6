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
    let messages: String?
  }

  @Test func `verify looks into messages and files`() throws {
    let names = try TestVectors.names().filter { $0.hasPrefix("messages-") }
    #expect(names.count > 60)
    let folder = try TemporaryDirectory()
    let secrets = UnlockingSecrets(passphrases: [try SampleBundle().passphrase])
    for name in names {
      let json = try TestVectors.file("archives/\(name).json")
      let vector = try JSONDecoder().decode(Vector.self, from: Data(json))
      try folder.write(TestVectors.archive(name), to: "archive.fueki")
      let result = try Verification(depth: .contents, secrets: secrets)
        .run(on: folder.path("archive.fueki"), known: { _ in nil })
      let verdict = result.verdict.rawValue.split(separator: "-").joined(separator: " ")
      #expect(verdict == vector.messages, "\(name)")
      try folder.open().remove("archive.fueki")
    }
  }
}
