import FuekiArchive
import FuekiCrypto
import TestSupport
import Testing

@Suite struct ColumnFormTests {
  /// Returns the writer's form of a block, or nil.
  private static func form(_ block: [UInt8]) -> [UInt8]? {
    var writer = ColumnFormWriter()
    var buffer: [UInt8] = []
    guard writer.scan(block.span), let length = writer.encode(block.span, to: &buffer) else { return nil }
    return Array(buffer[..<length])
  }

  private static func decode(_ form: [UInt8], _ count: Int) -> [UInt8]? {
    try? ColumnFormReader.decode(form.span, plaintextBytes: count)
  }

  @Test func `the manual page's example is written and read`() throws {
    let page = String(decoding: try TestVectors.file("../man/fueki-archive.5"), as: UTF8.self)
    let example = try #require(page.split(separator: "and a column form\nof it:\n").last)
    let lines = example.split(separator: "\n")
    func bytes(from start: String, to end: String) throws -> [UInt8] {
      let first = try #require(lines.firstIndex { $0 == start }) + 1
      let last = try #require(lines[first...].firstIndex { $0 == end })
      // The meaning of the bytes follows them, after two spaces.
      let columns = lines[first..<last].compactMap { $0.dropFirst(2).split(separator: "  ").first }
      return try #require(Hex.decode(columns.joined().filter { $0 != " " }))
    }
    let plaintext = try bytes(from: "plaintext", to: "column form")
    let form = try bytes(from: "column form", to: ".Ed")
    #expect(Self.form(plaintext) == form)
    #expect(Self.decode(form, plaintext.count) == plaintext)
  }

  @Test(arguments: 0..<100) func `any records come back byte for byte`(_ seed: UInt64) throws {
    var generator = random(seed)
    var writer = ColumnFormWriter()
    var buffer: [UInt8] = []
    // One writer, so that state left by a block would show in the next.
    for _ in 0..<5 {
      let block = FieldRecords.block(FieldRecords.any(&generator))
      let isWhole = writer.scan(block.span)
      #expect(isWhole)
      guard let length = writer.encode(block.span, to: &buffer) else { continue }
      #expect(length <= ColumnLimits.formBytes(plaintextBytes: block.count))
      #expect(Self.decode(Array(buffer[..<length]), block.count) == block)
      #expect(Self.decode(Array(buffer[..<length]), block.count + 1) == nil)
      #expect(Self.decode(Array(buffer[..<length]), block.count - 1) == nil)
    }
  }

  @Test func `records of one kind lie in columns, and few of them raw`() throws {
    let block = FieldRecords.block((0..<4000).map(FieldRecords.transaction))
    let form = try #require(Self.form(block))
    #expect(form.count < block.count)
    #expect(Self.decode(form, block.count) == block)
    var odd = (0..<500).map(FieldRecords.transaction)
    odd[7] = [0x0B, 0x0C]
    odd[9] = [0x08]
    odd[11] = [0x08, 0x80, 0x00]
    odd[13] = []
    odd[15] = (0..<257).flatMap { _ in [0x08, 0x01] }
    let mixed = FieldRecords.block(odd)
    #expect(try Self.decode(#require(Self.form(mixed)), mixed.count) == mixed)
  }

  @Test func `more shapes and columns than a form may have do not stop the writer`() throws {
    // Each record has a tag of its own, and a path of its own.
    let tags = (1...9000).map { number -> [UInt8] in
      var message = [UInt8](repeating: 0x0A, count: 1) + [40] + [UInt8](repeating: 0x61, count: 40)
      message.varint(UInt64(number), 1)
      return message
    }
    let paths = (0..<9000).map { number -> [UInt8] in
      var message: [UInt8] = []
      for bit in 0..<14 { message.varint(number >> bit & 1 == 0 ? 1 : 2, 300) }
      return message
    }
    for messages in [tags, paths] {
      let block = FieldRecords.block(messages)
      let form = try #require(Self.form(block))
      #expect(Self.decode(form, block.count) == block)
    }
  }

  @Test func `what is no records has no form`() {
    for block: [UInt8] in [[], [1], [2, 0], [0x80, 0], [0xFF]] { #expect(Self.form(block) == nil) }
  }

  @Test(arguments: 0..<20) func `a mutated form is refused, or gives whole records`(_ seed: UInt64) throws {
    var generator = random(seed)
    let messages = seed < 10 ? (0..<40).map(FieldRecords.transaction) : FieldRecords.any(&generator)
    let block = FieldRecords.block(messages + [[UInt8](repeating: 0x20, count: 600)])
    let form = try #require(Self.form(block))
    for place in form.indices {
      for mask: UInt8 in [1, 0x80, 0xFF] {
        var mutated = form
        mutated[place] ^= mask
        try Self.check(Self.decode(mutated, block.count), block.count)
      }
    }
    for length in 0..<form.count { #expect(Self.decode(Array(form[..<length]), block.count) == nil) }
    for _ in 0..<200 {
      var mutated = form
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<mutated.count, using: &generator)
        let extreme: UInt8 = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: mutated.insert(extreme, at: place)
        case 1 where mutated.count > 1: mutated.remove(at: place)
        default: mutated[place] = extreme
        }
      }
      try Self.check(Self.decode(mutated, block.count), block.count)
    }
  }

  private static func check(_ plaintext: [UInt8]?, _ count: Int) throws {
    guard let plaintext else { return }
    #expect(plaintext.count == count)
    // Whatever was changed, the decoded bytes are framed records.
    let records = try RecordBlock(plaintext, section: 32)
    #expect(records.messages.last?.upperBound == count)
  }
}
