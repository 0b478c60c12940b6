internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// Converts the members of a backup to records.
struct UnstoppableBackup {
  static let newestVersion: UInt64 = 2
  static let settingPrefix = "unstoppable."

  var records = ImportedRecords()
  private let cipher: UnstoppableCipher
  private var keys = SettingKeys()

  /// Parses a complete document.
  ///
  /// - Throws: ``ForeignFileError``; errors of asking for the passphrase.
  init(_ bytes: [UInt8], cipher: UnstoppableCipher) throws {
    self.cipher = cipher
    let root = try Self.root(bytes)
    records.budget.read(bytes.count)
    if root.member("crypto") != nil {
      try add(backup: root, name: "")
    } else if let backup = root.member("backup"), backup.kind == .object {
      try add(backup: backup, name: root.member("name")?.string ?? "")
    } else if let wallets = root.member("wallets"), wallets.kind == .array {
      try add(full: root, wallets: wallets)
    } else {
      throw ForeignFileError.notThisFormat(reason: "JSON, but no backup of Unstoppable or the Fueki app")
    }
    try records.checkLimits()
  }

  private static func root(_ bytes: [UInt8]) throws -> JSONValue {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(bytes, limit: UnstoppableCollector.byteCountLimit).root
    } catch {
      throw error.asForeign()
    }
    try checkVersion(root)
    return root
  }

  /// Checks that a file can be such a backup, without decrypting it.
  static func check(_ bytes: [UInt8]) throws {
    let root = try root(bytes)
    guard
      root.member("crypto") != nil || root.member("backup")?.kind == .object
        || root.member("wallets")?.kind == .array
    else {
      throw ForeignFileError.notThisFormat(reason: "JSON, but no backup of Unstoppable or the Fueki app")
    }
  }

  private static func checkVersion(_ object: JSONValue) throws {
    guard let text = object.member("version")?.number else { return }
    guard let version = UInt64(text), version <= newestVersion else {
      throw ForeignFileError.tooNew(reason: "a backup of version \(text.prefix(20)), which is not known here")
    }
  }

  private mutating func add(full root: JSONValue, wallets: JSONValue) throws {
    for (index, wallet) in wallets.children.enumerated() {
      guard let backup = wallet.member("backup"), backup.kind == .object else {
        records.exclude("wallet \(index + 1)", "it has no backup", loss: .possible)
        continue
      }
      try add(backup: backup, name: wallet.member("name")?.string ?? "")
      try records.checkLimits()
    }
    for member in root.children {
      switch (member.name, member.kind) {
      case ("wallets", _), ("id", _), ("version", _), ("timestamp", _): break
      case ("contacts", .object): try add(contacts: member)
      case (_, .null): break
      case ("settings", .object):
        for setting in member.children {
          records.add(setting: Self.settingPrefix + setting.name, setting.source, taken: &keys)
        }
      default: records.add(setting: Self.settingPrefix + member.name, member.source, taken: &keys)
      }
    }
  }

  // MARK: wallets

  /// The members of a wallet's backup that are read.
  private static let known: Set<String> = [
    "crypto", "id", "type", "enabled_wallets", "manual_backup", "file_backup", "timestamp", "version",
  ]

  private mutating func add(backup: JSONValue, name: String) throws {
    try Self.checkVersion(backup)
    guard let part = backup.member("crypto"), part.kind == .object else {
      throw ForeignFileError.notThisFormat(reason: "a wallet's backup has no encrypted part")
    }
    let account = UnstoppableAccount(try cipher.open(part), type: backup.member("type")?.string ?? "")
    let tokens = (backup.member("enabled_wallets")?.children).map { $0.map(UnstoppableToken.init) } ?? []
    let key = backup.member("id")?.string ?? name
    var chains: [String] = []
    var held: [String: [UnstoppableToken]] = [:]
    for token in tokens {
      if held[token.walletKey] == nil { chains.append(token.walletKey) }
      held[token.walletKey, default: []].append(token)
    }
    if chains.isEmpty { chains = [""] }
    var first: Data?
    for chain in chains {
      let id = ForeignNames.packed("unstoppable wallet", key, chain)
      first = first ?? id
      guard !records.budget.isSpent else { break }
      let held = held[chain] ?? []
      var wallet = try self.wallet(backup, account, held.first)
      wallet.id = id
      wallet.name = name
      records.add(wallet)
      for token in held { add(token.asset(of: id)) }
    }
    guard let first else { return }
    for member in backup.children where !Self.known.contains(member.name) && member.kind != .null {
      let place = name.isEmpty ? member.name : "\(name): \(member.name)"
      records.exclude(place, "a part of the backup that is not known here", loss: .possible)
    }
    try add(account, of: first, key: key, name: name, declared: backup.member("id")?.string)
  }

  private func wallet(
    _ backup: JSONValue, _ account: UnstoppableAccount, _ token: UnstoppableToken?
  ) throws -> Wallet {
    var wallet = Wallet()
    wallet.kind = (account.isPublic ? WalletKind.watchOnly : .hot).rawValue
    if let token {
      (wallet.chainFamily, wallet.chainID) = ChainNames.chain(token.chain)
      wallet.derivationPath = token.derivationPath
    }
    if let address = try account.address { wallet.address = PackedText.pack(address) }
    if let seconds = backup.member("timestamp")?.number,
      let time = Timestamp(seconds: seconds, since: .unix)
    {
      wallet.createdAt = time.microseconds
    }
    for name in ["type", "manual_backup", "file_backup"] {
      if let value = backup.member(name) { wallet.extra.append(Extra(name, json: value.source)) }
    }
    if account.isNotBIP39 { wallet.extra.append(Extra("nonBip39Compliant", json: "true")) }
    return wallet
  }

  private mutating func add(_ asset: Asset) {
    guard records.admits(asset) else { return }
    for sentence in RecordValidation.problems(of: asset) {
      records.note("\(asset.symbol): \(sentence)", .assets, asset.id)
    }
    records.assets.append(asset)
  }

  private mutating func add(
    _ account: UnstoppableAccount, of wallet: Data, key: String, name: String, declared: String?
  ) throws {
    if let declared, try !account.isNamed(declared) {
      records.note("its id is not the digest of its secret", .wallets, wallet)
    }
    guard !account.isPublic else { return }
    for (kind, secret) in try account.secrets() where records.budget.admitsSecret() {
      records.privateKeys.append(
        PrivateKeyRecord(
          id: ForeignNames.secret("unstoppable secret", key, kind), walletID: wallet, kind: kind, name: name,
          secret: secret, createdAt: nil))
    }
  }

  // MARK: contacts

  private mutating func add(contacts part: JSONValue) throws {
    let plain = try cipher.open(part)
    let document: GuardedDocument
    do throws(JSONError) {
      document = try GuardedDocument(plain, limit: UnstoppableCollector.byteCountLimit)
    } catch {
      throw error.asForeign("the contacts, once decrypted: ")
    }
    let list = document.root.kind == .array ? document.root : document.root.member("contacts")
    var known: [Data: Contact] = [:]
    for entry in list?.elements ?? [] {
      let uid = entry.member("uid")?.string ?? ""
      let name = entry.member("name")?.string ?? ""
      let addresses = entry.member("addresses")?.elements ?? []
      if addresses.isEmpty {
        records.exclude(name.isEmpty ? "a contact" : name, "no address of a chain is in it", loss: .possible)
      }
      for address in addresses {
        let text = address.member("address")?.string ?? ""
        let chain = address.member("blockchain_uid")?.string ?? ""
        var contact = Contact()
        contact.id = ForeignNames.packed("unstoppable contact", uid.isEmpty ? name : uid, chain, text)
        contact.name = name
        contact.address = PackedText.pack(text)
        (contact.chainFamily, contact.chainID) = ChainNames.chain(chain)
        records.add(contact, besides: &known)
      }
    }
  }
}
