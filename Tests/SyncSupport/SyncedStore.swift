package import FoundationEssentials
import FuekiBackup
package import FuekiStore
package import FuekiSync
package import FuekiWallet
package import TestSupport

/// A store in a temporary directory, for resyncs.
package final class SyncedStore {
  package let directory: TemporaryDirectory
  package let store: WalletStore

  package init() throws {
    let directory = try TemporaryDirectory()
    store = try WalletStore.create(directory.path("data"))
    self.directory = directory
  }

  package var ledger: StoreLedger { StoreLedger(store) }

  /// Adds a wallet on an Ethereum chain.
  @discardableResult
  package func addWallet(
    _ name: String = "Main", address: String, chain: UInt64 = 1337, urls: [String],
    kind: String = "ethereum-rpc"
  ) throws -> Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("wallet-\(name)")
    wallet.name = name
    wallet.kind = "hot"
    wallet.chainFamily = "evm"
    wallet.chainID = String(chain)
    wallet.address = PackedText.pack(address)
    for (place, url) in urls.enumerated() {
      var endpoint = Endpoint()
      endpoint.kind = kind
      endpoint.url = url
      endpoint.priority = Int32(place)
      wallet.endpoints.append(endpoint)
    }
    try store.wallets.load([wallet])
    return wallet
  }

  package func sync(
    policy: CachePolicy = .networkFirst, start: SyncStart = .lastSynced, tries: Int = 3,
    transport: any Transport = CurlTransport(), now: @escaping @Sendable () -> Double = Pace.system.now
  ) -> ChainSync {
    var settings = ChainSync.Settings()
    settings.policy = policy
    settings.start = start
    // The tests are about servers' answers. The wallets name only servers of the tests, so all consents are
    // given.
    settings.consent = .all
    // Waiting takes no time, and is over on the client's clock.
    let waited = Journal<Double>()
    let pace = Pace(
      now: { waited.entries.reduce(now(), +) },
      sleep: {
        try Task.checkCancellation()
        waited.note($0)
      }, chance: { 0 })
    return ChainSync(
      ledger, client: ServerClient(transport: transport, pace: pace, tries: tries), settings: settings,
      now: now)
  }

  package func wallet(_ id: Data) throws -> Wallet {
    guard let wallet = try store.wallets.find(RecordID(packed: id)) else {
      throw StoreError.noRecord(table: "wallets")
    }
    return wallet
  }

  package func transactions(_ id: Data) throws -> [Transaction] {
    try store.transactions.fetch(.of(wallet: RecordID(packed: id)))
  }

  /// Returns the hashes of a wallet's transactions of the native coin in a block.
  package func coinHashes(_ id: Data) throws -> Set<String> {
    Set(
      try transactions(id).filter { !$0.hasMetadata && $0.status != "dropped" }
        .compactMap { PackedText.text($0.hash) })
  }
}
