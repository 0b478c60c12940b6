internal import FuekiWallet

/// Searches the logs of token transfers in ranges of blocks that the node accepts.
struct TransferSearch: Sendable {
  let node: EVMNode
  let accounts: EVMAccounts

  /// The limit of requests per direction, so that a node cannot stall a resync.
  static let requestLimit = 4000
  /// The limit of transfers, above any personal account, so that a node cannot exhaust memory.
  static let transferLimit = 1_000_000

  /// Returns every transfer from or to the accounts once, in chain order.
  func transfers(in heights: ClosedRange<UInt64>) async throws(SyncError) -> [TokenTransfer] {
    let words = JSONArgument.array(accounts.addresses.map { .string(EVMBytes.word($0)) })
    let topic = JSONArgument.string(TokenTransfer.topic)
    var found: [String: TokenTransfer] = [:]
    for topics in [[topic, words], [topic, .null, words]] as [[JSONArgument]] {
      try await search(topics, in: heights) { (transfer) throws(SyncError) in
        found["\(transfer.hash)/\(transfer.logIndex)"] = transfer
        guard found.count <= Self.transferLimit else {
          throw .malformed(what: "more than \(Self.transferLimit) transfers")
        }
      }
    }
    return found.values.sorted { ($0.height, $0.logIndex) < ($1.height, $1.logIndex) }
  }

  private func search(
    _ topics: [JSONArgument], in heights: ClosedRange<UInt64>,
    found: (TokenTransfer) throws(SyncError) -> Void
  ) async throws(SyncError) {
    var start = heights.lowerBound
    var width = heights.upperBound - start + 1
    var requests = 0
    while start <= heights.upperBound {
      let end = min(heights.upperBound, start + (width - 1))
      requests += 1
      guard requests <= Self.requestLimit else { throw .tooMuch(what: "so many blocks of logs") }
      do throws(SyncError) {
        for transfer in try await transfers(topics, start...end) { try found(transfer) }
        start = end + 1
        // The accepted range may be smaller than necessary.
        width = min(width * 2, heights.upperBound - heights.lowerBound + 1)
      } catch {
        guard RetryRule(error) == .smaller, end > start else { throw error }
        width = (end - start + 1) / 2
      }
    }
  }

  /// - Throws: ``SyncError/malformed(what:)`` if an unrequested log is returned, because requested ones may
  ///   then be missing too.
  private func transfers(
    _ topics: [JSONArgument], _ heights: ClosedRange<UInt64>
  ) async throws(SyncError) -> [TokenTransfer] {
    let answer = try await node.rpc.call(
      "eth_getLogs",
      [
        [
          "fromBlock": .string(EVMBytes.hex(heights.lowerBound)),
          "toBlock": .string(EVMBytes.hex(heights.upperBound)), "topics": .array(topics),
        ]
      ], judge: Self.judge)
    guard answer.kind == .array else { throw .malformed(what: "no list of logs") }
    var transfers: [TokenTransfer] = []
    for log in answer.children {
      guard let transfer = try TokenTransfer(log) else { continue }
      guard accounts.contains(transfer.from) || accounts.contains(transfer.to),
        heights.contains(transfer.height)
      else { throw .malformed(what: "a log that was not requested") }
      transfers.append(transfer)
    }
    return transfers
  }

  /// Nodes describe a range that is too large in many ways.
  ///
  /// Only a rate limit justifies the same request again.
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
