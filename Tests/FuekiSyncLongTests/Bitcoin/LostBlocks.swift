import FuekiSync
import FuekiWallet
import Testing

/// A reorganisation in which three blocks with a person's payments are replaced by four others.
///
/// Afterwards one payment is in another block, one is unconfirmed, and a reward is gone.
struct LostBlocks {
  private let node: LitecoinNode
  private let forkHeight: Int
  private let moved: String
  private let waiting: String

  /// The height from which a resync that knows the replaced blocks starts.
  var start: UInt64 { UInt64(forkHeight - 3) }

  /// Makes the payments.
  init(on node: LitecoinNode, of person: TestPerson) async throws {
    self.node = node
    _ = try await node.pay(person.address(0), "2.0")
    try await node.mine(1)
    forkHeight = try await node.height + 1
    moved = try await node.pay(person.address(1), "0.11")
    try await node.mine(1)
    // Spends a coin that the other chain has too.
    waiting = try await person.pay(node.miner, "0.22", change: 0)
    try await node.mine(1)
    try await node.mine(1, to: person.address(3))
  }

  /// Replaces the blocks, and returns the records that a wallet queries again.
  func lose(_ before: WalletFindings) async throws -> [Transaction] {
    #expect(before.transactions.count == 4)
    #expect(before.transactions.allSatisfy { $0.transaction.transactionStatus == .confirmed })
    try await node.call("invalidateblock", [.string(try await node.blockHash(at: forkHeight))])
    for transactions in [[], [], [moved], []] { try await node.mineBlock(with: transactions) }
    return before.transactions.map(\.transaction).filter { $0.blockNumber >= start }
  }

  /// Expects the findings to report the changes, and otherwise to equal the person's history.
  func expectLoss(
    of before: WalletFindings, in after: WalletFindings, of person: TestPerson
  ) async throws {
    let reward = try #require(before.transactions.last?.transaction)
    var states: [String: Transaction] = [:]
    for found in after.transactions.map(\.transaction) { states[PackedText.text(found.hash) ?? ""] = found }
    #expect(states.count == 4)
    #expect(states[moved]?.status == "confirmed" && states[moved]?.blockNumber == UInt64(forkHeight + 2))
    #expect(states[waiting]?.status == "pending" && states[waiting]?.hasBlockNumber == false)
    let gone = try #require(PackedText.text(reward.hash).flatMap { states[$0] })
    #expect(gone.status == "dropped" && !gone.hasBlockNumber && gone.amount == reward.amount)
    #expect(after.warnings.isEmpty)
    let history = try await person.history()
    #expect(after.balance == Amount.sum(history.values.compactMap { Amount($0.net) }).canonicalText)
    #expect(try person.history(after) == history)
  }
}
