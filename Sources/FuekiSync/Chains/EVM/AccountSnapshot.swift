internal import FoundationEssentials
package import FuekiWallet

/// An account as an Ethereum node had it some blocks ago: what an archive of that time would hold of it.
package struct AccountSnapshot: Sendable {
  /// The node's chain.
  package let chainID: String
  /// The hash of its first block.
  package let genesis: String
  /// The account.
  package let address: String
  /// When it was so.
  package let point: Checkpoint
  /// In the chain's smallest unit.
  package let balance: String
  /// How many transactions it had sent.
  package let nonce: UInt64
  /// The chain's newest block.
  package let height: UInt64

  /// Asks a node for the first account whose key it has, or where it has none for another one.
  ///
  /// - Parameters:
  ///   - connection: the way to the node.
  ///   - blocks: how long ago; a node that has forgotten that state says how it is now.
  ///   - other: the account that is asked about at a node without any.
  /// - Returns: the account as it was.
  /// - Throws: what asking throws.
  package static func taken(
    _ connection: Connection, before blocks: UInt64, otherwise other: EVMAddress
  ) async throws(SyncError) -> AccountSnapshot {
    let node = EVMNode(rpc: connection.rpc)
    let chainID = try await node.chainID()
    let head = try await node.head()
    let accounts = try? await node.rpc.call("eth_accounts")
    let own = accounts.map { Array($0.children) }?.first?.string
    let address = own.flatMap { try? EVMAddress($0) } ?? other
    var wallet = Wallet()
    wallet.address = address.packed
    let asked = try EVMAccounts(wallet)
    var header = try await node.header(at: head.height - min(blocks, head.height)) ?? head
    var state: EVMNode.AccountState?
    do throws(SyncError) {
      state = try await node.states(of: asked, at: header.height).first
    } catch {
      guard case .server = error else { throw error }
      header = head
      state = try await node.states(of: asked, at: head.height).first
    }
    return AccountSnapshot(
      chainID: chainID, genesis: try await node.header(at: 0)?.hash ?? "", address: "\(address)",
      point: header.checkpoint, balance: state?.balance.text ?? "0", nonce: state?.nonce.uint64 ?? 0,
      height: head.height)
  }
}
