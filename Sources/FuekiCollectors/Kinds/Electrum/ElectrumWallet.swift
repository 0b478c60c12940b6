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

/// An extended public key in Electrum's format, whose first four bytes state the network and script type.
struct ElectrumExtendedKey {
  enum Script {
    case keyHash
    case nestedSegwit
    case segwit
    case nestedSegwitScript
    case segwitScript
  }

  let script: Script
  let isMain: Bool
  /// The key with the version bytes used in descriptors.
  let plain: String

  private static let byteCount = 78
  private static let versions: [UInt32: (Script, Bool)] = [
    0x0488_B21E: (.keyHash, true), 0x049D_7CB2: (.nestedSegwit, true), 0x04B2_4746: (.segwit, true),
    0x0295_B43F: (.nestedSegwitScript, true), 0x02AA_7ED3: (.segwitScript, true),
    0x0435_87CF: (.keyHash, false), 0x044A_5262: (.nestedSegwit, false), 0x045F_1CF6: (.segwit, false),
    0x0242_89EF: (.nestedSegwitScript, false), 0x0257_5483: (.segwitScript, false),
  ]

  /// Parses a key; nil for any other text.
  init?(_ text: String) {
    guard let payload = try? Base58Check.decode(text), payload.count == Self.byteCount else { return nil }
    let version = payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    guard let (script, isMain) = Self.versions[version] else { return nil }
    self.script = script
    self.isMain = isMain
    let prefix: [UInt8] = isMain ? [0x04, 0x88, 0xB2, 0x1E] : [0x04, 0x35, 0x87, 0xCF]
    plain = Base58Check.encode(prefix + payload.dropFirst(4))
  }
}

/// The descriptors of a wallet's addresses with their checksums; see BIP 380 to 383.
enum ElectrumDescriptors {
  /// A cosigner's key and its origin.
  struct Cosigner {
    let key: ElectrumExtendedKey
    /// The fingerprint of the root key; empty if unknown.
    let fingerprint: String
    /// The path from the root key, such as `m/84'/0'/0'`.
    let derivation: String

    func text(branch: Int) -> String {
      guard Hex.decode(fingerprint)?.count == 4, derivation.hasPrefix("m") else {
        return "\(key.plain)/\(branch)/*"
      }
      let path = derivation.dropFirst().replacing("'", with: "h")
      return "[\(fingerprint)\(path)]\(key.plain)/\(branch)/*"
    }
  }

  /// Returns the descriptors of receiving and change addresses.
  ///
  /// `required` is the number of signatures in a multisig; nil for a single-key wallet.
  static func texts(_ cosigners: [Cosigner], required: Int?) -> [String] {
    guard let first = cosigners.first else { return [] }
    return [0, 1].map { branch in
      let text = text(cosigners, first.key.script, required, branch)
      return DescriptorChecksum.of(text).map { "\(text)#\($0)" } ?? text
    }
  }

  private static func text(
    _ cosigners: [Cosigner], _ form: ElectrumExtendedKey.Script, _ required: Int?, _ branch: Int
  ) -> String {
    let keys = cosigners.map { $0.text(branch: branch) }.joined(separator: ",")
    guard let required else {
      return switch form {
      case .keyHash: "pkh(\(keys))"
      case .nestedSegwit: "sh(wpkh(\(keys)))"
      // Keys for multisig scripts are not used alone.
      case .segwit, .nestedSegwitScript, .segwitScript: "wpkh(\(keys))"
      }
    }
    let script = "sortedmulti(\(required),\(keys))"
    return switch form {
    case .segwitScript: "wsh(\(script))"
    case .nestedSegwitScript: "sh(wsh(\(script)))"
    case .keyHash, .nestedSegwit, .segwit: "sh(\(script))"
    }
  }
}
