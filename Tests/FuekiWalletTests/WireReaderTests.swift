import FoundationEssentials
import FuekiWallet
import SwiftProtobuf
import Testing

@Suite struct WireReaderTests {
  func fields(_ message: [UInt8]) throws -> [WireField] {
    var reader = WireReader()
    var fields: [WireField] = []
    while let field = try reader.next(in: message.span) { fields.append(field) }
    return fields
  }

  @Test func `fields come back as they were written`() throws {
    var writer = WireWriter()
    writer.append(1, varint: 300)
    writer.append(2, zigzag: -5)
    writer.append(3, text: "é")
    writer.append(4, real: 1.5)
    writer.append(536_870_911, bytes: [1, 2] as [UInt8])
    writer.append(raw: [0x2d, 1, 0, 0, 0] as [UInt8])
    let message = writer.bytes
    let fields = try fields(message)
    #expect(fields.map(\.number) == [1, 2, 3, 4, 536_870_911, 5])
    #expect(try fields[0].varint() == 300)
    #expect(try fields[1].zigzag() == -5)
    #expect(try fields[2].text(in: message.span) == "é")
    #expect(fields[3].value == .fixed64((1.5 as Double).bitPattern))
    #expect(try fields[4].bytes(in: message.span) == [1, 2])
    #expect(fields[5].value == .fixed32(1))
    #expect(fields.flatMap { Array(message[$0.range]) } == message)
    #expect(throws: WireError.wrongType(field: 1)) { try fields[0].content() }
    #expect(throws: WireError.wrongType(field: 3)) { try fields[2].varint() }
  }

  @Test func `zigzag is right at the ends`() throws {
    for number in [Int64.min, -1, 0, 1, .max] {
      var writer = WireWriter()
      writer.append(1, zigzag: number)
      #expect(try fields(writer.bytes)[0].zigzag() == number)
    }
  }

  @Test(
    arguments: [
      ([0x08], .truncated), ([0x08, 0x80], .truncated), ([0x0a, 2, 0], .truncated),
      ([0x09, 0, 0], .truncated),
      ([0x08, 0x80, 0], .varintNotMinimal), ([0x88, 0], .varintNotMinimal),
      ([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], .varintNotMinimal),
      ([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0], .varintNotMinimal),
      ([0x00, 0], .invalidTag), ([0x0b], .invalidTag), ([0x0c], .invalidTag), ([0x0e], .invalidTag),
      ([0x80, 0x80, 0x80, 0x80, 0x10, 0], .invalidTag),
      ([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], .truncated),
    ] as [([UInt8], WireError)])
  func `what breaks the wire format is named`(message: [UInt8], error: WireError) {
    #expect(throws: error) { try fields(message) }
  }

  @Test func `text that is not UTF-8 is refused`() throws {
    let message: [UInt8] = [0x0a, 1, 0xff]
    let field = try #require(try fields(message).first)
    #expect(throws: WireError.invalidValue(field: 1)) { try field.text(in: message.span) }
  }

  @Test func `no cut and no flipped bit traps, and what is read adds up to the message`() throws {
    var random = SeededGenerator(seed: 20)
    let message: [UInt8] = try random.transaction().serializedBytes()
    for end in message.indices { _ = try? fields(Array(message[..<end])) }
    for bit in 0..<(message.count * 8) {
      var flipped = message
      flipped[bit / 8] ^= 1 << (bit % 8)
      guard let fields = try? fields(flipped) else { continue }
      #expect(fields.map(\.range.count).reduce(0, +) == flipped.count)
    }
  }
}
