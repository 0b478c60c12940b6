internal import FuekiWallet

/// The logs of token transfers, asked for by ranges of blocks that the node is willing to look through.
struct TransferSearch: Sendable {
  let node: EVMNode
  let accounts: EVMAccounts

  /// The most requests for one direction, so that no node can keep a resync busy for ever.
  static let requestLimit = 4000

  /// Every transfer from or to the accounts, each once, in the order of the chain.
  func transfers(in heights: ClosedRange<UInt64>) async throws(SyncError) -> [TokenTransfer] {
    let words = JSONArgument.array(accounts.addresses.map { .string(EVMBytes.word($0)) })
    let topic = JSONArgument.string(TokenTransfer.topic)
    var found: [String: TokenTransfer] = [:]
    for topics in [[topic, words], [topic, .null, words]] as [[JSONArgument]] {
      for log in try await logs(topics, in: heights) {
        guard let transfer = try TokenTransfer(log) else { continue }
        found["\(transfer.hash)/\(transfer.logIndex)"] = transfer
      }
    }
    return found.values.sorted { ($0.height, $0.logIndex) < ($1.height, $1.logIndex) }
  }

  private func logs(
    _ topics: [JSONArgument], in heights: ClosedRange<UInt64>
  ) async throws(SyncError) -> [JSONValue] {
    var logs: [JSONValue] = []
    var start = heights.lowerBound
    var width = heights.upperBound - start + 1
    var requests = 0
    while start <= heights.upperBound {
      let end = min(heights.upperBound, start + (width - 1))
      requests += 1
      guard requests <= Self.requestLimit else { throw .tooMuch(what: "\(heights.count) blocks of logs") }
      do throws(SyncError) {
        let answer = try await rpc(topics, start, end)
        logs += Array(answer.children)
        start = end + 1
        // One that was small enough may have been smaller than needed.
        width = min(width * 2, heights.upperBound - heights.lowerBound + 1)
      } catch {
        guard RetryRule(error) == .smaller, end > start else { throw error }
        width = (end - start + 1) / 2
      }
    }
    return logs
  }

  private func rpc(
    _ topics: [JSONArgument], _ start: UInt64, _ end: UInt64
  ) async throws(SyncError) -> JSONValue {
    try await node.rpc.call(
      "eth_getLogs",
      [
        [
          "fromBlock": .string(EVMBytes.hex(start)), "toBlock": .string(EVMBytes.hex(end)),
          "topics": .array(topics),
        ]
      ], judge: Self.judge)
  }

  /// Nodes say in many ways that a range is too large; only a limit on requests is worth another try of the same.
  private static func judge(_ error: SyncError) -> SyncError {
    guard case .server(let code, let message) = error else { return error }
    let words = message.lowercased()
    if ["rate", "per second", "too many requests"].contains(where: words.contains) { return .rateLimited }
    switch code {
    case -32005, -32012, -32602, -32000, -32600: return .tooMuch(what: "the range of blocks")
    default: return error
    }
  }
}
