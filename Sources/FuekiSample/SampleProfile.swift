internal import FoundationEssentials
internal import FuekiWallet

/// The sample's wallets and assets.
struct SampleProfile {
  let seed: UInt64
  let transactionCount: Int

  /// Returns the wallet's id: a UUID in upper case, as the app writes it.
  func id(of chain: SampleChain) -> Data {
    var random = SampleRandom(seed: seed, place: 0x1D00 + UInt64(chain.rawValue))
    return random.packed(form: PackedText.Form.upperCaseUUID.rawValue, 16)
  }

  /// Returns the wallet's own address, packed.
  func address(of chain: SampleChain, _ shares: SampleShares) throws -> Data {
    switch chain {
    case .ethereum: return PackedText.pack(try shares.address)
    case .bitcoin: return PackedText.pack(SamplePhrase.addresses[0])
    case .litecoin:
      var random = SampleRandom(seed: seed, place: 0x17C0)
      return chain.address(&random)
    }
  }

  func wallets(_ shares: SampleShares) throws -> [Wallet] {
    try SampleChain.allCases.map { chain in
      var random = SampleRandom(seed: seed, place: 0xA110 + UInt64(chain.rawValue))
      var wallet = Wallet()
      wallet.id = id(of: chain)
      wallet.chainFamily = chain.family
      wallet.chainID = chain.chainID
      wallet.network = "mainnet"
      wallet.genesisHash = PackedText.pack(chain.genesisHash)
      wallet.address = try address(of: chain, shares)
      wallet.createdAt = SampleTime.start
      wallet.updatedAt = SampleTime.end
      wallet.birthday = chain.checkpoint(at: SampleTime.start, &random)
      wallet.lastSynced = chain.checkpoint(at: SampleTime.end, &random)
      wallet.earlierCheckpoints = (1...3).map {
        chain.checkpoint(at: SampleTime.end - Int64($0) * 86_400_000_000, &random)
      }
      switch chain {
      case .ethereum: describeThreshold(&wallet, shares, &random)
      case .bitcoin: describeHot(&wallet)
      case .litecoin: describeWatched(&wallet)
      }
      return wallet
    }
  }

  private func describeThreshold(_ wallet: inout Wallet, _ shares: SampleShares, _ random: inout SampleRandom)
  {
    wallet.name = "Savings, two of three"
    wallet.kind = WalletKind.tss.rawValue
    wallet.groupPublicKey = Data(shares.groupKey)
    wallet.balance = String(random.number(digits: 19))
    wallet.nonce = SampleHistory.outgoingCount(before: transactionCount)
    wallet.endpoints = [endpoint("ethereum-rpc", "https://ethereum.example.org/rpc", 0)]
    wallet.endpoints.append(endpoint("etherscan", "https://explorer.example.org/api", 1))
    var account = Account()
    account.address = wallet.address
    account.name = "Account 1 🏦"
    wallet.accounts = [account]
    var extra = Extra()
    extra.name = "avatar"
    extra.json = #"{"seed": 115792089237316195423570985008687907853269984665640564039457584007913129639935}"#
    wallet.extra = [extra]
  }

  private func describeHot(_ wallet: inout Wallet) {
    wallet.name = "Spending"
    wallet.kind = WalletKind.hot.rawValue
    wallet.derivationPath = SamplePhrase.path
    wallet.descriptors = SamplePhrase.descriptors
    let indices: [(String, UInt32, UInt32)] = [("external", 45, 41), ("internal", 12, 12)]
    wallet.keychains = indices.map { name, revealed, used in
      var keychain = KeychainIndex()
      keychain.name = name
      keychain.lastRevealed = revealed
      keychain.lastUsed = used
      return keychain
    }
    wallet.gapLimit = 20
    wallet.balance = "1842907"
    wallet.endpoints = [endpoint("esplora", "https://esplora.example.org/api", 0)]
  }

  private func describeWatched(_ wallet: inout Wallet) {
    wallet.name = "Grandmother’s coins"
    wallet.kind = WalletKind.watchOnly.rawValue
    wallet.balance = "250000000"
    wallet.gapLimit = 20
  }

  /// The hash of a name, as decimal digits.
  private static let nameID = "79233663829379634837589865448569342784712482819484549289560981379859480642508"

  private func endpoint(_ kind: String, _ url: String, _ priority: Int32) -> Endpoint {
    var endpoint = Endpoint()
    endpoint.kind = kind
    endpoint.url = url
    endpoint.priority = priority
    return endpoint
  }

  func assets() -> [Asset] {
    let ethereum: [(AssetKind, String, String, String, UInt32?, String)] = [
      (.native, "", "ETH", "Ether", 18, ""),
      (.erc20, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", "USD Coin", 6, ""),
      (.erc20, "0x6B175474E89094C44Da98b954EedeAC495271d0F", "DAI", "Dai Stablecoin", 18, ""),
      (
        .erc721, "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85", "ENS", "Ethereum Name Service", nil,
        Self.nameID
      ),
    ]
    let natives = [(SampleChain.bitcoin, "BTC", "Bitcoin"), (.litecoin, "LTC", "Litecoin")]
    var random = SampleRandom(seed: seed, place: 0xA55E)
    let tokens = ethereum.map { kind, contract, symbol, name, decimals, tokenID in
      var asset = self.asset(kind, symbol, name, on: .ethereum, decimals: decimals, &random)
      asset.contract = PackedText.pack(contract)
      asset.tokenID = tokenID
      asset.balance = tokenID.isEmpty ? String(random.number(digits: kind == .erc20 ? 20 : 19)) : "1"
      return asset
    }
    return tokens
      + natives.map { asset(.native, $1, $2, on: $0, decimals: 8, &random) }
  }

  private func asset(
    _ kind: AssetKind, _ symbol: String, _ name: String, on chain: SampleChain, decimals: UInt32?,
    _ random: inout SampleRandom
  ) -> Asset {
    var asset = Asset()
    asset.id = random.packed(form: PackedText.Form.upperCaseUUID.rawValue, 16)
    asset.walletID = id(of: chain)
    asset.kind = kind.rawValue
    asset.symbol = symbol
    asset.name = name
    if let decimals { asset.decimals = decimals }
    asset.balance = String(random.number(digits: 8))
    asset.firstSeenBlock = chain.height(at: SampleTime.start)
    asset.createdAt = SampleTime.start
    return asset
  }
}
