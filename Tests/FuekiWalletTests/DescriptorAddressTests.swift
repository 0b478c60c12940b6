import FuekiCrypto
import FuekiWallet
import Testing

struct DescriptorAddressTests {
  // The key of BIP-173's examples.
  private static let key = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

  @Test(arguments: [
    ("pkh(\(key))", "bitcoin", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"),
    ("wpkh(\(key))", "bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("wpkh(\(key))", "signet", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"),
    ("sh(wpkh(\(key)))", "bitcoin", "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN"),
    ("addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)", "bitcoin", "3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j"),
  ])
  func `published addresses`(_ text: String, _ network: String, _ address: String) throws {
    let network = try #require(BitcoinNetwork.named(network))
    let descriptor = try Descriptor(parsing: text)
    #expect(try descriptor.address(at: 0, network: network) == address)
    #expect(try network.outputScript(of: address) == descriptor.scriptPubKey(at: 0))
  }

  @Test(arguments: BitcoinNetwork.all)
  func `an address leads back to its script on every network`(_ network: BitcoinNetwork) throws {
    for form in ["pkh(*)", "sh(pk(*))", "wpkh(*)", "wsh(pk(*))", "tr(*)"] {
      let descriptor = try Descriptor(parsing: form.replacing("*", with: Self.key))
      let script = try descriptor.scriptPubKey(at: 0)
      guard network.readablePart != nil || script.count > 22 && script[0] > 0x60 else {
        #expect(throws: DescriptorError.noAddress) { try descriptor.address(at: 0, network: network) }
        continue
      }
      let address = try descriptor.address(at: 0, network: network)
      #expect(network.problem(with: address) == nil)
      #expect(network.outputScript(of: address) == script)
      #expect(network.address(of: script) == address)
    }
  }

  @Test func `scripts that have no address`() throws {
    let bitcoin = try #require(BitcoinNetwork.named("bitcoin"))
    for text in ["pk(\(Self.key))", "multi(1,\(Self.key))", "raw(deadbeef)", "raw()", "raw(0014)"] {
      let descriptor = try Descriptor(parsing: text)
      #expect(throws: DescriptorError.noAddress) { try descriptor.address(at: 0, network: bitcoin) }
    }
  }

  @Test func `what is of another network is refused`() throws {
    let bitcoin = try #require(BitcoinNetwork.named("bitcoin"))
    let regtest = try #require(BitcoinNetwork.named("litecoin-regtest"))
    let main = try ExtendedPublicKey(parsing: BIP380Vectors.topKey)
    let descriptor = try Descriptor(parsing: "wpkh(\(main.text)/*)")
    #expect(throws: DescriptorError.otherNetwork) { try descriptor.address(at: 0, network: regtest) }
    let test = try Descriptor(parsing: "wpkh(\(main.text(as: .test))/*)")
    #expect(throws: DescriptorError.otherNetwork) { try test.address(at: 0, network: bitcoin) }
    #expect(try test.scriptPubKey(at: 3) == descriptor.scriptPubKey(at: 3))
    let address = try Descriptor(parsing: "addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)")
    #expect(throws: DescriptorError.otherNetwork) { try address.address(at: 0, network: regtest) }
    #expect(throws: DescriptorError.otherNetwork) {
      try Descriptor(parsing: "wsh(multi(1,\(main.text),\(main.text(as: .test))))")
    }
  }
}
