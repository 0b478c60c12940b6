internal import FoundationEssentials
internal import FuekiWallet

/// A coin or token of a wallet: the chain's name, a bar, and its identifier on the chain.
struct UnstoppableToken {
  let chain: String
  private let token: String
  private let object: JSONValue

  init(_ object: JSONValue) {
    self.object = object
    let query = object.member("token_query_id")?.string ?? ""
    let parts = query.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    chain = parts.first ?? ""
    token = parts.count == 2 ? parts[1] : "native"
  }

  /// The common key of one wallet's coins: the chain and the derivation path.
  var walletKey: String { derivation.map { "\(chain)|\($0)" } ?? chain }

  /// The path of the wallet's account; empty if the chain does not determine it.
  var derivationPath: String {
    guard let derivation, derivation.hasPrefix("bip"), let purpose = UInt32(derivation.dropFirst(3)) else {
      return ""
    }
    let coins = ["bitcoin": 0, "litecoin": 2]
    return coins[chain].map { "m/\(purpose)'/\($0)'/0'" } ?? ""
  }

  private var derivation: String? { token.hasPrefix("derived:") ? String(token.dropFirst(8)) : nil }

  func asset(of wallet: Data) -> Asset {
    var asset = Asset()
    asset.walletID = wallet
    asset.id = ForeignNames.packed("unstoppable asset", PackedText.text(wallet) ?? "", chain, token)
    asset.symbol = object.member("coin_code")?.string ?? ""
    asset.name = object.member("coin_name")?.string ?? ""
    if let decimals = (object.member("decimals")?.number).flatMap({ UInt32($0) }) {
      asset.decimals = decimals
    }
    let parts = token.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first ?? "", parts.count) {
    case ("native", 1), ("derived", 2), ("address_type", 2): asset.kind = AssetKind.native.rawValue
    case ("eip20", 2) where ChainNames.chain(chain).family == ChainFamily.evm.name:
      asset.kind = AssetKind.erc20.rawValue
      asset.contract = PackedText.pack(parts[1])
    default: asset.extra.append(Extra("token", json: JSONText.quoted(token)))
    }
    if let settings = object.member("settings"), settings.kind != .null {
      asset.extra.append(Extra("settings", json: settings.source))
    }
    return asset
  }
}
