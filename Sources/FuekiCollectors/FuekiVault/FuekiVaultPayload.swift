internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// The decrypted content of a container: a seed phrase, accounts, settings.
enum FuekiVaultPayload {
  static func records(
    _ payload: consuming SecretBytes, _ container: FuekiVaultContainer
  ) throws -> ImportedRecords {
    let document: GuardedDocument
    do throws(JSONError) {
      document = try GuardedDocument(payload, limit: FuekiVaultCollector.byteCountLimit)
    } catch {
      throw error.asForeign("the backup, once decrypted: ")
    }
    let root = document.root
    guard root.kind == .object, let phrase = try root.member("mnemonic")?.secret() else {
      throw ForeignFileError.notThisFormat(reason: "the backup, once decrypted, holds no seed phrase")
    }
    var records = ImportedRecords()
    records.budget.read(document.bytes.count)
    let accounts = (root.member("accounts")?.elements ?? []).map(account)
    let key = accounts.first?.account.address.base64EncodedString() ?? container.id
    var chains: [Chain] = []
    for entry in accounts where !chains.contains(entry.chain) { chains.append(entry.chain) }
    if chains.isEmpty { chains = [Chain(family: "", id: "")] }
    let ids = chains.map { ForeignNames.packed("fueki-vault wallet", key, $0.family, $0.id) }
    for (chain, id) in zip(chains, ids) {
      var wallet = Wallet()
      wallet.id = id
      wallet.kind = WalletKind.hot.rawValue
      (wallet.chainFamily, wallet.chainID) = (chain.family, chain.id)
      let held = accounts.filter { $0.chain == chain }
      wallet.accounts = held.map(\.account)
      wallet.name = held.first?.account.name ?? ""
      wallet.address = held.first?.account.address ?? Data()
      wallet.derivationPath = held.first?.account.path ?? ""
      if let time = container.createdAt { wallet.createdAt = time }
      wallet.extra = held.flatMap(\.extra)
      records.add(wallet)
    }
    records.privateKeys.append(
      PrivateKeyRecord(
        id: ForeignNames.secret("fueki-vault secret", key), walletID: ids.first, kind: "seed-phrase",
        name: "", secret: phrase, createdAt: container.createdAt))
    var taken = SettingKeys()
    for setting in root.member("settings")?.members ?? [] {
      records.add(
        setting: FuekiVaultCollector.settingPrefix + setting.name, setting.value.json, taken: &taken)
    }
    for member in root.members where !["mnemonic", "accounts", "settings"].contains(member.name) {
      // It may be an unknown secret, which must not become a setting.
      records.exclude(member.name, "a part of the backup that is not known here", loss: .possible)
    }
    return try records.withinLimits()
  }

  private struct Chain: Equatable {
    let family: String
    let id: String
  }

  private struct Entry {
    let account: Account
    let chain: Chain
    let extra: [Extra]
  }

  private static func account(_ object: GuardedValue) -> Entry {
    var account = Account()
    let index = (object.member("index")?.number).flatMap { UInt32($0) }
    account.index = index ?? 0
    account.path = object.member("path")?.string ?? ""
    account.name = object.member("name")?.string ?? ""
    let address = object.member("address")?.string ?? ""
    account.address = PackedText.pack(address)
    let known = ["index", "path", "name", "address"]
    let extra = object.members.filter { !known.contains($0.name) }
      .map { Extra("account \(account.index) \($0.name)", json: $0.value.json) }
    return Entry(account: account, chain: chain(address, path: account.path), extra: extra)
  }

  /// Returns the chain of an account, by the coin type of its path if the address is ambiguous.
  private static func chain(_ address: String, path: String) -> Chain {
    let known = ChainNames.chain(ofAddress: address)
    let coin = path.split(separator: "/").dropFirst(2).first.map { $0.filter { $0.isNumber } } ?? ""
    switch (coin, known.family) {
    // The app uses the main network by default.
    case ("60", ""), ("60", "evm"), (_, "evm"): return Chain(family: ChainFamily.evm.name, id: "1")
    case ("0", _): return Chain(family: ChainFamily.bitcoin.name, id: "bitcoin")
    case ("2", _): return Chain(family: ChainFamily.bitcoin.name, id: "litecoin")
    default: return Chain(family: known.family, id: known.id)
    }
  }
}
