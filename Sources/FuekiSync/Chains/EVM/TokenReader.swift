internal import FoundationEssentials
internal import FuekiWallet

/// Reads tokens' descriptions and the accounts' balances of them.
struct TokenReader: Sendable {
  let node: EVMNode
  let accounts: EVMAccounts
  let height: UInt64

  /// Returns the known tokens and those with transfers, with their balances.
  ///
  /// A contract that does not answer keeps its known values, so that it does not stop the others. The same
  /// applies if the node failed, but these are counted.
  func assets(
    known: [Asset], seen: [TokenTransfer]
  ) async throws(SyncError) -> (found: [Asset], failureCount: Int) {
    var assets: [Asset] = []
    var failureCount = 0
    var contracts: Set<EVMAddress> = []
    for asset in known where asset.assetKind == .erc20 {
      guard let contract = PackedText.text(asset.contract).flatMap({ try? EVMAddress($0) }),
        contracts.insert(contract).inserted
      else { continue }
      guard let balance = try await balance(of: contract, &failureCount) else { continue }
      var asset = asset
      asset.balance = balance
      assets.append(asset)
    }
    for transfer in seen where transfer.tokenID == nil && contracts.insert(transfer.contract).inserted {
      guard let balance = try await balance(of: transfer.contract, &failureCount) else { continue }
      var asset = Asset()
      asset.kind = AssetKind.erc20.rawValue
      asset.contract = transfer.contract.packed
      asset.balance = balance
      asset.firstSeenBlock = transfer.height
      try await describe(&asset, transfer.contract)
      assets.append(asset)
    }
    return (assets, failureCount)
  }

  private func balance(
    of contract: EVMAddress, _ failureCount: inout Int
  ) async throws(SyncError) -> String? {
    var balances: [Amount] = []
    for account in accounts.addresses {
      let word = EVMBytes.word(account).dropFirst(2)
      let answer: [UInt8]?
      do throws(SyncError) {
        answer = try await call(contract, "0x70a08231\(word)")
      } catch {
        guard Self.isAnswer(error) else { throw error }
        if Self.isFailure(error) { failureCount += 1 }
        return nil
      }
      guard let answer, answer.count == 32, let amount = Amount(EVMNumber(bytes: answer).text) else {
        return nil
      }
      balances.append(amount)
    }
    return Amount.sum(balances).canonicalText
  }

  private func describe(_ asset: inout Asset, _ contract: EVMAddress) async throws(SyncError) {
    if let digits = try await answer(of: contract, "0x313ce567"), digits.count == 32,
      let decimals = EVMNumber(bytes: digits).uint64, decimals <= 255
    {
      asset.decimals = UInt32(decimals)
    }
    asset.symbol = Self.text(try await answer(of: contract, "0x95d89b41") ?? [], limit: 32)
    asset.name = Self.text(try await answer(of: contract, "0x06fdde03") ?? [], limit: 64)
  }

  /// Returns a contract's answer; nil if the contract, or the node for it, refuses.
  private func answer(of contract: EVMAddress, _ data: String) async throws(SyncError) -> [UInt8]? {
    do throws(SyncError) {
      return try await call(contract, data)
    } catch {
      guard Self.isAnswer(error) else { throw error }
      return nil
    }
  }

  private func call(_ contract: EVMAddress, _ data: String) async throws(SyncError) -> [UInt8] {
    let call: JSONArgument = ["to": .string(EVMBytes.hex(contract.bytes)), "data": .string(data)]
    return try await node.rpc.call("eth_call", [call, .string(EVMBytes.hex(height))])
      .hexBytes("a contract's answer")
  }

  /// Whether an error concerns this contract alone.
  private static func isAnswer(_ error: SyncError) -> Bool {
    switch error {
    case .server, .malformed, .notJSON: true
    default: false
    }
  }

  /// Whether the node failed.
  ///
  /// Contracts refuse in their own words, mostly by reverting.
  private static func isFailure(_ error: SyncError) -> Bool {
    guard case .server(let code, let message) = error else { return false }
    let words = message.lowercased()
    guard code != 3, !words.contains("revert") else { return false }
    let failures = ["timeout", "timed out", "missing trie node", "header not found", "unavailable"]
    return code == -32603 || failures.contains(where: words.contains)
  }

  /// Decodes a text in either form: with a length prefix, or in one word.
  static func text(_ answer: [UInt8], limit: Int) -> String {
    var bytes = answer[...]
    if answer.count >= 64, let count = EVMNumber(bytes: answer[32..<64]).uint64, count <= answer.count - 64 {
      bytes = answer[64..<64 + Int(count)]
    }
    return printable(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self), limit: limit)
  }

  /// Returns a text without control characters: the token's issuer chose it.
  static func printable(_ text: String, limit: Int) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.properties.generalCategory.isWritten }.prefix(limit)))
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isWritten: Bool {
    switch self {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

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
