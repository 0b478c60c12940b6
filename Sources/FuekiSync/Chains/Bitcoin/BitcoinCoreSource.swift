internal import FuekiWallet

/// The user's own node of Bitcoin Core or a fork such as Litecoin's.
///
/// A node keeps no history of addresses except for its own wallets. It therefore gets a watch-only wallet
/// with a name of ours. Existing wallets are not touched.
public struct BitcoinCoreSource: ChainSource {
  private let node: CoreNode
  private let pace: Pace
  /// The limit of progress queries while the node scans the chain, one second apart.
  private let patience: Int

  /// Creates a source for the node at a URL.
  ///
  /// - Parameters:
  ///   - client: the client for requests.
  ///   - url: the node's URL, without a wallet's path.
  ///   - credential: the node's user and password.
  ///   - pace: the clock for waiting.
  ///   - patience: the limit in seconds for the node to scan the chain for a new wallet.
  public init(
    _ client: ServerClient, url: String, credential: EndpointCredential? = nil, pace: Pace = .system,
    patience: Int = 600
  ) {
    node = CoreNode(client, url: url, credential: credential)
    self.pace = pace
    self.patience = patience
  }

  /// Returns all data in the node's wallet for these scripts.
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
    // Each round may find uses that require more indices.
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
