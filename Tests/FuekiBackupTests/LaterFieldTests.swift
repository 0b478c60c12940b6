import FuekiArchive
import FuekiBackup
import FuekiWallet
import Testing

/// A field that a kind of records may have one day, of a number beyond those that are in use.
@Suite struct LaterFieldTests {
  private let kind = Section.settings.kind.listing(
    [.always(100, "place", .text), .always(40, "mode", .unsigned32)] + Section.settings.kind.fields)

  private func record(_ place: [UInt8]) -> [UInt8] {
    var writer = WireWriter()
    writer.append(1, text: "theme")
    writer.append(40, varint: 7)
    writer.append(100, bytes: place)
    return writer.bytes
  }

  @Test func `it has its own member in an export`() throws {
    var framed: [UInt8] = []
    try RecordFraming.append(record(Array("~/wallet".utf8)), to: &framed)
    let block = try RecordBlock(framed, section: Section.settings.rawValue)
    let line = String(decoding: try RecordTable(kind).lines(of: block).bytes, as: UTF8.self)
    #expect(line == #"{"key":"theme","value":"","mode":7,"place":"~/wallet"}"# + "\n")
    let today = String(decoding: try RecordTable(Section.settings.kind).lines(of: block).bytes, as: UTF8.self)
    #expect(today.hasPrefix(#"{"key":"theme","value":"","unknown_fields":"#))
  }

  @Test func `it is judged by its type`() {
    func isStrict(_ check: RecordCheck, _ place: [UInt8]) -> Bool { check.isStrict(record(place).span) }
    let check = RecordCheck(kind: kind)
    #expect(isStrict(check, Array("~/wallet".utf8)))
    #expect(!isStrict(check, [0xFF]))
    #expect(isStrict(RecordCheck(.settings), [0xFF]))
  }
}
