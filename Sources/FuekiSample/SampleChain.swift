internal import FoundationEssentials
internal import FuekiWallet

/// The three chains of the sample's wallets.
enum SampleChain: Int, CaseIterable, Sendable {
  case ethereum
  case bitcoin
  case litecoin

  var family: String { self == .ethereum ? "evm" : "bitcoin" }

  var chainID: String {
    switch self {
    case .ethereum: "1"
    case .bitcoin: "bitcoin"
    case .litecoin: "litecoin"
    }
  }

  var genesisHash: String {
    switch self {
    case .ethereum: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"
    case .bitcoin: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
    case .litecoin: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2"
    }
  }

  /// Returns the height at a time, close to the real chain's.
  func height(at time: Int64) -> UInt64 {
    switch self {
    case .ethereum: SampleTime.height(at: time, from: 7_870_000, every: 13)
    case .bitcoin: SampleTime.height(at: time, from: 578_700, every: 600)
    case .litecoin: SampleTime.height(at: time, from: 1_640_000, every: 150)
    }
  }

  /// Returns a random packed block or transaction hash in the chain's format.
  func hash(_ random: inout SampleRandom) -> Data {
    random.packed(form: (self == .ethereum ? PackedText.Form.prefixedHex : .bareHex).rawValue, 32)
  }

  func checkpoint(at time: Int64, _ random: inout SampleRandom) -> Checkpoint {
    var checkpoint = Checkpoint()
    checkpoint.height = height(at: time)
    checkpoint.hash = hash(&random)
    checkpoint.time = time
    return checkpoint
  }

  /// Returns a random packed address that is valid on the chain.
  func address(_ random: inout SampleRandom) -> Data {
    let program = random.bytes(20)
    switch self {
    case .ethereum: return PackedText.pack(EVMAddress(bytes: program)?.description ?? "")
    case .bitcoin, .litecoin:
      let part = self == .bitcoin ? "bc" : "ltc"
      return PackedText.pack(SegwitAddress(readablePart: part, version: 0, program: program)?.text ?? "")
    }
  }
}
