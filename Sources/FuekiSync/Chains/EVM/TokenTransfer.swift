internal import FoundationEssentials
internal import FuekiWallet

/// A token transfer, from a log.
struct TokenTransfer: Sendable {
  /// Keccak-256 of "Transfer(address,address,uint256)".
  static let topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

  var hash: String
  var height: UInt64
  var logIndex: UInt64
  var contract: EVMAddress
  var from: EVMAddress
  var to: EVMAddress
  var amount: EVMNumber
  /// The id of a non-fungible token.
  var tokenID: EVMNumber?

  /// Parses a log; nil for another kind of log, or one removed by a reorganisation.
  init?(_ log: JSONValue) throws(SyncError) {
    if log.member("removed")?.boolean == true { return nil }
    let topics = (log.member("topics")?.children).map(Array.init) ?? []
    guard 3...4 ~= topics.count, topics[0].string == Self.topic,
      let from = try Self.address(topics[1]), let to = try Self.address(topics[2])
    else { return nil }
    self.from = from
    self.to = to
    guard let contract = EVMAddress(bytes: try log.required("address").hexBytes("a log's address")) else {
      throw .malformed(what: "a log's address")
    }
    self.contract = contract
    let data = try log.required("data").hexBytes("a log's data")
    if topics.count == 4 {
      let token = try topics[3].hexBytes("a log's topic")
      guard token.count == 32 else { return nil }
      tokenID = EVMNumber(bytes: token)
      amount = EVMNumber(1)
    } else {
      guard data.count == 32 else { return nil }
      amount = EVMNumber(bytes: data)
    }
    hash = try log.required("transactionHash").hash("a log's transaction")
    height = try log.required("blockNumber").height("a log's block")
    logIndex = try log.required("logIndex").count("a log's index")
  }

  private static func address(_ topic: JSONValue) throws(SyncError) -> EVMAddress? {
    let bytes = try topic.hexBytes("a log's topic")
    guard bytes.count == 32, bytes.prefix(12).allSatisfy({ $0 == 0 }) else { return nil }
    return EVMAddress(bytes: Array(bytes.suffix(20)))
  }
}
