import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// How a section is cut: what one damaged chunk takes of a small one, and what the cut costs.
@Suite struct SmallSectionTests {
  /// Records of a wallet's kind: a few fields that differ, and more that do not.
  private static func records(_ count: Int, bytes: Int) -> [[UInt8]] {
    var generator = random(7)
    return (0..<count).map { _ in generator.bytes(bytes) }
  }

  /// The chunk of the history that is damaged, and how many records of its section are lost then.
  private static func lost(of count: Int, bytes: Int) throws -> [UInt64] {
    let sample = try SampleArchive([SampleSection(32, messages: records(count, bytes: bytes))])
    let all = try sample.bytes()
    let counts = try sample.stored().streamBytes.map { Int($0) / Limits.chunkPlaintextBytes }
    let headerBytes = 48 + Int(all[12]) + Int(all[13]) << 8
    let folder = try TemporaryDirectory()
    // Not the last one, which leads to all others.
    let stored = count * bytes / Limits.chunkPlaintextBytes
    return try (0..<min(stored, counts[1] - 1)).map { chunk in
      var damaged = all
      damaged[headerBytes + (counts[0] + chunk) * Limits.chunkBytes + 100] ^= 1
      let name = "archive-\(chunk)"
      try folder.write(damaged, to: name)
      let report = try StoredArchive(reading: ArchiveFile(File.open(folder.path(name)))).verify()
      let salvaged = try #require(report.damaged).salvage(
        with: UnlockingSecrets(passphrases: [secret(normalising: "sample")]))
      let loss = try salvaged.readRecords(of: 32) {
        $0.messages.count
      } body: { _ in
      }
      return loss?.lostRecords ?? 0
    }
  }

  @Test(arguments: [(2000, 400), (300, 1000), (40, 40_000)])
  func `one flipped byte loses a few parts of a small section`(_ count: Int, _ bytes: Int) throws {
    let lost = try Self.lost(of: count, bytes: bytes)
    #expect(lost.count >= 10 && lost.allSatisfy { $0 > 0 }, "\(lost)")
    // A chunk may end one block and begin another, or hold several short ones.
    let sixteenth = max(1, UInt64(count) / 16) + 1
    let chunkful = UInt64(Limits.chunkPlaintextBytes / bytes) + 2
    let most = max(2 * sixteenth, chunkful + 2 * UInt64(4096 / bytes))
    #expect(lost.allSatisfy { $0 <= most }, "\(lost), at most \(most)")
  }

  @Test func `a section of 4 MiB is cut as ever`() throws {
    let lost = try Self.lost(of: 20, bytes: 300_000)
    #expect(lost.allSatisfy { $0 >= 3 }, "\(lost)")
  }
}
