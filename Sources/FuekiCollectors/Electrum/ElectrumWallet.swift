internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// The public part of an Electrum wallet of any version, as records.
struct ElectrumWallet {
  /// The file versions, which Electrum calls seed versions, up to its FINAL_SEED_VERSION.
  static let versions = 4...71

  let wallet: Wallet
  private let root: GuardedValue

  /// Members copied unchanged to the wallet's `extra`, and not interpreted.
  private static let kept = [
    "wallet_type", "seed_version", "seed_type", "frozen_coins", "frozen_addresses", "invoices",
    "payment_requests", "spent_outpoints", "fiat_value",
  ]

  private static let keptByteCount = 1 << 20

  init(_ root: GuardedValue, name: String) {
    self.root = root
    var wallet = Wallet()
    let cosigners = Self.cosigners(root)
    let receiving = Self.addresses(root, "receiving")
    let change = Self.addresses(root, "change")
    let imported = Self.importedAddresses(root)
    let network = Self.network(cosigners, receiving + imported + Self.historyAddresses(root))
    wallet.id = ForeignNames.packed("electrum wallet", Self.identity(root, cosigners, receiving + imported))
    wallet.name = name
    wallet.chainFamily = ChainFamily.bitcoin.name
    wallet.chainID = network
    wallet.network = network
    wallet.kind = Self.kind(root)
    wallet.address = PackedText.pack((receiving + imported).first ?? "")
    wallet.derivationPath = cosigners.count == 1 ? cosigners[0].derivation : ""
    let required = Self.required(root)
    if required == nil ? cosigners.count == 1 : cosigners.count > 1 {
      wallet.descriptors = ElectrumDescriptors.texts(cosigners, required: required)
    }
    wallet.accounts = imported.prefix(100_000).enumerated().map { index, address in
      var account = Account()
      account.index = UInt32(clamping: index)
      account.address = PackedText.pack(address)
      account.imported = true
      return account
    }
    let used = Set(
      (root.member("addr_history")?.members ?? []).filter { !$0.value.elements.isEmpty }.map(\.name))
    wallet.keychains = [("external", receiving), ("internal", change)].compactMap { name, addresses in
      guard !addresses.isEmpty else { return nil }
      var index = KeychainIndex()
      index.name = name
      index.lastRevealed = UInt32(clamping: addresses.count - 1)
      if let last = addresses.lastIndex(where: used.contains) { index.lastUsed = UInt32(clamping: last) }
      return index
    }
    if let height = (root.member("stored_height")?.number).flatMap({ UInt64($0) }), height > 0 {
      wallet.lastSynced.height = height
    }
    if let gap = (root.member("gap_limit")?.number).flatMap({ UInt32($0) }), gap > 0 { wallet.gapLimit = gap }
    if Self.hasChannels(root) { wallet.hazards = [WalletHazard.lightning.rawValue] }
    wallet.extra = Self.kept.compactMap { name in
      guard let value = root.member(name), value.kind != .null else { return nil }
      // Empty members carry no information.
      let isEmpty =
        value.kind == .object ? value.members.isEmpty : value.kind == .array && value.elements.isEmpty
      let json = isEmpty ? "" : value.json
      // Longer members stay in the file only, because records are limited.
      return isEmpty || json.utf8.count > Self.keptByteCount ? nil : Extra(name, json: json)
    }
    self.wallet = wallet
  }

  // MARK: labels and contacts

  var labels: [(type: String, reference: String, label: String)] {
    (root.member("labels")?.members ?? []).compactMap { name, value in
      guard let label = value.string, !name.isEmpty else { return nil }
      let isTransaction = name.utf8.count == 64 && Hex.decode(name) != nil
      return (isTransaction ? "tx" : "addr", name, label)
    }
  }

  /// Contacts by address: the address type and a name.
  var contacts: [Contact] {
    (root.member("contacts")?.members ?? []).map { address, value in
      var contact = Contact()
      let parts = value.elements.compactMap(\.string)
      contact.id = ForeignNames.packed("electrum contact", address)
      contact.name = parts.count == 2 ? parts[1] : value.string ?? ""
      contact.address = PackedText.pack(address)
      // The name of an OpenAlias is not an address of the chain.
      if parts.first != "openalias" {
        contact.chainFamily = ChainFamily.bitcoin.name
        contact.chainID = wallet.chainID
      } else {
        contact.extra = [Extra("type", json: "\"openalias\"")]
      }
      return contact
    }
  }

  // MARK: wallet type

  private static func kind(_ root: GuardedValue) -> String {
    let type = root.member("wallet_type")?.string ?? ""
    let stores = keystores(root)
    if stores.contains(where: { $0.member("type")?.string == "hardware" })
      || ["trezor", "ledger", "btchip", "keepkey", "digitalbitbox"].contains(type)
    {
      return WalletKind.hardware.rawValue
    }
    func isThere(_ value: GuardedValue?) -> Bool {
      guard let value else { return false }
      return value.string.map { !$0.isEmpty } ?? !value.members.isEmpty
    }
    let names = ["seed", "xprv", "keypairs"]
    let hasKeys =
      stores.contains { store in names.contains { isThere(store.member($0)) } }
      || isThere(root.member("seed")) || isThere(root.member("master_private_keys"))
      || isThere(root.member("imported_keys")) || isThere(root.member("keypairs"))
      || (root.member("accounts")?.members ?? []).contains { account in
        (account.value.member("imported")?.members ?? []).contains { $0.value.elements.last?.string != nil }
      }
    return (hasKeys ? WalletKind.hot : .watchOnly).rawValue
  }

  private static func hasChannels(_ root: GuardedValue) -> Bool {
    ["channels", "channel_backups", "imported_channel_backups", "onchain_channel_backups"].contains { name in
      guard let value = root.member(name) else { return false }
      return !value.members.isEmpty || !value.elements.isEmpty
    }
  }

  private static func keystores(_ root: GuardedValue) -> [GuardedValue] {
    if let one = root.member("keystore") { return [one] }
    return root.members.filter { ElectrumSecrets.isCosigner($0.name) }.map(\.value)
  }

  private static func cosigners(_ root: GuardedValue) -> [ElectrumDescriptors.Cosigner] {
    let stores = keystores(root)
    guard stores.isEmpty else {
      return stores.compactMap { store in
        guard let key = (store.member("xpub")?.string).flatMap(ElectrumExtendedKey.init) else { return nil }
        return ElectrumDescriptors.Cosigner(
          key: key, fingerprint: store.member("root_fingerprint")?.string ?? "",
          derivation: store.member("derivation")?.string ?? "")
      }
    }
    // Before version 2.7: the first account's keys.
    let accounts = root.member("accounts")?.members ?? []
    let account = accounts.first { $0.name == "0" }?.value
    return ["xpub", "xpub2", "xpub3", "xpub4", "xpub5"].compactMap { name in
      (account?.member(name)?.string).flatMap(ElectrumExtendedKey.init).map {
        ElectrumDescriptors.Cosigner(key: $0, fingerprint: "", derivation: "")
      }
    }
  }

  /// Returns the number of required signatures: the first number of a type such as `2of3`.
  static func required(_ root: GuardedValue) -> Int? {
    let parts = (root.member("wallet_type")?.string ?? "").split(separator: "o", maxSplits: 1)
    guard parts.count == 2, let required = Int(parts[0]), parts[1].hasPrefix("f"),
      let total = Int(parts[1].dropFirst()), 1...total ~= required, total <= 15
    else { return nil }
    return required
  }

  // MARK: addresses

  private static func addresses(_ root: GuardedValue, _ branch: String) -> [String] {
    if let list = root.member("addresses")?.member(branch) { return list.elements.compactMap(\.string) }
    return []
  }

  private static func importedAddresses(_ root: GuardedValue) -> [String] {
    let addresses = root.member("addresses")
    if let addresses, addresses.kind == .array { return addresses.elements.compactMap(\.string) }
    if let addresses, addresses.member("receiving") == nil { return addresses.members.map(\.name) }
    let accounts = root.member("accounts")?.members ?? []
    return accounts.flatMap { ($0.value.member("imported")?.members ?? []).map(\.name) }
      + (root.member("imported_keys")?.members ?? []).map(\.name)
  }

  private static func historyAddresses(_ root: GuardedValue) -> [String] {
    (root.member("addr_history")?.members ?? []).prefix(1).map(\.name)
  }

  private static func network(_ cosigners: [ElectrumDescriptors.Cosigner], _ addresses: [String]) -> String {
    if let address = addresses.first {
      let fitting = BitcoinNetwork.all.filter { $0.problem(with: address) == nil }.map(\.name)
      // Among networks with identical addresses, the first is assumed, unless a key is for a test network.
      if let network = fitting.first { return network }
    }
    return cosigners.first?.key.isMain == false ? "bitcoin-testnet" : "bitcoin"
  }

  /// Returns the wallet's identity: its public keys, else its addresses.
  private static func identity(
    _ root: GuardedValue, _ cosigners: [ElectrumDescriptors.Cosigner], _ addresses: [String]
  ) -> String {
    if !cosigners.isEmpty { return cosigners.map(\.key.plain).sorted().joined(separator: " ") }
    let old = root.member("keystore")?.member("mpk")?.string ?? root.member("master_public_key")?.string
    if let old { return old }
    let keys = (root.member("master_public_keys")?.members ?? []).compactMap(\.value.string)
    return (keys.isEmpty ? addresses : keys).sorted().joined(separator: " ")
  }
}
