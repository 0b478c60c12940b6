internal import FoundationEssentials
internal import FuekiWallet

/// The methods of an Ethereum node that a resync needs, with parsed answers.
struct EVMNode: Sendable {
  let rpc: JSONRPC

  /// A block header.
  struct Header: Sendable {
    let height: UInt64
    let hash: String
    /// Microseconds since 1970.
    let time: Int64

    init(_ block: JSONValue) throws(SyncError) {
      height = try block.required("number").height("a block's number")
      hash = try block.required("hash").hash("a block's hash")
      time = Int64(clamping: try block.required("timestamp").height("a block's time")) * 1_000_000
    }

    var checkpoint: Checkpoint {
      var checkpoint = Checkpoint()
      checkpoint.height = height
      checkpoint.hash = PackedText.pack(hash)
      checkpoint.time = time
      return checkpoint
    }
  }

  func chainID() async throws(SyncError) -> String {
    try await rpc.call("eth_chainId").quantity("a chain id").text
  }

  /// Returns the newest block.
  func head() async throws(SyncError) -> Header {
    try Header(try await rpc.call("eth_getBlockByNumber", ["latest", false]))
  }

  /// Returns the block at a height; nil if the node does not have it.
  func header(at height: UInt64) async throws(SyncError) -> Header? {
    let block = try await rpc.call("eth_getBlockByNumber", [.string(EVMBytes.hex(height)), false])
    guard block.kind == .object else { return nil }
    let header = try Header(block)
    guard header.height == height else { throw .malformed(what: "a block that was not requested") }
    return header
  }

  /// Returns the times of blocks, in microseconds since 1970, by height.
  func times(at heights: Set<UInt64>) async throws(SyncError) -> [UInt64: Int64] {
    let calls = heights.sorted().map {
      JSONRPC.Call("eth_getBlockByNumber", [.string(EVMBytes.hex($0)), false])
    }
    var times: [UInt64: Int64] = [:]
    for block in try await results(of: calls) where block.kind == .object {
      let header = try Header(block)
      times[header.height] = header.time
    }
    return times
  }

  /// Returns the transactions of some blocks, and the first of these blocks that the node does not have.
  func transactions(
    in heights: ClosedRange<UInt64>
  ) async throws(SyncError) -> (found: [JSONValue], missing: UInt64?) {
    let calls = heights.map { JSONRPC.Call("eth_getBlockByNumber", [.string(EVMBytes.hex($0)), true]) }
    var transactions: [JSONValue] = []
    var missing: UInt64?
    for (height, block) in zip(heights, try await results(of: calls, width: 8)) {
      guard block.kind == .object else {
        missing = missing ?? height
        continue
      }
      transactions += try Array(block.required("transactions").children)
    }
    return (transactions, missing)
  }

  /// Returns transactions by hash, with receipts, except those unknown to the node.
  func transactions(_ hashes: [String]) async throws(SyncError) -> [String: EVMTransaction] {
    let answers = try await results(
      of: hashes.flatMap {
        [
          JSONRPC.Call("eth_getTransactionByHash", [.string($0)]),
          JSONRPC.Call("eth_getTransactionReceipt", [.string($0)]),
        ]
      })
    var found: [String: EVMTransaction] = [:]
    for (index, hash) in hashes.enumerated() where answers[2 * index].kind == .object {
      let transaction = try EVMTransaction(answers[2 * index], receipt: answers[2 * index + 1])
      guard transaction.hash == hash.lowercased() else {
        throw .malformed(what: "a transaction that was not requested")
      }
      found[hash] = transaction
    }
    return found
  }

  /// An account's state at the end of a block.
  struct AccountState: Hashable, Sendable {
    var nonce = EVMNumber(0)
    var balance = EVMNumber(0)
  }

  func states(of accounts: EVMAccounts, at height: UInt64) async throws(SyncError) -> [AccountState] {
    let tag = JSONArgument.string(EVMBytes.hex(height))
    let answers = try await results(
      of: accounts.addresses.flatMap { address in
        ["eth_getTransactionCount", "eth_getBalance"].map {
          JSONRPC.Call($0, [.string(EVMBytes.hex(address.bytes)), tag])
        }
      })
    var states: [AccountState] = []
    for index in accounts.addresses.indices {
      states.append(
        AccountState(
          nonce: try answers[2 * index].quantity("a nonce"),
          balance: try answers[2 * index + 1].quantity("a balance")))
    }
    return states
  }

  /// Returns the results of several calls, batched as far as the server allows.
  func results(of calls: [JSONRPC.Call], width: Int = 40) async throws(SyncError) -> [JSONValue] {
    var results: [JSONValue] = []
    results.reserveCapacity(calls.count)
    var takesBatches = true
    for start in stride(from: 0, to: calls.count, by: width) {
      let part = Array(calls[start..<min(start + width, calls.count)])
      if takesBatches, part.count > 1 {
        do throws(SyncError) {
          results += try await rpc.batch(part)
          continue
        } catch {
          // Whatever error a batch causes, single calls show whether it concerns each of them.
          switch error {
          case .unsupported, .server, .malformed, .notJSON, .tooMuch, .refused: takesBatches = false
          default: throw error
          }
        }
      }
      for call in part { results.append(try await rpc.call(call.method, call.arguments)) }
    }
    return results
  }
}

/// A wallet's accounts on an EVM chain.
struct EVMAccounts: Sendable {
  /// The distinct addresses, starting with the wallet's own.
  let addresses: [EVMAddress]
  private let set: Set<EVMAddress>

  init(_ wallet: Wallet) throws(SyncError) {
    var addresses: [EVMAddress] = []
    for packed in [wallet.address] + wallet.accounts.map(\.address) {
      guard let address = PackedText.text(packed).flatMap({ try? EVMAddress($0) }),
        !addresses.contains(address)
      else { continue }
      addresses.append(address)
    }
    guard !addresses.isEmpty else { throw .nothingToAsk }
    self.addresses = addresses
    set = Set(addresses)
  }

  func contains(_ address: EVMAddress?) -> Bool { address.map(set.contains) ?? false }
}

/// Addresses in the format of records.
extension EVMAddress {
  var packed: Data { PackedText.pack(description) }

  init?(_ value: JSONValue?) {
    guard let bytes = (value?.string).flatMap(EVMBytes.decode) else { return nil }
    self.init(bytes: bytes)
  }
}
