import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

@Suite struct WriterRefusalTests {
  @Test func `a record above 16 MiB is refused`() throws {
    let large = Shape.message(recordBytes: Limits.recordBytes + 1)
    #expect(throws: BundleError.recordTooLarge(bytes: Limits.recordBytes + 1)) {
      _ = try SampleArchive([SampleSection(8, messages: [large])])
    }
    #expect(throws: BundleError.recordTooLarge(bytes: Limits.recordBytes + 1)) {
      _ = try SampleArchive { writer in
        try writer.writeSecret(section: 66) { write in try write(SecretBytes(count: Limits.recordBytes + 1)) }
      }
    }
  }

  @Test func `a manifest above 16 MiB is refused before anything is written`() throws {
    let manifest = [UInt8](repeating: 0, count: Limits.recordBytes)
    #expect(throws: BundleError.self) { _ = try SampleArchive(manifest: manifest) }
  }

  @Test(arguments: [[32, 2], [2, 2], [1], [0], [96], [65, 64]])
  func `sections out of order are refused`(_ ids: [UInt16]) throws {
    let sections = ids.map { SampleSection($0, messages: [[1]]) }
    #expect(throws: BundleError.self) { _ = try SampleArchive(sections) }
  }

  @Test func `more slots than a reader takes are refused`() throws {
    let folder = try TemporaryDirectory()
    let directory = try folder.open()
    let draft = ArchiveDraft(
      vaultID: Guardians.vaultID, sequence: 1, previous: .zero, created: 1)
    for count in [0, 5, 33] {
      let slots = try (0..<count).map { _ in try SampleArchive.slot() }
      let file = try ArchiveFile(directory.createFile("archive \(count)"))
      #expect(throws: BundleError.self) {
        _ = try ArchiveWriter(to: file, draft: draft, slots: slots, manifestByteCount: 0)
      }
    }
  }
}
