import FuekiSystem
import TestSupport
import Testing

/// Conversion of paths to text and back.
struct PathTextTests {
  private static let composed = Array("caf\u{E9}".utf8)
  private static let decomposed = Array("cafe\u{301}".utf8)
  private static let latin = Array("caf".utf8) + [0xE9]

  @Test(arguments: [
    composed, decomposed, latin, [0x80], [0xFF, 0xFE], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80],
    [0xF4, 0x90, 0x80, 0x80], Array("a\u{10FEE9}b".utf8), Array("\u{10FFFD}".utf8), Array("new\nline".utf8),
    [],
  ])
  func `text gives back the bytes that it was made of`(_ bytes: [UInt8]) {
    #expect(PathText.text(bytes).pathBytes == bytes)
  }

  @Test func `all single bytes and pairs come back`() {
    for first in UInt8.min...UInt8.max {
      #expect(PathText.text([first]).pathBytes == [first])
      for second in UInt8.min...UInt8.max where PathText.text([first, second]).pathBytes != [first, second] {
        Issue.record("\(first) \(second)")
      }
    }
  }

  @Test func `valid text stays as it is, and a name with an escape in it is no other name`() {
    #expect(PathText.text(Self.composed) == "caf\u{E9}")
    #expect(PathText.text(Self.latin) == "caf\u{10FEE9}")
    #expect(PathText.text(Array("caf\u{10FEE9}".utf8)).pathBytes != Self.latin)
  }

  @Test func `a file is opened by the text of its name, whatever its bytes are`() throws {
    let temporary = try TemporaryDirectory()
    let names = [Self.composed, Self.decomposed, Self.latin, Array("a\tb\u{1B}[1m".utf8)]
    for name in names { try temporary.open().createFile(name).pwriteAll(name, at: 0) }
    for entry in try temporary.open().list() {
      let path = temporary.path(PathText.text(entry.name))
      let file = try File.openRegular(path)
      #expect(try file.readAll(limit: 100) == entry.name)
      #expect(file.path.pathBytes == path.pathBytes)
      #expect(CurrentProcess.absolutePath(of: path).pathBytes.suffix(entry.name.count) == entry.name[...])
    }
    #expect(try temporary.open().list().count == names.count)
  }
}
