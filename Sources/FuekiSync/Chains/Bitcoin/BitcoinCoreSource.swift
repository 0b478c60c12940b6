internal import FuekiWallet

/// A node of Bitcoin Core, or of a fork such as Litecoin's, of which the person has the password.
///
/// It has no history of addresses, but keeps one for what a wallet of its own watches: so it is given one, without
/// keys and with a name of ours; wallets that are there already are left alone.
public struct BitcoinCoreSource: ChainSource {
  private let node: CoreNode
  private let pace: Pace
  /// How often a node is asked how far it is with reading the chain, a second apart.
  private let patience: Int

  /// The node at a URL.
  ///
  /// - Parameters:
  ///   - client: what asks.
  ///   - url: the node's, without the path of any wallet.
  ///   - credential: its user and password.
  ///   - pace: the time to wait by.
  ///   - patience: how many seconds to wait while the node reads the chain for a wallet that is new to it.
  public init(
    _ client: ServerClient, url: String, credential: EndpointCredential? = nil, pace: Pace = .system,
    patience: Int = 600
  ) {
    node = CoreNode(client, url: url, credential: credential)
    self.pace = pace
    self.patience = patience
  }

  /// Everything that the node's wallet for these scripts has.
  public func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    let scripts = try WatchedScripts(query.wallet)
    try GenesisBlock.check(query.wallet, found: await node.blockHash(at: 0))
    let wallet = CoreWallet(node, scripts: scripts)
    let isOurs = try await wallet.open()
    var scan = CoreScan(node: node, wallet: wallet, scripts: scripts, query: query)
    do throws(SyncError) {
      let findings = try await findings(&scan)
      if isOurs, !scan.isReading { await wallet.close() }
      return findings
    } catch {
      if isOurs { await wallet.close() }
      throw error
    }
  }

  private func findings(_ scan: inout CoreScan) async throws(SyncError) -> WalletFindings {
    // Each round, what was found may call for more indices.
    while try await scan.watchMore() {
      var waited = 0
      while case .reading(let part) = try await scan.wallet.progress() {
        guard waited < patience else { return try await scan.unfinished(part) }
        waited += 1
        do { try await pace.sleep(1) } catch { throw .cancelled }
      }
      try await scan.list()
    }
    return try await scan.findings()
  }
}
