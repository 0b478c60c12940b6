import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Streams whose blocks, index and footer fill their chunks exactly, or miss it by a few bytes.
@Suite struct StreamEdgeTests {
  /// The other bytes of a stream with one block: an index of one section with one block, and the footer.
  private static let others = 2 + 54 + 9 + 8
  /// The other bytes of a manifest's record: its length and the scope digests.
  private static let manifestOthers = 3 + 3 * 34

  @Test(arguments: [4, 5, 6, 9], [-Self.others - 1, -Self.others, -Self.others + 1, -9, -8, -1, 0, 1])
  func `a stream may fill its chunks`(_ chunks: Int, _ more: Int) throws {
    let block = chunks * Limits.chunkPlaintextBytes - Self.others + more
    let manifest = [UInt8](repeating: 0x22, count: block - Self.manifestOthers)
    let history = Shape.noise(block - 3, seed: 1)
    let secret = Shape.noise(block - 3, seed: 2)
    // The manifest is opaque here, but must consist of fields.
    let field = [0x22] + Self.varint(manifest.count - 4) + manifest.dropFirst(4)
    let sample = try SampleArchive([SampleSection(32, messages: [history])], manifest: field) { writer in
      try writer.writeSecret(section: 66) { write in
        var batch = RecordBatch()
        batch.append(secret)
        try write(SecretBytes(copying: batch.bytes.span))
      }
    }
    let archive = try sample.opened()
    let expected = Padme.chunkCount(holding: UInt64(more > 0 ? chunks + 1 : chunks))
    let streams = archive.source.source.streamBytes
    #expect(streams.map { $0 / UInt64(Limits.chunkPlaintextBytes) } == [expected, expected, expected])
    #expect(archive.sections.map(\.plaintextBytes) == [UInt64(block), UInt64(block), UInt64(block)])
    #expect(try archive.manifest()?.body == field)
    #expect(try Array(archive.read(32).plaintext.dropFirst(3)) == history)
    try archive.checkContents()
  }

  private static func varint(_ value: Int) -> [UInt8] {
    [UInt8(value & 0x7F) | 0x80, UInt8(value >> 7 & 0x7F) | 0x80, UInt8(value >> 14)]
  }

  @Test func `a file above 1 TiB is over limit at once`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(try Vector.named("empty").bytes(), to: "archive")
    let directory = try folder.open()
    do {
      try directory.openFileForWriting("archive").truncate(to: (1 << 40) + 1)
    } catch {
      // Some file systems do not support files of that length.
      return
    }
    let file = try ArchiveFile(directory.openFile("archive"))
    #expect(throws: ArchiveError.overLimit(.archiveLength)) { _ = try StoredArchive(reading: file) }
  }
}
