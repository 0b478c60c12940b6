import FuekiArchive
import FuekiSystem
import TestSupport
import Testing

/// The effect of an archive's suite: how blocks are stored, but not what is read.
@Suite struct SuiteTests {
  private static let sections = [
    SampleSection(4, messages: (0..<200).map(FieldRecords.transaction)),
    SampleSection(32, messages: (0..<15_000).map(FieldRecords.transaction), perBatch: 900),
    SampleSection(38, messages: (0..<3).map { Shape.noise(70_000, seed: $0) }),
  ]

  @Test func `columns take less room, and give the same records`() throws {
    let rows = try SampleArchive(Self.sections, suite: .rows)
    let columns = try SampleArchive(Self.sections)
    #expect(try rows.stored().facts.suite == .rows)
    #expect(try columns.stored().facts.suite == .columns)
    #expect(columns.written.byteCount < rows.written.byteCount)
    // The manifests contain keyed digests and therefore differ.
    #expect(columns.written.sections.dropFirst() == rows.written.sections.dropFirst())
    let archives = try [rows.opened(), columns.opened()]
    for archive in archives {
      try archive.checkContents()
      for section in Self.sections { #expect(try archive.read(section.id).plaintext == section.plaintext) }
    }
  }

  @Test func `an archive of suite 1 has no columns`() throws {
    // The keys depend on the suite, so an archive cannot be relabelled. The index is tested directly.
    let numbers: [[UInt8]] = [
      [1, 0], [32, 0], [1, 0, 0, 0, 0, 0, 0, 0], [120, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0, count: 32),
      [1, 0, 0, 0], [2], [90, 0, 0, 0], [120, 0, 0, 0],
    ]
    let index = try StreamIndex(decoding: numbers.flatMap { $0 }, of: .history)
    try index.checkLengths(in: .history, suite: .columns, chunkCount: 4)
    #expect(throws: ArchiveError.forged(.index(.history))) {
      try index.checkLengths(in: .history, suite: .rows, chunkCount: 4)
    }
  }
}
