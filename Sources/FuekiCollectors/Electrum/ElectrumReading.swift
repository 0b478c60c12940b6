internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A pass over the files of one source.
struct ElectrumReading {
  private(set) var count = 0
  private let request: CollectionRequest
  private let passphrase: SourcePassphrase?
  private var keys = SettingKeys()
  private var contacts: [Data: Contact] = [:]

  init(request: CollectionRequest, passphrase: SourcePassphrase?) {
    self.request = request
    self.passphrase = passphrase
  }

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

  /// Reads a file.
  ///
  /// In a backup, an unreadable one is kept and does not exclude others.
  mutating func takeOrKeep(
    _ bytes: borrowing SecretBytes, _ found: borrowing FoundFile, _ records: inout ImportedRecords
  ) throws {
    guard request.isForBackup else { return try take(bytes, found, &records) }
    let name = FileName.text(found.name)
    do {
      try take(bytes, found, &records)
    } catch  where UnreadFiles.takes(error, request) {
      try keepUnread(bytes, found, .notProved(.workLimit), &records)
    } catch ForeignFileError.wrongPassphrase {
      keep(bytes, found, &records)
      records.findings.append(
        WalletFinding(kind: ElectrumCollector.kind, name: name, .notProved(.wrongPassword)))
    } catch ForeignFileError.notThisFormat(let reason) {
      let isLikely = bytes.withBytes { ElectrumText.isLikely($0) }
      guard isLikely else { return records.exclude(name, reason, loss: .none) }
      try keepUnread(bytes, found, .faulty(.malformed), &records)
    }
  }

  /// Keeps an unreadable file that looks like a wallet, and may contain unencrypted secrets.
  private mutating func keepUnread(
    _ bytes: borrowing SecretBytes, _ found: borrowing FoundFile, _ result: WalletFinding.Result,
    _ records: inout ImportedRecords
  ) throws {
    let isEncrypted =
      switch bytes.withBytes({ ElectrumText.encryption(of: $0) }) {
      case .none: false
      case .passphrase, .device: true
      }
    if isEncrypted {
      keep(bytes, found, &records)
    } else {
      records.secretFiles += try GuardedFile.parts(
        bytes, source: ElectrumCollector.kind, path: found.name, format: ElectrumCollector.format,
        status: found.status, origin: found.origin(program: ElectrumCollector.kind))
      count += 1
    }
    records.findings.append(
      WalletFinding(
        kind: ElectrumCollector.kind, name: FileName.text(found.name), result, isInClear: !isEncrypted))
  }

  private mutating func take(
    _ bytes: borrowing SecretBytes, _ found: borrowing FoundFile, _ records: inout ImportedRecords
  ) throws {
    let name = FileName.text(found.name)
    let wallet: ElectrumText.Wallet
    var isEncrypted = false
    switch bytes.withBytes({ ElectrumText.encryption(of: $0) }) {
    case .device:
      keep(bytes, found, &records)
      records.findings.append(WalletFinding(kind: ElectrumCollector.kind, name: name, .publicPart()))
      let fate = fate(isSecret: false)
      return records.exclude(
        name, "it is encrypted with a key that only its hardware wallet has; \(fate.sentence)",
        loss: fate.loss)
    case .passphrase:
      isEncrypted = true
      guard let passphrase else {
        keep(bytes, found, &records)
        records.findings.append(
          WalletFinding(kind: ElectrumCollector.kind, name: name, .notProved(.needsPassword)))
        let fate = fate(isSecret: false)
        return records.exclude(
          name, "it is encrypted; \(fate.sentence), and import reads it with its passphrase", loss: fate.loss)
      }
      let plain = try ElectrumText.decrypted(bytes, try passphrase.read(), file: name)
      wallet = try ElectrumText.wallet(plain, file: name)
    case .none: wallet = try ElectrumText.wallet(bytes, file: name)
    }
    guard Self.isWallet(wallet.root) else {
      throw ForeignFileError.notThisFormat(reason: "\(name) is JSON, but no wallet of Electrum")
    }
    let needsPassphrase = wallet.root.member("use_encryption")?.boolean ?? false
    let typed = try needsPassphrase ? passphrase?.read() : nil
    let (secrets, isWrongPassphrase) = try secrets(of: wallet.root, typed, name)
    let isSecret = !isEncrypted && secrets.hasPlain
    if request.isForBackup {
      let described = ElectrumWallet(wallet.root, name: name).wallet
      let result = try ElectrumWorth.of(
        wallet.root, secrets, described, isWrongPassphrase: isWrongPassphrase)
      records.findings.append(
        WalletFinding(
          kind: ElectrumCollector.kind, name: name, result,
          detail: PackedText.text(described.address) ?? "", isInClear: isSecret))
    }
    let hazards = add(wallet, secrets, name, fate(isSecret: isSecret), &records)
    if isSecret {
      records.secretFiles += try GuardedFile.parts(
        bytes, source: ElectrumCollector.kind, path: found.name, format: ElectrumCollector.format,
        status: found.status, origin: found.origin(program: ElectrumCollector.kind), hazards: hazards)
      count += 1
    } else {
      keep(bytes, found, &records, hazards: hazards)
    }
  }

  /// Returns the secrets of a wallet.
  ///
  /// In a backup, those that the passphrase does not open stay encrypted.
  private func secrets(
    of root: GuardedValue, _ typed: SharedSecret?, _ name: String
  ) throws -> (ElectrumSecrets, isWrongPassphrase: Bool) {
    do {
      return (try ElectrumSecrets(of: root, typed, file: name), false)
    } catch ForeignFileError.wrongPassphrase where request.isForBackup {
      return (try ElectrumSecrets(of: root, nil, file: name), true)
    }
  }

  /// Keeps a file without unencrypted secrets.
  private mutating func keep(
    _ bytes: borrowing SecretBytes, _ found: borrowing FoundFile, _ records: inout ImportedRecords,
    hazards: [String] = []
  ) {
    count += 1
    let file = FileRecords(
      source: ElectrumCollector.kind, path: found.name, content: bytes.withBytes { $0.copied() },
      format: ElectrumCollector.format, status: found.status,
      origin: found.origin(program: ElectrumCollector.kind), hazards: hazards)
    records.files += file.parts
  }

  /// Members that every wallet of some version has.
  private static func isWallet(_ root: GuardedValue) -> Bool {
    ["wallet_type", "keystore", "seed_version", "use_encryption", "addr_history", "master_public_keys"]
      .filter { root.member($0) != nil }.count >= 2
  }

  /// Adds a wallet's secrets, except those already in another file.
  ///
  /// - Returns: whether these are the wallet's first secrets.
  @discardableResult
  private static func add(
    _ secrets: ElectrumSecrets, of wallet: Data, _ name: String, _ records: inout ImportedRecords
  ) -> Bool {
    let known = Set(records.privateKeys.filter { $0.walletID == wallet }.map(\.id))
    let new = secrets.found.map { secret in
      PrivateKeyRecord(
        id: ForeignNames.secret("electrum secret", PackedText.text(wallet) ?? "", secret.place),
        walletID: wallet, kind: secret.kind, name: "\(name) \(secret.place)", secret: secret.secret,
        createdAt: nil)
    }.filter { !known.contains($0.id) && records.budget.admitsSecret() }
    records.privateKeys += new
    return known.isEmpty && !new.isEmpty
  }

  /// Adds a wallet, and returns its hazards.
  private mutating func add(
    _ read: ElectrumText.Wallet, _ secrets: ElectrumSecrets, _ name: String, _ fate: Fate,
    _ records: inout ImportedRecords
  ) -> [String] {
    let described = ElectrumWallet(read.root, name: name)
    let id = described.wallet.id
    if let place = records.wallets.firstIndex(where: { $0.id == id }) {
      // A watch-only copy may have come first.
      if Self.add(secrets, of: id, name, &records) { records.wallets[place].kind = described.wallet.kind }
      records.exclude(
        name, "the wallet of another file, whose history and labels are taken; \(fate.sentence)",
        loss: fate.loss)
      return described.wallet.hazards
    }
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
    Self.add(secrets, of: id, name, &records)
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
