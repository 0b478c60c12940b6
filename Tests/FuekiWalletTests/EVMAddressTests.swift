import FuekiWallet
import TestSupport
import Testing

@Suite struct EVMAddressTests {
  @Test(arguments: [
    "0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ])
  func `the addresses of ERC-55 are spelled as it has them`(text: String) throws {
    let address = try EVMAddress(text)
    #expect(address.description == text)
    let digits = text.dropFirst(2)
    #expect(try EVMAddress("0x" + digits.lowercased()) == address)
    #expect(try EVMAddress("0x" + digits.uppercased()) == address)
    #expect(EVMAddress(bytes: address.bytes) == address)
  }

  @Test func `any one letter in the other case is noticed`() throws {
    let right = Array("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".utf8)
    for i in 2..<42 where right[i] >= 0x41 {
      var wrong = right
      wrong[i] ^= 0x20
      #expect(throws: AddressProblem.wrongChecksum) { try EVMAddress(String(decoding: wrong, as: UTF8.self)) }
    }
  }

  @Test(
    arguments: [
      ("", .unrecognised), ("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", .unrecognised),
      ("0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", .unrecognised), ("0x5aaeb6", .wrongLength),
      ("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed00", .wrongLength),
      ("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg", .invalidCharacter),
    ] as [(String, AddressProblem)])
  func `what is no address is named`(text: String, problem: AddressProblem) {
    #expect(throws: problem) { try EVMAddress(text) }
  }

  @Test func `packed text and addresses agree on what a checksum is`() throws {
    var random = SeededGenerator(seed: 60)
    for _ in 0..<500 {
      let address = try #require(EVMAddress(bytes: random.bytes(20)))
      let packed = PackedText.pack(address.description)
      #expect(packed.first == (address.description.dropFirst(2).contains(where: \.isUppercase) ? 3 : 1))
      #expect(Array(packed.dropFirst()) == address.bytes)
    }
  }
}
