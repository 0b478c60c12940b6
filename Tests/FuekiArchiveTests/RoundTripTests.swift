import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The shape of a written archive, named in failures.
struct Shape: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable () -> [SampleSection]

  init(_ name: String, _ make: @escaping @Sendable () -> [SampleSection]) {
    testDescription = name
    self.make = make
  }

  /// Returns a message whose record, including its length, has `count` bytes.
  static func message(recordBytes count: Int, _ byte: UInt8 = 0x61) -> [UInt8] {
    let prefix = count < 130 ? 1 : count < 16_387 ? 2 : count < (1 << 21) + 3 ? 3 : 4
    return [UInt8](repeating: byte, count: count - prefix)
  }

  static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = random(seed)
    return generator.bytes(count)
  }

  private static func text(_ number: Int) -> [UInt8] {
    Array("transaction \(number) of wallet \(number % 7), confirmed at \(number * 31)".utf8)
  }

  static let mebibyte = 1 << 20

  static let all: [Shape] = [
    Shape("nothing") { [] },
    Shape("one record") { [SampleSection(2, messages: [text(1)])] },
    Shape("one empty record") { [SampleSection(32, messages: [[]])] },
    Shape("a section that turns out empty") {
      [SampleSection(2, batches: []), SampleSection(3, messages: [[1]])]
    },
    Shape("empty batches") {
      let one = SampleSection(4, messages: [text(4)]).batches
      return [SampleSection(4, batches: [RecordBatch()] + one + [RecordBatch()] + one)]
    },
    Shape("a record in every section") {
      [2, 9, 31, 32, 40, 63].map { SampleSection($0, messages: [text(2)]) }
    },
    Shape("a record of 1 MiB") { [SampleSection(8, messages: [message(recordBytes: mebibyte)])] },
    Shape("a record above 1 MiB") {
      [SampleSection(8, messages: [[], message(recordBytes: mebibyte + 1), []])]
    },
    Shape("two records of 1 MiB together") {
      [SampleSection(32, messages: [message(recordBytes: 1000), message(recordBytes: mebibyte - 1000)])]
    },
    Shape("two records of a byte more") {
      [SampleSection(32, messages: [message(recordBytes: 1000), message(recordBytes: mebibyte - 999)])]
    },
    Shape("a record of 16 MiB") { [SampleSection(8, messages: [message(recordBytes: 16 * mebibyte)])] },
    Shape("a record of 16 MiB of noise") {
      [SampleSection(8, messages: [noise(16 * mebibyte - 4, seed: 3)])]
    },
    Shape("many blocks in two streams") {
      [
        SampleSection(2, messages: (0..<40_000).map(text), perBatch: 700),
        SampleSection(8, messages: (0..<30).map { noise(100_000, seed: $0) }, perBatch: 1),
        SampleSection(32, messages: (0..<90_000).map(text), perBatch: 1000),
        SampleSection(33, messages: (0..<15_000).map(FieldRecords.transaction), perBatch: 800),
        SampleSection(38, messages: (0..<40).map { noise(70_000, seed: $0) }, perBatch: 3),
      ]
    },
  ]
}

@Suite struct RoundTripTests {
  @Test(arguments: Shape.all) func `what was written is read`(_ shape: Shape) throws {
    let sections = shape.make()
    let sample = try SampleArchive(sections)
    let archive = try sample.opened()
    #expect(archive.digest == sample.written.digest)
    #expect(archive.sections == sample.written.sections)
    #expect(try archive.manifest()?.body == SampleArchive.manifest)
    #expect(try archive.manifest()?.bundleChecksum == sample.written.bundleChecksum)
    #expect(archive.sections.map(\.id) == [1] + sections.filter { $0.records > 0 }.map(\.id))
    for section in sections {
      let found = try archive.read(section.id)
      #expect(found.plaintext == section.plaintext)
      #expect(found.blocks.reduce(0) { $0 + $1.records } == section.records)
      for block in found.blocks { #expect(block.bytes <= Shape.mebibyte || block.records == 1) }
    }
    try archive.checkContents()
    let stored = archive.source.source
    #expect(stored.structuralDamage.isEmpty)
    #expect(stored.byteCount == sample.written.byteCount)
  }

  @Test func `a large section's blocks are packed greedily, over batches too`() throws {
    let half = Shape.message(recordBytes: Shape.mebibyte / 2)
    let messages =
      [[], half, half, half, Shape.message(recordBytes: Shape.mebibyte + 1), [], half, []]
      + [[UInt8]](repeating: half, count: 4)
    for perBatch in [1, 3, 8] {
      let sample = try SampleArchive([SampleSection(33, messages: messages, perBatch: perBatch)])
      let blocks = try sample.opened().read(33).blocks
      #expect(blocks.map(\.records) == [2, 2, 1, 3, 2, 2])
      let sizes =
        [1 + Shape.mebibyte / 2, Shape.mebibyte, Shape.mebibyte + 1, 2 + Shape.mebibyte / 2]
        + [Shape.mebibyte, Shape.mebibyte]
      #expect(blocks.map(\.bytes) == sizes)
    }
  }

  @Test func `an archive depends on its content and its random bytes, not on the workers`() throws {
    let sections = Shape.all.last.map { $0.make() } ?? []
    let first = try SampleArchive(sections, seed: 5, width: 1).bytes()
    #expect(try SampleArchive(sections, seed: 5, width: 4).bytes() == first)
    #expect(try SampleArchive(sections, seed: 6, width: 4).bytes() != first)
  }

  @Test func `a signed archive says who signed it`() throws {
    let key = try SigningKey(seed: SharedSecret(SecretBytes(copying: [UInt8](repeating: 3, count: 32).span)))
    let sample = try SampleArchive(signer: key)
    let stored = try sample.stored()
    #expect(stored.facts.signer == key.publicKey)
    #expect(try stored.verify(trusting: [key.publicKey]).intact != nil)
    let other = try #require(Ed25519.PublicKey(bytes: [UInt8](repeating: 1, count: 32)))
    #expect(throws: ArchiveError.untrusted(.another)) {
      _ = try stored.verify(trusting: [other])
    }
  }

  @Test func `slots open their scopes and no others`() throws {
    let folder = try TemporaryDirectory()
    let directory = try folder.open()
    let draft = ArchiveDraft(
      vaultID: Guardians.vaultID, sequence: 1, previous: .zero, created: 1)
    let slots = try [
      SampleArchive.slot("history", opening: ScopeMask([.history])),
      SampleArchive.slot("both", opening: ScopeMask([.secrets, .profile])),
    ]
    var writer = try ArchiveWriter(
      to: ArchiveFile(directory.createFile("archive")), draft: draft, slots: slots, manifestByteCount: 0)
    try writer.write(section: 32) { nil }
    _ = try writer.finish(manifest: [])
    let stored = try StoredArchive(reading: ArchiveFile(directory.openFile("archive")))
    let intact = try #require(try stored.verify().intact)
    func scopes(_ passphrases: [String]) throws -> [ArchiveScope] {
      let secrets = try UnlockingSecrets(passphrases: passphrases.map { try secret(normalising: $0) })
      return try intact.unlock(with: secrets).scopes
    }
    #expect(try scopes(["history"]) == [.history])
    #expect(try scopes(["both"]) == [.profile, .secrets])
    #expect(try scopes(["history", "both"]) == ArchiveScope.allCases)
    #expect(throws: ArchiveError.wrongSecret) { try scopes(["neither"]) }
    #expect(throws: ArchiveError.wrongSecret) { try scopes([]) }
  }
}
