import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Damages every chunk of an archive in turn, and compares the remaining records with the written ones.
@Suite struct SalvageTests {
  /// Creates an archive with blocks that span chunks, share chunks, and start and end in the middle of them.
  ///
  /// The records are incompressible, so that their positions in the stream equal those of their bytes.
  private static func sample(signer: SigningKey? = nil) throws -> SampleArchive {
    var generator = random(31)
    let large = (0..<12).map { _ in generator.bytes(400_000) }
    let small = (0..<50).map { _ in generator.bytes(100) }
    return try SampleArchive(
      [
        SampleSection(2, messages: small), SampleSection(4, messages: small),
        SampleSection(32, messages: large, perBatch: 5),
        SampleSection(33, messages: small), SampleSection(38, messages: small + large.prefix(3)),
      ], signer: signer
    ) { writer in
      try writer.write(section: 64, batches: SampleSection(64, messages: small).batches)
    }
  }

  private final class Subject {
    let folder: TemporaryDirectory
    let writable: File
    let archive: ArchiveFile
    let bytes: [UInt8]

    init(_ sample: borrowing SampleArchive) throws {
      bytes = try sample.bytes()
      folder = try TemporaryDirectory()
      try folder.write(bytes, to: "archive")
      writable = try folder.open().openFileForWriting("archive")
      archive = ArchiveFile(try File.open(folder.path("archive")))
    }

    var headerBytes: Int { 48 + Int(bytes[12]) + Int(bytes[13]) << 8 }

    func flip(_ offset: Int) throws {
      try writable.pwriteAll([bytes[offset] ^ 0x40], at: UInt64(offset))
    }

    func mend(_ offset: Int) throws { try writable.pwriteAll([bytes[offset]], at: UInt64(offset)) }

    func salvaged(trusting: Set<Ed25519.PublicKey>? = nil) throws -> SalvagedArchive {
      let report = try StoredArchive(reading: archive).verify(trusting: trusting)
      #expect(report.intact == nil)
      let damaged = try #require(report.damaged)
      return try damaged.salvage(with: UnlockingSecrets(passphrases: [secret(normalising: "sample")]))
    }
  }

  /// Returns the records read, and the reported loss.
  private static func read(
    _ archive: any UnlockedArchive, _ id: UInt16
  ) throws -> (records: [[UInt8]], loss: SectionLoss?) {
    var records: [[UInt8]] = []
    let loss: SectionLoss?
    if id < 64 {
      loss = try archive.readRecords(of: id) { block in
        block.messages.map { Array(block.bytes[$0]) }
      } body: {
        records += $0
      }
    } else {
      loss = try archive.readSecretRecords(of: id) { message in
        records.append(message.indices.map { message[$0] })
      }
    }
    return (records, loss)
  }

  /// Whether `found` is `written` without exactly the records reported as lost.
  private static func explain(_ found: [[UInt8]], _ loss: SectionLoss?, _ written: [[UInt8]]) -> Bool {
    guard let loss else { return found == written }
    guard loss.records == written.count, loss.lostRecords == written.count - found.count else { return false }
    var position = 0
    var kept = 0
    for gap in loss.gaps {
      let before = Int(gap.keptBefore) - kept
      guard before >= 0, found.count >= kept + before, written.count >= position + before,
        found[kept..<kept + before] == written[position..<position + before]
      else { return false }
      kept += before
      position += before
      // The lost bytes determine the number of records.
      var bytes = gap.bytes.count
      let first = position
      while bytes > 0, position < written.count {
        let count = written[position].count
        bytes -= count + (count < 128 ? 1 : count < 16_384 ? 2 : 3)
        position += 1
      }
      guard bytes == 0, gap.first.contains(UInt64(first + 1)), gap.last.contains(UInt64(position)),
        gap.count.contains(UInt64(position - first))
      else { return false }
      if loss.gaps.count == 1, gap.records != UInt64(first + 1)...UInt64(position) { return false }
    }
    return Array(found[kept...]) == Array(written[position...])
  }

  @Test func `whichever chunk is damaged, every record is there or named as lost`() throws {
    let sample = try Self.sample()
    let file = try Subject(sample)
    let whole = try sample.opened()
    let ids = whole.sections.map(\.id)
    let written = try ids.map { try Self.read(whole, $0).records }
    let counts = try sample.stored().streamBytes.map { Int($0) / Limits.chunkPlaintextBytes }
    var lostSomething = 0
    var lostScopes = 0
    // The edges of every stream, and every seventeenth chunk in between.
    let starts = [0, counts[0], counts[0] + counts[1], counts.reduce(0, +)]
    let chunks = (0..<starts[3]).filter { chunk in
      chunk % 17 == 0 || starts.contains { abs($0 - chunk) < 3 }
    }
    for chunk in chunks {
      let offset = file.headerBytes + chunk * Limits.chunkBytes + chunk % Limits.chunkBytes
      try file.flip(offset)
      let archive = try file.salvaged()
      #expect(archive.source.provesChunks)
      for (id, written) in zip(ids, written) {
        let scope = try #require(ArchiveScope(sectionID: id))
        let (found, loss) = try Self.read(archive, id)
        if archive.lostScopes.contains(scope) {
          #expect(found.isEmpty && loss == nil && !archive.scopes.contains(scope))
        } else {
          #expect(Self.explain(found, loss, written), "chunk \(chunk), section \(id)")
        }
        if loss != nil { lostSomething += 1 }
      }
      lostScopes += archive.lostScopes.count
      try file.mend(offset)
    }
    #expect(lostSomething > 15 && lostScopes == 3)
  }

  @Test func `several gaps are named as far as the index tells`() throws {
    let sample = try Self.sample()
    let file = try Subject(sample)
    let whole = try sample.opened()
    let written = try Self.read(whole, 32).records
    let first = try sample.stored().streamBytes[0] / UInt64(Limits.chunkPlaintextBytes)
    // Blocks of two records each; the first, the third and the last are hit.
    for chunk in [UInt64(3), 110, 290] {
      try file.flip(file.headerBytes + Int(first + chunk) * Limits.chunkBytes + 5)
    }
    let (found, loss) = try Self.read(try file.salvaged(), 32)
    #expect(Self.explain(found, loss, written))
    #expect(loss?.gaps.count == 3 && loss?.lostRecords == 6)
    #expect(loss?.gaps.first?.first == 1...1 && loss?.gaps.last?.last == 12...12)
  }

  @Test func `random damage never makes a wrong record`() throws {
    let sample = try Self.sample()
    let file = try Subject(sample)
    let whole = try sample.opened()
    let ids = whole.sections.map(\.id)
    let written = try ids.map { try Self.read(whole, $0).records }
    var generator = random(32)
    for round in 0..<12 {
      // Leaves are damaged too, so that only tags remain as evidence.
      let offsets = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
        Int.random(in: file.headerBytes..<file.bytes.count - 256 - file.headerBytes, using: &generator)
      }
      for offset in offsets { try file.flip(offset) }
      let archive = try file.salvaged()
      for (id, written) in zip(ids, written) {
        let scope = try #require(ArchiveScope(sectionID: id))
        guard archive.scopes.contains(scope) else { continue }
        let (found, loss) = try Self.read(archive, id)
        #expect(Self.explain(found, loss, written), "round \(round), section \(id)")
      }
      for offset in offsets { try file.mend(offset) }
    }
  }

  @Test func `nothing is lost where only leaves or the fill are damaged`() throws {
    let sample = try SampleArchive([SampleSection(5, messages: [[1, 2, 3]])])
    let file = try Subject(sample)
    let table = file.headerBytes + 12 * Limits.chunkBytes + 256
    // A leaf; and the profile's second chunk, which is all fill.
    for offset in [table + 40, file.headerBytes + Limits.chunkBytes + 9] {
      try file.flip(offset)
      let archive = try file.salvaged()
      let (found, loss) = try Self.read(archive, 5)
      #expect(found == [[1, 2, 3]] && loss == nil)
      #expect(try archive.manifest()?.body == SampleArchive.manifest)
      try file.mend(offset)
    }
  }

  @Test func `a lost manifest is named, and the rest is read`() throws {
    let sample = try Self.sample()
    let file = try Subject(sample)
    try file.flip(file.headerBytes)
    let archive = try file.salvaged()
    #expect(try archive.manifest() == nil)
    #expect(try Self.read(archive, 1).loss?.lostRecords == 1)
    #expect(try Self.read(archive, 32).loss == nil)
  }

  @Test func `a signature that does not hold stops a salvage`() throws {
    let key = try SigningKey(seed: SharedSecret(try SecretBytes(count: 32)))
    let sample = try Self.sample(signer: key)
    let file = try Subject(sample)
    try file.flip(file.headerBytes + 10 * Limits.chunkBytes)
    _ = try file.salvaged(trusting: [key.publicKey])
    let other = try #require(Ed25519.PublicKey(bytes: [UInt8](repeating: 1, count: 32)))
    #expect(throws: ArchiveError.untrusted(.another)) {
      _ = try file.salvaged(trusting: [other])
    }
    // With the leaf table damaged, the signature says nothing of the chunks.
    let chunks = try Int(sample.stored().streamBytes.reduce(0, +)) / Limits.chunkPlaintextBytes
    try file.flip(file.headerBytes + chunks * Limits.chunkBytes + 256)
    _ = try file.salvaged()
    #expect(throws: ArchiveError.untrusted(.chunksUnproven)) {
      _ = try file.salvaged(trusting: [key.publicKey])
    }
  }

  @Test func `an intact archive is no damaged one`() throws {
    let report = try SampleArchive().stored().verify()
    #expect(report.intact != nil && report.damaged == nil)
  }
}
