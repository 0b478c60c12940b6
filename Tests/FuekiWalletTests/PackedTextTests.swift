import FoundationEssentials
import FuekiWallet
import Testing

@Suite struct PackedTextTests {
  static let examples: [(text: String, form: UInt8, byteCount: Int)] = [
    ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 3, 21),
    ("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", 1, 21),
    ("0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED", 0, 43),
    ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", 0, 43),
    ("0x0000000000000000000000000000000000000000", 1, 21),
    ("0x", 0, 3), ("0x0", 0, 4), ("0x00", 1, 2), ("0x000", 0, 6), ("0X00", 0, 5), ("0xAB", 0, 5),
    ("550E8400-E29B-41D4-A716-446655440000", 4, 17),
    ("550e8400-e29b-41d4-a716-446655440000", 5, 17),
    ("00000000-0000-0000-0000-000000000000", 4, 17),
    ("550E8400-e29b-41d4-a716-446655440000", 0, 37),
    ("550e8400-e29b-41d4-a716+446655440000", 0, 37),
    ("550e8400e29b41d4a716446655440000550e", 2, 19),
    ("0011223344556677", 2, 9), ("00112233445566", 0, 15), ("00112233445566778", 0, 18),
    ("00112233445566AA", 0, 17), ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 0, 43),
    ("e\u{301}", 0, 4), ("\u{e9}", 0, 3), ("\0", 0, 2), ("a", 0, 2),
  ]

  @Test(arguments: examples)
  func `each text has the form that is right for it`(text: String, form: UInt8, byteCount: Int) {
    let packed = PackedText.pack(text)
    #expect(packed.first == form)
    #expect(packed.count == byteCount)
    #expect(PackedText.text(packed).map { Array($0.utf8) } == Array(text.utf8))
    #expect(PackedText.isCanonical(packed))
  }

  @Test func `empty text is no bytes`() {
    #expect(PackedText.pack("").isEmpty)
    #expect(PackedText.text(Data()) == "")
    #expect(PackedText.isCanonical(Data()))
  }

  @Test(
    arguments: [
      [0], [0, 0xff], [0, 0xc0, 0x80], [0, 0xed, 0xa0, 0x80], [1], [2, 1, 2, 3, 4, 5, 6, 7], [3, 1], [4],
      [5, 0], [6, 1],
      [255], Array(repeating: 3, count: 20), Array(repeating: 4, count: 18),
    ] as [[UInt8]])
  func `bytes that stand for no text are refused`(bytes: [UInt8]) {
    #expect(PackedText.text(Data(bytes)) == nil)
    #expect(!PackedText.isCanonical(Data(bytes)))
  }

  @Test func `a text in a form that another precedes is readable but not canonical`() {
    for packed in [
      Data([0] + Array("0xab".utf8)), Data([3] + [UInt8](repeating: 0, count: 20)),
      Data([5] + [UInt8](repeating: 0, count: 16)),
    ] {
      #expect(PackedText.text(packed) != nil)
      #expect(!PackedText.isCanonical(packed))
    }
  }

  @Test func `any text comes back byte for byte and any canonical bytes come back too`() {
    var random = SeededGenerator(seed: 2)
    let alphabets = ["0123456789abcdef", "0123456789ABCDEF", "0xX-aAfFgG", "aé\u{301}\u{1f600}ñ\0\n"].map(
      Array.init)
    for _ in 0..<20_000 {
      let alphabet = alphabets[Int(random.next() % 4)]
      let prefix = ["", "0x", "0X"][Int(random.next() % 3)]
      let count = [0, 1, 2, 16, 32, 36, 40, 64, Int(random.next() % 70)][Int(random.next() % 9)]
      let text =
        prefix + String((0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
      let packed = PackedText.pack(text)
      #expect(PackedText.isCanonical(packed))
      #expect(PackedText.text(packed).map { Array($0.utf8) } == Array(text.utf8))

      let bytes = Data(
        [UInt8(random.next() % 7)] + random.bytes([16, 20, Int(random.next() % 40)][Int(random.next() % 3)]))
      let again = PackedText.text(bytes).map(PackedText.pack)
      #expect(PackedText.isCanonical(bytes) == (again == bytes))
    }
  }
}
