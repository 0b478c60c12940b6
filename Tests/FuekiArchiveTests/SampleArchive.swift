import FuekiArchive
import FuekiCrypto
import FuekiSystem
import Synchronization
import TestSupport

/// A section to write, and to find again.
struct SampleSection: Sendable {
  let id: UInt16
  let batches: [RecordBatch]

  init(_ id: UInt16, messages: [[UInt8]], perBatch: Int = 100) {
    self.id = id
    batches = stride(from: 0, to: messages.count, by: perBatch).map { start in
      var batch = RecordBatch()
      for message in messages[start..<min(start + perBatch, messages.count)] { batch.append(message) }
      return batch
    }
  }

  init(_ id: UInt16, batches: [RecordBatch]) {
    self.id = id
    self.batches = batches
  }

  var records: Int { batches.reduce(0) { $0 + $1.count } }
  var plaintext: [UInt8] { batches.flatMap(\.bytes) }
}

/// Archives written for a test, in a temporary directory that is removed with this value.
struct SampleArchive: ~Copyable {
  let folder: TemporaryDirectory
  let written: WrittenArchive

  static let manifest: [UInt8] = [0x22, 3] + Array("abc".utf8)

  /// Writes an archive opened by the passphrase "sample".
  ///
  /// Random bytes depend only on the seed.
  init(
    _ sections: [SampleSection] = [], seed: UInt64 = 1, signer: SigningKey? = nil, width: Int? = nil,
    manifest: [UInt8] = Self.manifest, suite: Suite = .columns,
    sequence: UInt64 = 1, base: BaseReference? = nil,
    also: (inout ArchiveWriter) throws -> Void = { _ in }
  ) throws {
    let folder = try TemporaryDirectory()
    let directory = try folder.open()
    let draft = ArchiveDraft(
      vaultID: Guardians.vaultID, sequence: sequence, previous: .zero,
      created: 1_795_240_800, signer: signer, suite: suite, base: base)
    var writer = try ArchiveWriter(
      to: ArchiveFile(directory.createFile("archive")), draft: draft, slots: [Self.slot()],
      manifestByteCount: manifest.count, width: width, randomness: .seeded(seed))
    for section in sections { try writer.write(section: section.id, batches: section.batches) }
    try also(&writer)
    written = try writer.finish(manifest: manifest)
    self.folder = folder
  }

  static func slot(_ passphrase: String = "sample", opening mask: ScopeMask = .all) throws -> NewSlot {
    .passphrase(
      try secret(normalising: passphrase), cost: Argon2id.Cost(memoryKiB: 65536, passes: 2), opening: mask)
  }

  func bytes() throws -> [UInt8] { try folder.read("archive") }

  func stored() throws -> StoredArchive {
    try StoredArchive(reading: ArchiveFile(File.open(folder.path("archive"))))
  }

  func opened() throws -> OpenArchive {
    guard let intact = try stored().verify().intact else { throw ArchiveError.damaged(.structure) }
    return try intact.unlock(with: UnlockingSecrets(passphrases: [secret(normalising: "sample")]))
  }
}

extension ArchiveWriter {
  /// Writes a section from existing batches.
  mutating func write(section id: UInt16, batches: [RecordBatch]) throws {
    var rest = batches[...]
    try write(section: id) {
      guard let batch = rest.popFirst() else { return nil }
      return { batch }
    }
  }
}

extension FuekiArchive.RandomSource {
  /// Returns a source that yields the same bytes, in the order they are drawn, for the same seed.
  static func seeded(_ seed: UInt64) -> Self {
    let generator = SharedGenerator(random(seed))
    return Self { (count) throws(CryptoError) in
      let bytes = generator.bytes(count)
      return SharedSecret(try SecretBytes(copying: bytes.span))
    }
  }
}

private final class SharedGenerator: Sendable {
  private let generator: Mutex<TestSupport.RandomSource>

  init(_ generator: TestSupport.RandomSource) { self.generator = Mutex(generator) }

  func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}

extension OpenArchive {
  /// Returns the number of bytes and records of each of a section's blocks, and the section's plaintext.
  func read(_ id: UInt16) throws -> (blocks: [(bytes: Int, records: Int)], plaintext: [UInt8]) {
    var blocks: [(bytes: Int, records: Int)] = []
    var plaintext: [UInt8] = []
    _ = try readRecords(of: id) { block in
      (block.bytes, block.messages.count)
    } body: { bytes, records in
      blocks.append((bytes.count, records))
      plaintext += bytes
    }
    return (blocks, plaintext)
  }
}
