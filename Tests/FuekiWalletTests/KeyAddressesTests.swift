import FuekiCrypto
import FuekiWallet
import Testing

struct KeyAddressesTests {
  /// The generator point, which is the example of BIP-173.
  private static let generator: [UInt8] =
    Hex.decode("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798") ?? []

  @Test func `the addresses of BIP-173's key`() throws {
    let addresses = try KeyAddresses(of: Self.generator, on: .secp256k1)
    let bitcoin = try #require(BitcoinNetwork.named("bitcoin"))
    let testnet = try #require(BitcoinNetwork.named("testnet"))
    #expect(
      addresses.bitcoin(on: bitcoin) == [
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
      ])
    #expect(addresses.bitcoin(on: testnet).first == "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx")
    #expect(addresses.evm?.description == "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    #expect(addresses.solana == nil)
  }

  @Test(arguments: [
    ("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf", "evm", "1", true),
    ("0x7e5f4552091a69125d5dfcb7b8c2659029395bdf", "evm", "137", true),
    ("0x7e5f4552091a69125d5dfcb7b8c2659029395bde", "evm", "1", false),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bitcoin", "mainnet", true),
    ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bitcoin", "bitcoin", true),
    ("1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH", "bitcoin", "bitcoin", true),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bitcoin", "testnet", false),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bitcoin", "unknown", false),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "evm", "1", false), ("", "solana", "mainnet", false),
  ])
  func `a wallet's address is recognised`(_ address: String, _ family: String, _ chain: String, _ isOne: Bool)
    throws
  {
    let addresses = try KeyAddresses(of: Self.generator, on: .secp256k1)
    #expect(addresses.contains(address, family: ChainFamily(family), chainID: chain) == isOne)
  }

  @Test func `a key of Ed25519 is its own address`() throws {
    let key = try #require(Hex.decode("5866666666666666666666666666666666666666666666666666666666666666"))
    let addresses = try KeyAddresses(of: key, on: .ed25519)
    #expect(try Base58.decode(addresses.solana ?? "") == key)
    #expect(addresses.evm == nil)
    #expect(addresses.contains(addresses.solana ?? "", family: .other("solana"), chainID: "mainnet"))
  }

  @Test func `what is no key has no addresses`() {
    #expect(throws: CryptoError.invalidPoint) { try KeyAddresses(of: Self.generator, on: .p256) }
    #expect(throws: CryptoError.invalidPoint) { try KeyAddresses(of: [], on: .secp256k1) }
  }
}
