import FuekiSystem
import Testing

struct SavedTextTests {
  private static let text = "a\u{E9}\u{20AC}\u{1F511}\u{FFFD}\u{7FF}\u{800}\u{10FFFF}\r\nz"

  private static func utf16(_ text: String, isLittleEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isLittleEndian ? bytes.reversed() : bytes
    }
  }

  @Test func `every form is the same text in UTF-8`() {
    let plain = Array(Self.text.utf8)
    #expect(SavedText.utf8(plain) == plain)
    #expect(SavedText.utf8([0xEF, 0xBB, 0xBF] + plain) == plain)
    #expect(SavedText.utf8(Self.utf16(Self.text, isLittleEndian: true)) == plain)
    #expect(SavedText.utf8(Self.utf16(Self.text, isLittleEndian: false)) == plain)
  }

  @Test(
    arguments: [[], [0xEF], [0xEF, 0xBB], [0xFF], [0xFE], [0x80, 0xFF, 0xFE], Array("x\u{FEFF}y".utf8)]
      as [[UInt8]])
  func `bytes without a mark in front stay as they are`(_ bytes: [UInt8]) {
    #expect(SavedText.utf8(bytes) == bytes)
  }

  @Test func `a mark alone is an empty text`() {
    for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] {
      #expect(SavedText.utf8(mark) == [])
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x61], [0xFF, 0xFE, 0x00, 0xD8], [0xFF, 0xFE, 0x00, 0xDC],
      [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61],
      [0xFE, 0xFF, 0xDB, 0xFF],
    ] as [[UInt8]])
  func `damaged UTF-16 is no text`(_ bytes: [UInt8]) {
    #expect(SavedText.utf8(bytes) == nil)
  }
}
