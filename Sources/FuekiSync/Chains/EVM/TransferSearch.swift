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

/// Finds the accounts' own transactions, which a node does not list.
///
/// If neither an account's nonce nor its balance changed between two blocks, it sent and received nothing in
/// them. Bisection therefore finds the blocks with activity, at a cost that grows with the activity rather
/// than the chain. On a pruned node, blocks are read one by one, up to a bound.
struct BlockSearch: Sendable {
  let node: EVMNode
  let accounts: EVMAccounts
  /// The limit of blocks to read.
  let bound: UInt64

  /// The transactions found, and the height up to which the search is complete.
  struct Outcome: Sendable {
    /// Their hashes.
    var transactions: [String] = []
    var reached: UInt64
    var partial: FindingsGap?

    /// Adds the accounts' transactions in some blocks.
    ///
    /// If a block is missing, the search is complete only below it.
    fileprivate mutating func take(_ own: (hashes: [String], missing: UInt64?)) {
      transactions += own.hashes
      guard let missing = own.missing, missing <= reached else { return }
      reached = missing == 0 ? 0 : missing - 1
      partial = .missingBlock(missing)
    }
  }

  /// The number of blocks per request.
  private static let stride: UInt64 = 8

  func search(_ heights: ClosedRange<UInt64>) async throws(SyncError) -> Outcome {
    do throws(SyncError) {
      return try await halve(heights)
    } catch {
      // The node answers for the present but not for this past state.
      guard case .server = error else { throw error }
      return try await walk(heights)
    }
  }

  private func halve(_ heights: ClosedRange<UInt64>) async throws(SyncError) -> Outcome {
    typealias Span = (
      first: UInt64, before: [EVMNode.AccountState], last: UInt64, after: [EVMNode.AccountState]
    )
    let none = accounts.addresses.map { _ in EVMNode.AccountState() }
    let first = heights.lowerBound
    let before = first == 0 ? none : try await node.states(of: accounts, at: first - 1)
    let after = try await node.states(of: accounts, at: heights.upperBound)
    var spans: [Span] = [(first, before, heights.upperBound, after)]
    var outcome = Outcome(reached: heights.upperBound)
    var looked: UInt64 = 0
    while let span = spans.popLast() {
      if span.before == span.after { continue }
      let count = span.last - span.first + 1
      guard count > Self.stride else {
        guard looked + count <= bound else {
          if outcome.partial != nil { return outcome }
          outcome.reached = span.first == 0 ? 0 : span.first - 1
          outcome.partial = .looked(blocks: looked, reached: outcome.reached, of: heights.upperBound)
          return outcome
        }
        looked += count
        outcome.take(try await own(span.first...span.last))
        continue
      }
      let middle = span.first + count / 2 - 1
      let state = try await node.states(of: accounts, at: middle)
      // The lower half comes next, so that the search is complete below the last block read.
      spans.append((middle + 1, state, span.last, span.after))
      spans.append((span.first, span.before, middle, state))
    }
    return outcome
  }

  private func walk(_ heights: ClosedRange<UInt64>) async throws(SyncError) -> Outcome {
    let end = min(heights.upperBound, heights.lowerBound + (bound - 1))
    var outcome = Outcome(reached: end)
    var height = heights.lowerBound
    while height <= end {
      let last = min(end, height + (Self.stride - 1))
      outcome.take(try await own(height...last))
      height = last + 1
    }
    if end < heights.upperBound, outcome.partial == nil {
      outcome.partial = .walked(
        blocks: end - heights.lowerBound + 1, of: heights.upperBound - heights.lowerBound + 1)
    }
    return outcome
  }

  /// Returns the accounts' transactions in some blocks.
  ///
  /// Only hashes are kept, because a block's other transactions would fill the memory.
  private func own(
    _ heights: ClosedRange<UInt64>
  ) async throws(SyncError) -> (hashes: [String], missing: UInt64?) {
    var hashes: [String] = []
    let blocks = try await node.transactions(in: heights)
    for transaction in blocks.found
    where accounts.contains(EVMAddress(transaction.member("from")))
      || accounts.contains(EVMAddress(transaction.member("to")))
    {
      hashes.append(try transaction.required("hash").hash("a transaction's hash"))
    }
    return (hashes, blocks.missing)
  }
}
