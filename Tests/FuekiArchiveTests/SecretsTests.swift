import FuekiArchive
import FuekiCrypto
import TestSupport
import Testing

@Suite struct SecretsTests {
  @Test(arguments: [
    [0], [5, 0, 17], [16_384, 16_383, 1, 40_000], [1 << 20, 1, 600_000, 600_000], [3 << 20, 10],
  ])
  func `secret records are read as they were written`(_ sizes: [Int]) throws {
    let messages = sizes.enumerated().map { Shape.noise($1, seed: UInt64($0)) }
    let sample = try SampleArchive { writer in
      try writer.writeSecret(section: 65) { write in
        for message in messages {
          var batch = RecordBatch()
          batch.append(message)
          try write(SecretBytes(copying: batch.bytes.span))
        }
      }
      try writer.write(section: 66, batches: [RecordBatch(), RecordBatch()])
    }
    let archive = try sample.opened()
    #expect(archive.sections == sample.written.sections)
    #expect(archive.sections.map(\.id) == [1, 65])
    var found: [[UInt8]] = []
    try archive.readSecretSection(65) { message in found.append(message.indices.map { message[$0] }) }
    #expect(found == messages)
    try archive.checkContents()
  }

  @Test func `secret records keep to the limits of blocks`() throws {
    let sample = try SampleArchive { writer in
      try writer.writeSecret(section: 66) { write in
        for message in [
          [], Shape.message(recordBytes: Shape.mebibyte), [], Shape.noise(2 << 20, seed: 1), [],
        ] {
          var batch = RecordBatch()
          batch.append(message)
          try write(SecretBytes(copying: batch.bytes.span))
        }
      }
    }
    let archive = try sample.opened()
    let blocks = try archive.read(66).blocks
    #expect(blocks.map(\.records) == [1, 1, 1, 1, 1])
    try archive.checkContents()
  }

  @Test func `a key share opens under its own id alone`() throws {
    let id = [UInt8](repeating: 9, count: 16)
    let share = Array("a key share".utf8)
    var sealed: [UInt8] = []
    let sample = try SampleArchive { writer in
      sealed = try writer.seal(share: SecretBytes(copying: share.span), id: id)
      var batch = RecordBatch()
      batch.append(sealed)
      try writer.write(section: 64, batches: [batch])
    }
    let archive = try sample.opened()
    let opened = try archive.open(share: sealed, id: id)
    #expect(opened.withBytes { bytes in bytes.indices.map { bytes[$0] } } == share)

    let refused = ArchiveError.forged(.keyShare)
    #expect(throws: refused) { _ = try archive.open(share: sealed, id: [UInt8](repeating: 8, count: 16)) }
    #expect(throws: refused) { _ = try archive.open(share: sealed, id: Array(id.dropLast())) }
    for length in [0, 23, 24, 39, sealed.count - 1] {
      #expect(throws: refused) { _ = try archive.open(share: Array(sealed[..<length]), id: id) }
    }
    for place in sealed.indices {
      var altered = sealed
      altered[place] ^= 0x10
      #expect(throws: refused) { _ = try archive.open(share: altered, id: id) }
    }
  }
}
