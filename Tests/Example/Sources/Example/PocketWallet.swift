import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet

/// A wallet app keeps its records in the library's store, and restores the store on another machine.
enum PocketWallet {
  static func run(in folder: String, typed: [UInt8]) async throws {
    let (old, new, disk) = (folder + "/old", folder + "/new", Target(path: folder + "/disk", kind: .local))
    try FileManager.default.createDirectory(atPath: disk.path, withIntermediateDirectories: true)

    let words = try VaultPassphrase(utf8: typed.span)
    let vault = try await Vault.open(state: folder + "/state", program: "pocket 1.0", label: "pocket")
    let store = try WalletStore.create(old, vaultID: vault.id)
    try store.wallets.save(savings)
    try store.assets.save(ether)
    let wallets = try store.wallets.fetch()
    try await vault.backUp(to: [disk], opening: [.passphrase(words)]) { archive in
      for wallet in try store.wallets.fetch() {
        try archive.add(wallet)
        for asset in try store.assets.fetch(.of(wallet: wallet.recordID)) { try archive.add(asset) }
      }
    }
    try store.close()
    try FileManager.default.removeItem(atPath: old)

    let archive = try await Archive.newest(of: vault, in: [disk]).open(with: .passphrase(words))
    let builder = try StoreBuilder(dataDirectory: new, vaultID: vault.id)
    for try await wallet in archive.records(of: Wallet.self) { try builder.insert([wallet]) }
    for try await asset in archive.records(of: Asset.self) { try builder.insert([asset]) }
    let restored = try builder.finish()
    defer { try? restored.close() }
    guard try restored.wallets.fetch() == wallets,
      try restored.assets.fetch(.of(wallet: savings.recordID)) == [ether]
    else {
      throw ExampleError.storesDiffer
    }

    let source = PriceSource(
      asset: "ETH", currency: "EUR", url: "https://prices.example/{asset}", path: "{currency}")
    let ledger = StoreLedger(restored)
    let client = ServerClient(transport: PriceServer())
    let sync = ChainSync(ledger, client: client, prices: [source])
    guard let fresh = try await sync.resync().prices.first?.price,
      let kept = try ledger.price(of: "ETH", in: "EUR")?.price, kept == fresh
    else { throw ExampleError.noPrice }

    let cache = Cache(folder: folder + "/cache")
    let rates = ServerEndpoint<[String: Double]>.get("https://prices.example/ETH", kind: .price)
    let rate = try await cache.answer(rates, from: client)
    guard rate.origin == .network, try await cache.answer(rates, from: client).origin == .memory else {
      throw ExampleError.noPrice
    }
    print("example: the store with \(wallets.count) wallet is back, and keeps a price of \(kept) EUR")
  }

  private static let savings = {
    var wallet = Wallet()
    wallet.id = PackedText.pack("6f3f0f0e-6f0b-4d4e-9a53-0d7b3a1c2e11")
    (wallet.name, wallet.kind, wallet.chainFamily, wallet.chainID) = ("Savings", "hot", "evm", "1")
    wallet.address = PackedText.pack("0x52908400098527886E0F7030069857D2E4169EE7")
    return wallet
  }()

  private static let ether = {
    var asset = Asset()
    asset.id = PackedText.pack("2c1f7a52-8e0d-4a77-b1cf-3a2b9d5e4f60")
    (asset.walletID, asset.kind, asset.symbol) = (savings.id, "native", "ETH")
    (asset.decimals, asset.balance) = (18, "1500000000000000000")
    return asset
  }()
}

/// The app's own way to a server, which needs no network here.
private struct PriceServer: Transport {
  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    HTTPResponse(status: 200, body: [UInt8](#"{"EUR": 2345.67}"#.utf8))
  }
}
