internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Multisig coordinators' files, and descriptors.
  static let multisig = CollectorKind(
    MultisigCollector.kind,
    "files of coordinators (BSMS, Coldcard, Caravan, Specter, Liana, .bed), and descriptors", reach: .tree,
    guide: .multisig,
    programs: [
      WalletProgram(
        id: "specter", title: "Specter Desktop", folders: [".specter"],
        places: [
          .folder(
            ".specter/wallets", of: ["*/*.json"], kind: MultisigCollector.kind, .nothingSecret, [.noSeed]),
          .folder(".specter/devices", of: ["*.json"], .hidden, [.noSeed]),
        ],
        beside: [".specter/wallets/*/*.json", ".specter/wallets/*/*.csv"]),
      WalletProgram(
        id: "liana", title: "Liana", folders: [".liana"],
        places: [
          .folder(".liana", of: ["*/lianad.sqlite3", "*/data/*/lianad.sqlite3"], .nothingSecret, [.noSeed]),
          .folder(
            ".liana", of: ["*/mnemonics/mnemonic-*.txt", "*/data/*/mnemonics/mnemonic-*.txt"], .never,
            [.clearSecret]),
        ]),
      WalletProgram(
        id: "coordinator-export", title: "Multisig coordinator file",
        places: [
          .export("*.bsms", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("*bsms*.txt", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("*caravan*.json", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("liana-*.json", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("*.bed", kind: MultisigCollector.kind, .always, .noSeed),
        ]),
    ],
    fileNames: WalletNames(
      certain: ["*.bsms", "*.bed", "*bsms*.txt", "*caravan*.json", "liana-*.json"], possible: ["*.json"]),
    limit: .max, what: "coordinator's file", recognises: { MultisigCollector.isLikely($0) },
    look: MultisigCollector.look)
}

/// Multisig coordinators' files and output descriptors: not secret, but indispensable for finding
/// the coins.
///
/// A file is kept byte for byte. Its contents are also read, and checked against computed values.
enum MultisigCollector {
  static let kind = "multisig"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = FileName.text(found.lastName)
    let looking = MultisigLooking(asked: asked, name: name)
    guard found.byteCount <= UInt64(ImportLimits.walletByteCount) else {
      guard try found.isNamed || found.secretBeginning(64 << 10).withBytes({ isLikely($0) }) else {
        return .other(reason: "it is no coordinator's file")
      }
      // It is not read whole, with no known fault.
      return .wallet(Kept(format: "", isSecret: true, asked.finding(name, .notProved(.notRead))))
    }
    let content = try found.bytes()
    let mayBeSetup = found.isNamed || content.withBytes { EncryptedSetup.isLikely($0, name: found.name) }
    guard var kept = try content.withBytes({ try looking.kept($0, mayBeSetup: mayBeSetup) }) else {
      return .other(reason: "it is no coordinator's file")
    }
    kept.records.budget.read(content.count)
    return .wallet(kept)
  }

  /// Whether a file's first bytes look like one of these.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    if DescriptorBackup.isLikely(beginning) { return true }
    let members = beginning.contains("\"descriptor\"")
    if members && (beginning.contains("\"blockheight\"") || beginning.contains("\"accounts\"")) {
      return true
    }
    if beginning.contains("\"recv_descriptor\"") { return true }
    if beginning.contains("\"extendedPublicKeys\"") && beginning.contains("\"quorum\"") { return true }
    if beginning.contains("\"xfp\"") && beginning.contains("\"deriv\"") { return true }
    if CosignerKeys.isLikely(beginning) { return true }
    let text = (0..<min(beginning.count, 4096)).map { beginning[$0] }
    let lines = text.split { $0 == 0x0a || $0 == 0x0d }.map { String(decoding: $0, as: UTF8.self).trimmed }
    if lines.first?.hasPrefix("BSMS 1") == true { return true }
    if lines.contains(where: { $0.hasPrefix("Policy:") }), lines.contains(where: { $0.hasPrefix("Name:") }) {
      return true
    }
    if lines.contains(where: { $0.hasPrefix(CoordinatorTexts.importing) }) { return true }
    let first = lines.first { !$0.hasPrefix("#") } ?? ""
    return CoordinatorTexts.beginnings.contains(where: first.hasPrefix)
  }
}

/// What is in one file, by the coordinators' formats.
private struct MultisigLooking {
  let asked: Asked
  /// The file's name.
  let name: String

  /// Returns a file's content; nil for a file of another kind.
  func kept(_ bytes: Span<UInt8>, mayBeSetup: Bool) throws -> Kept? {
    if DescriptorBackup.isLikely(bytes) { return try encrypted(bytes.copied()) }
    if mayBeSetup, let setup = EncryptedSetup(bytes) { return try opened(setup) }
    if let finding = cosigner(bytes) {
      return Kept(format: "coordinator-json", isSecret: finding.isInClear, finding)
    }
    // Files that are not text are of another kind.
    let (wallets, format) = wallets(bytes)
    guard let wallets, !wallets.isEmpty else { return nil }
    var kept = Kept(format: format)
    kept.isSecret = wallets.contains(where: \.hasPrivateKeys)
    try add(wallets, of: bytes.count, to: &kept.records)
    return kept
  }

  private func add(
    _ wallets: [CoordinatedWallet], of byteCount: Int, to records: inout ImportedRecords
  ) throws {
    for wallet in wallets { if let error = wallet.exceeded { throw error } }
    records.budget.read(atLeast: byteCount)
    var keys = SettingKeys()
    for wallet in wallets { wallet.add(to: &records, taken: &keys) }
  }

  private func cosigner(_ bytes: Span<UInt8>) -> WalletFinding? {
    guard CosignerKeys.isLikely(bytes), let text = try? TextLines.text(bytes.copied()),
      let document = try? JSONDocument(text, limit: text.count),
      CoordinatorDocuments.wallets(document.root, name: name, work: asked.work) == nil
    else { return nil }
    return CosignerKeys(document.root)?.finding(name: name)
  }

  private func wallets(_ bytes: Span<UInt8>) -> ([CoordinatedWallet]?, String) {
    guard let text = try? TextLines.text(bytes.copied()) else { return (nil, "") }
    if let document = try? JSONDocument(text, limit: text.count) {
      return (CoordinatorDocuments.wallets(document.root, name: name, work: asked.work), "coordinator-json")
    }
    guard let lines = String(validating: text, as: UTF8.self) else { return (nil, "") }
    return (CoordinatorTexts.wallets(lines, name: name, work: asked.work), "coordinator-text")
  }

  /// Decrypts a coordinator's setup with its session's token, given as the password.
  private func opened(_ setup: EncryptedSetup) throws -> Kept {
    func only(_ result: WalletFinding.Result) -> Kept {
      Kept(format: "bsms-encrypted", isSecret: false, asked.finding(name, result))
    }
    guard let token = try asked.password.read() else { return only(.notProved(.needsPassword)) }
    guard let text = try setup.open(token.bytes) else { return only(.notProved(.wrongPassword)) }
    guard let wallets = CoordinatorTexts.wallets(text, name: name, work: asked.work) else {
      return only(.faulty(.malformed))
    }
    var (kept, read) = (Kept(format: "bsms-encrypted"), ImportedRecords())
    kept.isSecret = false
    try add(wallets, of: text.utf8.count, to: &read)
    (kept.records.wallets, kept.records.findings) = (read.wallets, read.findings)
    return kept
  }

  /// Decrypts a descriptor with one of its own keys, given as the password.
  private func encrypted(_ bytes: [UInt8]) throws -> Kept {
    func only(_ result: WalletFinding.Result, _ detail: String = "") -> Kept {
      Kept(format: "bip138-backup", isSecret: false, asked.finding(name, result, detail: detail))
    }
    guard let backup = try? DescriptorBackup(bytes) else { return only(.faulty(.malformed)) }
    let count = "\(backup.individualSecrets.count)"
    guard let given = try asked.password.read() else { return only(.notProved(.needsSeed), count) }
    let text = given.bytes.withBytes { String(decoding: $0.copied(), as: UTF8.self) }.trimmed
    let points = DescriptorBackup.keys(of: text)
    guard !points.isEmpty else { return only(.notProved(.wrongPassword), count) }
    for point in points {
      guard let opened = try? backup.open(with: point) else { continue }
      guard case .descriptor = opened.content, let plain = String(bounded: opened.plaintext) else {
        return only(.publicPart(.opened), count)
      }
      var wallet = CoordinatedWallet(name: name, work: asked.work)
      wallet.add(descriptor: plain.trimmed)
      var read = ImportedRecords()
      try add([wallet], of: bytes.count, to: &read)
      let own = wallet.finding
      if own.isFaulty { return only(own.result, own.detail) }
      var kept = only(wallet.hasPrivateKeys ? own.result : .publicPart(.opened), own.detail)
      kept.records.wallets = read.wallets
      return kept
    }
    return only(.notProved(.wrongPassword), count)
  }
}
