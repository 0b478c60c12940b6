internal import FoundationEssentials
package import FuekiWallet

/// An account's state on a node some blocks ago, as in an archive of that time.
package struct AccountSnapshot: Sendable {
  /// The node's chain.
  package let chainID: String
  /// The hash of its first block.
  package let genesis: String
  /// The account.
  package let address: String
  /// The block of the state.
  package let point: Checkpoint
  /// The balance in the chain's smallest unit.
  package let balance: String
  /// The number of transactions sent.
  package let nonce: UInt64
  /// The chain's newest block.
  package let height: UInt64

  /// Queries the node's first own account, or another account if it has none.
  ///
  /// - Parameters:
  ///   - connection: the connection to the node.
  ///   - blocks: the age in blocks; a pruned node returns the current state.
  ///   - other: the account to query on a node without accounts.
  /// - Returns: the account's past state.
  /// - Throws: errors of the request.
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
