internal import FoundationEssentials
internal import FuekiSync
internal import FuekiWallet

/// A node for the demonstration's last step, and the wallet to refresh from it.
struct DemoNode {
  /// The wallet's name.
  static let walletName = "Coins on the node"
  /// How old the archive is to be, in blocks: as far back as nodes that are not archives remember.
  private static let age: UInt64 = 100
  /// An account without an owner, for a node that has no accounts.
  private static let nobody = EVMAddress(bytes: [UInt8](repeating: 0, count: 18) + [0xF0, 0xEC])

  private let url: String
  private let snapshot: AccountSnapshot

  /// Identifies the node.
  ///
  /// No request uses its keys.
  ///
  /// - Throws: ``Failure`` if it does not answer like an Ethereum node.
  init(_ url: String) throws {
    self.url = url
    let attempt = try AsyncWork.run { () async -> Result<AccountSnapshot, SyncError> in
      guard let nobody = Self.nobody else { return .failure(.nothingToAsk) }
      do throws(SyncError) {
        let client = ServerClient(transport: CurlTransport(), tries: 2)
        return .success(
          try await .taken(Connection(client, url: url), before: Self.age, otherwise: nobody))
      } catch {
        return .failure(error)
      }
    }
    switch attempt {
    case .success(let snapshot): self.snapshot = snapshot
    case .failure(let error):
      throw Failure(
        .failed, "the node at \(HTTPRequest(.get, url).server): \(error.sentence)",
        meaning: "nothing was made", hint: "--node takes the URL of an Ethereum node's JSON-RPC")
    }
  }

  /// A description for display.
  var sentence: String {
    "chain \(snapshot.chainID), block \(snapshot.height). Asked about \(snapshot.address)\n"
      + "which had \(snapshot.balance) at block \(snapshot.point.height)"
  }

  /// The wallet as an archive of some time ago would have it.
  var wallet: Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("F0EC1DE0-0000-4000-8000-00000000D300")
    wallet.name = Self.walletName
    wallet.kind = WalletKind.watchOnly.rawValue
    wallet.chainFamily = "evm"
    wallet.chainID = snapshot.chainID
    wallet.genesisHash = PackedText.pack(snapshot.genesis)
    wallet.address = PackedText.pack(snapshot.address)
    wallet.balance = snapshot.balance
    wallet.nonce = snapshot.nonce
    wallet.birthday = snapshot.point
    wallet.lastSynced = snapshot.point
    var endpoint = Endpoint()
    endpoint.kind = "ethereum-rpc"
    endpoint.url = url
    wallet.endpoints = [endpoint]
    return wallet
  }
}
