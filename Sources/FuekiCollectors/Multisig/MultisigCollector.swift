internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects multisig coordinators' files and output descriptors: not secret, but indispensable for finding
/// the coins.
///
/// A file is kept byte for byte. Its contents are also read, and checked against computed values.
enum MultisigCollector {
  static let kind = "multisig"
  private static let byteCountLimit = ImportLimits.walletByteCount

  /// Inspects the files.
  ///
  /// Each is read in parts when it is written to the archive.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let looking = MultisigLooking(passphrase: source.passphrase, work: request.work)
    let files = KeptFiles(source) { beginning, name in
      isLikely(beginning) || EncryptedSetup.isLikely(beginning, name: name)
    }
    return try files.read(request) { found, whole, records in try looking.look(found, whole, &records) }
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

  fileprivate static func content(_ whole: CopiedFile) throws -> SecretBytes? {
    try whole.bytes(limit: byteCountLimit)
  }
}

/// A pass over one source's files.
private final class MultisigLooking {
  private let passphrase: SourcePassphrase?
  private let work: WorkBudget
  private var keys = SettingKeys()

  init(passphrase: SourcePassphrase?, work: WorkBudget) {
    self.passphrase = passphrase
    self.work = work
  }

  func look(
    _ found: borrowing FoundFile, _ whole: CopiedFile, _ records: inout ImportedRecords
  ) throws -> KeptFiles.Keeping? {
    let name = FileName.text(found.name.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [])
    guard let content = try MultisigCollector.content(whole) else {
      return unread(name, .notProved(.notRead), &records)
    }
    if content.withBytes({ DescriptorBackup.isLikely($0) }) {
      let bytes = content.withBytes { $0.copied() }
      records.findings.append(try encrypted(bytes, name, &records))
      return KeptFiles.Keeping(isSecret: false, format: "bip138-backup", program: nil)
    }
    if let setup = content.withBytes({ EncryptedSetup($0) }) {
      for finding in try opened(setup, name, &records) { records.findings.append(finding) }
      return KeptFiles.Keeping(isSecret: false, format: "bsms-encrypted", program: nil)
    }
    if let finding = content.withBytes({ self.cosigner($0, name) }) {
      records.findings.append(finding)
      return KeptFiles.Keeping(isSecret: finding.isInClear, format: "coordinator-json", program: nil)
    }
    // Files that are not text are of another kind. A text with a private key is wiped with the content.
    let (wallets, format) = content.withBytes { bytes in self.wallets(bytes, name) }
    guard let wallets, !wallets.isEmpty else {
      // A file without a recognised start is another kind of file, with no known fault.
      let isOne = content.withBytes { MultisigCollector.isLikely($0) }
      return unread(name, isOne ? .faulty(.malformed) : .notProved(.notRead), &records)
    }
    try Self.check(wallets)
    for wallet in wallets { wallet.add(to: &records, taken: &keys) }
    return KeptFiles.Keeping(
      isSecret: wallets.contains(where: \.hasPrivateKeys), format: format, program: nil)
  }

  private func cosigner(_ bytes: Span<UInt8>, _ name: String) -> WalletFinding? {
    guard CosignerKeys.isLikely(bytes), let text = try? TextLines.text(bytes.copied()),
      let document = try? JSONDocument(text, limit: text.count),
      CoordinatorDocuments.wallets(document.root, name: name, work: work) == nil
    else { return nil }
    return CosignerKeys(document.root)?.finding(name: name)
  }

  private func wallets(_ bytes: Span<UInt8>, _ name: String) -> ([CoordinatedWallet]?, String) {
    guard let text = try? TextLines.text(bytes.copied()) else { return (nil, "") }
    if let document = try? JSONDocument(text, limit: text.count) {
      return (CoordinatorDocuments.wallets(document.root, name: name, work: work), "coordinator-json")
    }
    guard let lines = String(validating: text, as: UTF8.self) else { return (nil, "") }
    return (CoordinatorTexts.wallets(lines, name: name, work: work), "coordinator-text")
  }

  /// - Throws: the error that kept a wallet from being read whole.
  private static func check(_ wallets: [CoordinatedWallet]) throws {
    for wallet in wallets { if let error = wallet.exceeded { throw error } }
  }

  /// Records a file of another kind, which may contain anything.
  private func unread(
    _ name: String, _ result: WalletFinding.Result, _ records: inout ImportedRecords
  ) -> KeptFiles.Keeping {
    records.findings.append(WalletFinding(kind: MultisigCollector.kind, name: name, result, isInClear: true))
    return KeptFiles.Keeping(isSecret: true, format: "", program: nil)
  }

  /// Decrypts a coordinator's setup with its session's token, given as the password.
  private func opened(
    _ setup: EncryptedSetup, _ name: String, _ records: inout ImportedRecords
  ) throws -> [WalletFinding] {
    func only(_ gap: WalletFinding.Gap) -> [WalletFinding] {
      [WalletFinding(kind: MultisigCollector.kind, name: name, .notProved(gap))]
    }
    guard let token = try passphrase?.read() else { return only(.needsPassword) }
    guard let text = try setup.open(token.bytes) else { return only(.wrongPassword) }
    guard let wallets = CoordinatorTexts.wallets(text, name: name, work: work) else {
      return [WalletFinding(kind: MultisigCollector.kind, name: name, .faulty(.malformed))]
    }
    var read = ImportedRecords()
    try Self.check(wallets)
    for wallet in wallets { wallet.add(to: &read, taken: &keys) }
    records.wallets += read.wallets
    return read.findings
  }

  /// Decrypts a descriptor with one of its own keys, given as the password.
  private func encrypted(
    _ bytes: [UInt8], _ name: String, _ records: inout ImportedRecords
  ) throws -> WalletFinding {
    func finding(_ result: WalletFinding.Result, _ detail: String = "") -> WalletFinding {
      WalletFinding(kind: MultisigCollector.kind, name: name, result, detail: detail)
    }
    guard let backup = try? DescriptorBackup(bytes) else { return finding(.faulty(.malformed)) }
    let count = "\(backup.individualSecrets.count)"
    guard let given = try passphrase?.read() else { return finding(.notProved(.needsSeed), count) }
    let text = given.bytes.withBytes { String(decoding: $0.copied(), as: UTF8.self) }.trimmed
    let points = DescriptorBackup.keys(of: text)
    guard !points.isEmpty else { return finding(.notProved(.wrongPassword), count) }
    for point in points {
      guard let opened = try? backup.open(with: point) else { continue }
      if case .descriptor = opened.content, let plain = String(bounded: opened.plaintext) {
        var wallet = CoordinatedWallet(name: name, work: work)
        wallet.add(descriptor: plain.trimmed)
        try Self.check([wallet])
        let own = wallet.finding
        if own.isFaulty { return finding(own.result, own.detail) }
        var read = ImportedRecords()
        wallet.add(to: &read, taken: &keys)
        records.wallets += read.wallets
        return finding(wallet.hasPrivateKeys ? own.result : .publicPart(.opened), own.detail)
      }
      return finding(.publicPart(.opened), count)
    }
    return finding(.notProved(.wrongPassword), count)
  }
}
