internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let fuekiVault = CollectorKind(
    FuekiVaultCollector.kind, "encrypted FUEK containers of the Fueki app", reach: .file, guide: .phones,
    formats: [FileFormat(FuekiVaultCollector.kind, isPublic: { $0.begins(with: "FUEK") })],
    what: "container of the Fueki app", recognises: { $0.begins(with: "FUEK") },
    look: FuekiVaultCollector.look)
}

/// An encrypted backup of the second-generation Fueki app: `FUEK`, then a JSON container.
///
/// The app's label says scrypt, but the key is from PBKDF2. Its cloud backups have a second
/// layer of encryption, by a key that never leaves the phone, and are refused.
enum FuekiVaultCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "fueki-vault"
  static let magic = Array("FUEK".utf8)
  static let settingPrefix = "fueki-vault."

  private static let iterations = 100_000

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let container = try FuekiVaultContainer(found.publicBytes())
    guard let typed = try asked.password.read() else {
      return .wallet(Kept(unopened: asked, .needsPassword, format: kind, program: "fueki"))
    }
    do {
      let name = FileName.text(asked.path.pathBytes)
      let records = try records(container, typed, file: name, work: asked.work)
      return .wallet(try Kept(records, format: kind, program: "fueki", asked))
    } catch ForeignFileError.wrongPassphrase where asked.request.isForBackup {
      return .wallet(Kept(unopened: asked, .wrongPassword, format: kind, program: "fueki"))
    }
  }

  /// Decrypts and parses a complete container.
  private static func records(
    _ container: FuekiVaultContainer, _ typed: SharedSecret, file: String, work: WorkBudget
  ) throws -> ImportedRecords {
    let key = try work.pbkdf2(
      from: typed.bytes, salt: container.salt, iterations: Self.iterations, count: 32)
    let payload: SecretBytes
    do throws(CryptoError) {
      payload = try AESCipher.openGCM(
        container.sealed.span.extracting(droppingFirst: AESCipher.gcmNonceByteCount), key: key,
        nonce: Array(container.sealed.prefix(AESCipher.gcmNonceByteCount)))
    } catch .notAuthentic {
      throw ForeignFileError.wrongPassphrase(file: file)
    }
    let isRight = payload.withBytes { SHA256.hash($0) } == container.checksum
    guard isRight else {
      throw ForeignFileError.notThisFormat(
        reason: "\(file) opens, but its content is not what its checksum says")
    }
    return try FuekiVaultPayload.records(payload, container)
  }
}

/// The container of the encrypted payload.
struct FuekiVaultContainer {
  /// A hint about the origin of a file that is not a container.
  private static let cloudNote =
    "a cloud backup of the app is wrapped once more in a key that stays in the phone's keychain, and opens on that phone only: export a backup file there"

  let salt: [UInt8]
  /// Nonce, ciphertext, tag.
  let sealed: [UInt8]
  let checksum: Digest
  let createdAt: Int64?
  /// The backup's id.
  let id: String

  /// Parses a complete file.
  init(_ bytes: [UInt8]) throws(ForeignFileError) {
    guard bytes.starts(with: FuekiVaultCollector.magic) else {
      throw .notThisFormat(reason: "it does not begin with FUEK; \(Self.cloudNote)")
    }
    let root: JSONValue
    do throws(JSONError) {
      let text = Array(bytes.dropFirst(FuekiVaultCollector.magic.count))
      root = try JSONDocument(text, limit: FuekiVaultCollector.byteCountLimit).root
    } catch {
      guard case .notThisFormat(let reason) = error.asForeign("behind FUEK ") else { throw error.asForeign() }
      throw .notThisFormat(reason: "\(reason); \(Self.cloudNote)")
    }
    let version = root.member("version")?.string ?? ""
    guard version.hasPrefix("1.") else {
      throw .tooNew(reason: "a backup of version \"\(version.prefix(20))\", and 1.0.0 is what is known here")
    }
    func data(_ name: String) -> [UInt8]? {
      (root.member(name)?.string).flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }
    guard let salt = data("salt"), salt.count == 32, let sealed = data("encryptedData"),
      sealed.count >= AESCipher.gcmNonceByteCount + AESCipher.gcmTagByteCount,
      let checksum = data("checksum").flatMap({ Digest(bytes: $0) })
    else { throw .notThisFormat(reason: "its salt, checksum or encrypted part is damaged") }
    self.salt = salt
    self.sealed = sealed
    self.checksum = checksum
    // The container's times are since 1970, its metadata's since 2001.
    createdAt =
      (root.member("timestamp")?.number).flatMap { Timestamp(seconds: $0, since: .unix) }?
      .microseconds
    id = root.member("metadata")?.member("id")?.string ?? ""
  }
}

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
    let account: FuekiWallet.Account
    let chain: Chain
    let extra: [Extra]
  }

  private static func account(_ object: GuardedValue) -> Entry {
    var account = FuekiWallet.Account()
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
