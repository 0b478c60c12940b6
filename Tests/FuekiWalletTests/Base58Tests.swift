import FuekiWallet
import TestSupport
import Testing

@Suite struct Base58Tests {
  @Test func `Bitcoin Core's vectors`() throws {
    // The file is an array of pairs of strings without escapes, so every second part between quotation marks
    // is a string.
    let json = String(decoding: try Published.file("base58.json"), as: UTF8.self)
    let parts = json.split(separator: "\"", omittingEmptySubsequences: false)
    let texts = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
    #expect(texts.count >= 24 && texts.count.isMultiple(of: 2))
    for i in stride(from: 0, to: texts.count, by: 2) {
      let bytes = try #require(hex(texts[i]))
      #expect(Base58.encode(bytes) == texts[i + 1])
      #expect(try Base58.decode(texts[i + 1]) == bytes)
    }
  }

  @Test func `any bytes come back`() throws {
    var random = SeededGenerator(seed: 70)
    for count in 0..<200 {
      let bytes = [UInt8](repeating: 0, count: random.below(4)) + random.bytes(count)
      #expect(try Base58.decode(Base58.encode(bytes)) == bytes)
      #expect(try Base58Check.decode(Base58Check.encode(bytes)) == bytes)
    }
  }

  @Test func `other characters, wrong checksums and overlong texts are refused`() {
    for text in ["0", "O", "I", "l", "a b", "é", "3SEo3LWLoPnt+"] {
      #expect(throws: AddressProblem.invalidCharacter) { try Base58.decode(text) }
    }
    #expect(throws: AddressProblem.wrongLength) { try Base58.decode(String(repeating: "z", count: 4097)) }
    #expect(throws: AddressProblem.wrongChecksum) {
      try Base58Check.decode("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb")
    }
    #expect(throws: AddressProblem.wrongLength) { try Base58Check.decode("2g") }
  }

  @Test func `the first address of all pays to the key that it pays to`() throws {
    let payload = try Base58Check.decode("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")
    #expect(payload == hex("0062e907b15cbf27d5425399ebf6f0fb50ebb88f18"))
  }
}

/// Returns the bytes of hexadecimal text.
func hex(_ text: some StringProtocol) -> [UInt8]? {
  let digits = text.compactMap(\.hexDigitValue)
  guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
