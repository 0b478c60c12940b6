internal import FuekiWallet

/// The logs of token transfers, asked for by ranges of blocks that the node is willing to look through.
struct TransferSearch: Sendable {
  let node: EVMNode
  let accounts: EVMAccounts

  /// The most requests for one direction, so that no node can keep a resync busy for ever.
  static let requestLimit = 4000
  /// The most transfers, so that no node can fill the memory either: more than any person's account has.
  static let transferLimit = 1_000_000

  /// Every transfer from or to the accounts, each once, in the order of the chain.
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
        // One that was small enough may have been smaller than needed.
        width = min(width * 2, heights.upperBound - heights.lowerBound + 1)
      } catch {
        guard RetryRule(error) == .smaller, end > start else { throw error }
        width = (end - start + 1) / 2
      }
    }
  }

  /// - Throws: ``SyncError/malformed(what:)`` where there is one among them that was not asked for: then those that
  ///   were may be missing as well.
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
      else { throw .malformed(what: "a log that was not asked for") }
      transfers.append(transfer)
    }
    return transfers
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
