import FuekiWallet
import Testing

@Suite struct ChainAddressTests {
  func problem(_ address: String, _ family: ChainFamily, _ chainID: String) -> AddressProblem? {
    ChainAddress.problem(address: address, family: family, chainID: chainID)
  }

  @Test(arguments: BitcoinNetwork.all)
  func `a network's own addresses are right there, by any of its names`(network: BitcoinNetwork) throws {
    var random = SeededGenerator(seed: 90)
    var addresses = ([network.keyHashVersion] + network.scriptHashVersions).map { version in
      Base58Check.encode([version] + random.bytes(20))
    }
    if let part = network.readablePart {
      for (version, count) in [(0, 20), (0, 32), (1, 32)] as [(UInt8, Int)] {
        let address = SegwitAddress(readablePart: part, version: version, program: random.bytes(count))
        addresses.append(try #require(address?.text))
      }
      addresses.append(try #require(addresses.last).uppercased())
    }
    for address in addresses {
      for name in [network.name] + network.otherNames { #expect(problem(address, .bitcoin, name) == nil) }
    }
  }

  @Test func `an address of another network is named as such`() {
    #expect(problem("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .bitcoin, "litecoin") == .otherNetwork)
    #expect(problem("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .bitcoin, "dogecoin") == .otherNetwork)
    #expect(problem("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", .bitcoin, "testnet") == .otherNetwork)
  }

  @Test func `wrong addresses are named by what is wrong`() {
    #expect(problem("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", .bitcoin, "bitcoin") == .wrongChecksum)
    #expect(problem("bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .bitcoin, "bitcoin") == .mixedCase)
    #expect(problem("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", .bitcoin, "bitcoin") == .wrongChecksum)
    #expect(problem(Base58Check.encode([0]), .bitcoin, "bitcoin") == .wrongLength)
    #expect(problem("0x5aaeb6", .evm, "1") == .wrongLength)
    #expect(problem("", .bitcoin, "bitcoin") == .wrongLength)
  }

  @Test func `what is not known is not judged`() {
    #expect(problem("anything", .other("monero"), "mainnet") == nil)
    #expect(problem("anything", .bitcoin, "namecoin") == nil)
    #expect(problem("ltcmweb1qqanything", .bitcoin, "litecoin") == nil)
  }

  @Test(arguments: ["LTC16hYAuuLAX86qrx3z7QQrXr8RsJr9GQ", "LTc1BgNvjLqth8pov5JZDpvMNLGM7iXsp9"])
  func `an old Litecoin address that looks like Bech32 at first is right`(address: String) {
    #expect(problem(address, .bitcoin, "litecoin") == nil)
    #expect(problem(address, .bitcoin, "bitcoin") != nil)
  }
}
