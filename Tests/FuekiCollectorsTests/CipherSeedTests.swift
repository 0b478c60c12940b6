import FuekiBackup
import FuekiCollectors
import TestSupport
import Testing

/// The 24 words of LND nodes.
@Suite struct `Words of LND` {
  /// The vectors of LND's package aezeed.
  private static let phrases = [
    "ability liquid travel stem barely drastic pact cupboard apple thrive morning oak feature tissue couch old math"
      + " inform success suggest drink motion know royal",
    "able tree stool crush transfer cloud cross three profit outside hen citizen plate ride require leg siren drum"
      + " success suggest drink require fiscal upgrade",
  ]

  private func result(_ words: String) throws -> WalletFinding.Result? {
    let folder = try TemporaryDirectory()
    try folder.write([UInt8](repeating: 7, count: 45), to: "channel.backup")
    return try NodeFiles.read("lnd", folder.path, password: words).findings.first?.result
  }

  @Test(arguments: phrases)
  func `words of the right form leave the file whole and not proved`(_ words: String) throws {
    #expect(try result(words) == .notProved(.notRead))
    #expect(try result(" " + words.replacing(" ", with: "\n") + "\n") == .notProved(.notRead))
  }

  @Test(arguments: [
    // A wrong word, a missing one, an unlisted one, and another version with the checksum of this one.
    ("royal", "rude"), (" royal", ""), ("royal", "lnd"), ("ability", "zoo"),
  ])
  func `mistyped words are reported`(_ word: String, _ other: String) throws {
    #expect(try result(Self.phrases[0].replacing(word, with: other)) == .notProved(.wrongPassword))
  }
}
