internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let electrum = CollectorKind(
    ElectrumCollector.kind, "wallet files of Electrum, encrypted or not", reach: .folder, guide: .electrum,
    programs: [
      WalletProgram(
        id: "electrum", title: "Electrum", folders: [".electrum"], flatpaks: ["org.electrum.electrum"],
        snaps: ["electrum"],
        locks: [.exists(".electrum/daemon"), .exists(".electrum/*/daemon")],
        places: [
          .folder(".electrum/wallets", of: ["*"], kind: "electrum", .electrum, [.laterKeys]),
          .folder(".electrum/*/wallets", of: ["*"], kind: "electrum", .electrum),
        ]),
      WalletProgram(
        id: "electrum-ltc", title: "Electrum-LTC", folders: [".electrum-ltc"],
        locks: [.exists(".electrum-ltc/daemon")],
        places: [.folder(".electrum-ltc/wallets", of: ["*"], kind: "electrum", .electrum)]),
      WalletProgram(
        id: "electron-cash", title: "Electron Cash", folders: [".electron-cash"],
        flatpaks: ["org.electroncash.ElectronCash"],
        locks: [.exists(".electron-cash/daemon")],
        places: [.folder(".electron-cash/wallets", of: ["*"], kind: "electrum", .electrum)]),
    ],
    formats: [FileFormat(ElectrumCollector.format, isPublic: { $0.begins(with: "QklFMQ") })],
    fileNames: .anyOrdinary, limit: ElectrumText.byteCountLimit, what: "wallet of Electrum",
    recognises: { ElectrumText.isLikely($0) }, together: ElectrumReading.together,
    look: { found, asked in try ElectrumReading(asked, found.nameText).look(at: found) })
}

/// Electrum wallet files of any version.
///
/// The file is kept byte for byte: as a secret if it contains unencrypted secrets, else as it is. Its
/// contents are also read: the wallet, its history, labels and contacts, and its secrets one by one.
enum ElectrumCollector {
  static let kind = "electrum"
  static let format = "electrum-wallet"
}

/// The reading of one file.
struct ElectrumReading {
  private let asked: Asked
  private let name: String

  init(_ asked: Asked, _ name: String) { (self.asked, self.name) = (asked, name) }

  private var request: CollectionRequest { asked.request }

  /// How a file is kept, for messages about data that only the file has.
  private enum Fate {
    case kept
    case leftOut(ImportedRecords.Loss)

    var sentence: String {
      switch self {
      case .kept: "the file is kept as it is"
      case .leftOut: "the file is left out"
      }
    }

    /// The loss of data that only the file has.
    var loss: ImportedRecords.Loss {
      switch self {
      case .kept: .none
      case .leftOut(let loss): loss
      }
    }
  }

  private func fate(isSecret: Bool) -> Fate {
    guard request.selection.contains(isSecret ? .secretFiles : .files) else { return .leftOut(.requested) }
    return isSecret && !request.includesPrivateKeys ? .leftOut(.possible) : .kept
  }

  /// Reads the file.
  func look(at found: borrowing FoundFile) throws -> Look {
    let bytes = try found.bytes()
    do {
      return .wallet(try kept(bytes))
    } catch ForeignFileError.wrongPassphrase where request.isForBackup {
      return .wallet(sealed(.notProved(.wrongPassword)))
    }
  }

  /// A file without unencrypted secrets whose content is not read.
  private func sealed(_ result: WalletFinding.Result) -> Kept {
    var kept = Kept(format: ElectrumCollector.format, isSecret: false, asked.finding(name, result))
    kept.program = ElectrumCollector.kind
    return kept
  }

  private func kept(_ bytes: borrowing SecretBytes) throws -> Kept {
    let wallet: ElectrumText.Wallet
    var isEncrypted = false
    switch bytes.withBytes({ ElectrumText.encryption(of: $0) }) {
    case .device:
      var kept = sealed(.publicPart())
      let fate = fate(isSecret: false)
      kept.records.exclude(
        name, "it is encrypted with a key that only its hardware wallet has; \(fate.sentence)",
        loss: fate.loss)
      return kept
    case .passphrase:
      isEncrypted = true
      guard let passphrase = try asked.password.read() else {
        var kept = sealed(.notProved(.needsPassword))
        let fate = fate(isSecret: false)
        kept.records.exclude(
          name, "it is encrypted; \(fate.sentence), and import reads it with its passphrase", loss: fate.loss)
        return kept
      }
      let plain = try ElectrumText.decrypted(bytes, passphrase, file: name)
      wallet = try ElectrumText.wallet(plain, file: name)
    case .none: wallet = try ElectrumText.wallet(bytes, file: name)
    }
    guard Self.isWallet(wallet.root) else {
      throw ForeignFileError.notThisFormat(reason: "\(name) is JSON, but no wallet of Electrum")
    }
    let needsPassphrase = wallet.root.member("use_encryption")?.boolean ?? false
    let typed = try needsPassphrase ? asked.password.read() : nil
    let (secrets, isWrongPassphrase) = try secrets(of: wallet.root, typed)
    var kept = Kept(format: ElectrumCollector.format)
    (kept.isSecret, kept.program) = (!isEncrypted && secrets.hasPlain, ElectrumCollector.kind)
    if request.isForBackup {
      let described = ElectrumWallet(wallet.root, name: name).wallet
      let result = try ElectrumWorth.of(wallet.root, secrets, described, isWrongPassphrase: isWrongPassphrase)
      kept.findings = [asked.finding(name, result, detail: PackedText.text(described.address) ?? "")]
    }
    kept.records.budget.read(bytes.count)
    kept.hazards = add(wallet, secrets, fate(isSecret: kept.isSecret), &kept.records)
      .compactMap(WalletHazard.init(rawValue:))
    return kept
  }

  /// Returns the secrets of a wallet.
  ///
  /// In a backup, those that the passphrase does not open stay encrypted.
  private func secrets(
    of root: GuardedValue, _ typed: SharedSecret?
  ) throws -> (ElectrumSecrets, isWrongPassphrase: Bool) {
    do {
      return (try ElectrumSecrets(of: root, typed, file: name), false)
    } catch ForeignFileError.wrongPassphrase where request.isForBackup {
      return (try ElectrumSecrets(of: root, nil, file: name), true)
    }
  }

  /// Members that every wallet of some version has.
  private static func isWallet(_ root: GuardedValue) -> Bool {
    ["wallet_type", "keystore", "seed_version", "use_encryption", "addr_history", "master_public_keys"]
      .filter { root.member($0) != nil }.count >= 2
  }

  /// Takes a wallet of several files once, with the secrets of all.
  static func together(_ files: inout [Kept], _ asked: Asked) {
    var (firsts, secrets) = ([Data: Int](), [Data: Set<[UInt8]>]())
    for place in files.indices {
      guard let wallet = files[place].records.wallets.first else { continue }
      let known = secrets[wallet.id] ?? []
      let new = files[place].records.privateKeys.filter { !known.contains($0.id) }
      secrets[wallet.id, default: []].formUnion(new.map(\.id))
      guard let first = firsts[wallet.id] else {
        firsts[wallet.id] = place
        continue
      }
      // A watch-only copy may have come first.
      if known.isEmpty, !new.isEmpty { files[first].records.wallets[0].kind = wallet.kind }
      let fate = ElectrumReading(asked, files[place].name).fate(isSecret: files[place].isSecret)
      let budget = files[place].records.budget
      files[place].records = ImportedRecords()
      (files[place].records.privateKeys, files[place].records.budget) = (new, budget)
      files[place].records.exclude(
        files[place].name,
        "the wallet of another file, whose history and labels are taken; \(fate.sentence)", loss: fate.loss)
    }
  }

  /// Adds the wallet, and returns its hazards.
  private func add(
    _ read: ElectrumText.Wallet, _ secrets: ElectrumSecrets, _ fate: Fate, _ records: inout ImportedRecords
  ) -> [String] {
    let described = ElectrumWallet(read.root, name: name)
    let id = described.wallet.id
    records.add(described.wallet)
    for note in read.notes { records.note("\(name): \(note)", .wallets, id) }
    if let version = read.root.member("seed_version")?.number,
      !ElectrumWallet.versions.contains(Int(version) ?? 0)
    {
      records.note(
        "\(name): it is of version \(version.prefix(20)), and 4 to \(ElectrumWallet.versions.upperBound) are known here: "
          + "compare what came of it with what Electrum shows", .wallets, id)
    }
    if !described.wallet.hazards.isEmpty {
      records.note(
        "\(name): its Lightning channels cannot be recovered from the seed, and an old copy of them can lose their money: close them in Electrum first",
        .wallets, id)
    }
    if described.wallet.extra.contains(where: { $0.name.hasPrefix("frozen_") }) {
      records.note(
        "\(name): coins or addresses are frozen there: the marks are kept, and freeze nothing here", .wallets,
        id)
    }
    // The kept file has them, so no part of the wallet is missing.
    if secrets.closedCount > 0, case .leftOut = fate {
      records.exclude(
        name,
        "\(secrets.closedCount) secrets of it are encrypted, and only the file has them; \(fate.sentence)",
        loss: fate.loss)
    }
    for secret in secrets.found where records.budget.admitsSecret() {
      records.privateKeys.append(
        PrivateKeyRecord(
          id: ForeignNames.secret("electrum secret", PackedText.text(id) ?? "", secret.place), walletID: id,
          kind: secret.kind, name: "\(name) \(secret.place)", secret: secret.secret, createdAt: nil))
    }
    var (keys, contacts) = (SettingKeys(), [Data: Contact]())
    for contact in described.contacts { records.add(contact, besides: &contacts) }
    var transactionLabels: [String: String] = [:]
    for (type, reference, label) in described.labels {
      if type == "tx" { transactionLabels[reference] = label }
      let object =
        "{\"type\": \"\(type)\", \"ref\": \(JSONText.quoted(reference)), \"label\": \(JSONText.quoted(label))}"
      records.add(setting: LabelLines.key(type, reference), object, taken: &keys)
    }
    let history = ElectrumHistory.transactions(read.root, of: id, labels: transactionLabels) {
      records.budget.hasRoom(for: $0)
    }
    for transaction in history where records.admits(transaction) { records.transactions.append(transaction) }
    return described.wallet.hazards
  }
}
