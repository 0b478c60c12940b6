public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// What coordinators of several signers keep, and output descriptors: no secret, but nobody finds the money without it.
///
/// A file is kept byte for byte. What it says is read besides, and what can be computed of it is held against it.
public struct MultisigCollector: ForeignSource {
  static let kind = "multisig"
  private static let byteCountLimit = ImportLimits.walletByteCount

  private let path: String
  private let passphrase: SourcePassphrase?
  private let copying: FileCopying?

  /// The file or folder that a person named, where the key of an encrypted descriptor is asked for, and what copies a
  /// file that its program may be writing.
  public init(path: String, passphrase: SourcePassphrase?, copying: FileCopying?) {
    self.path = path
    self.passphrase = passphrase
    self.copying = copying
  }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Looks at the files, each of which is read part by part when it is written.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    let looking = MultisigLooking(passphrase: passphrase)
    return try files.read(request) { found, whole, records in try looking.look(found, whole, &records) }
  }

  private var files: KeptFiles {
    KeptFiles(path: path, kind: Self.kind, copying: copying) { beginning, name in
      Self.isLikely(beginning) || EncryptedSetup.isLikely(beginning, name: name)
    }
  }

  /// Whether a file begins as one of these does.
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

/// A pass over the files of one source.
private final class MultisigLooking {
  private let passphrase: SourcePassphrase?
  private var keys = SettingKeys()

  init(passphrase: SourcePassphrase?) { self.passphrase = passphrase }

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
    if let finding = content.withBytes({ Self.cosigner($0, name) }) {
      records.findings.append(finding)
      return KeptFiles.Keeping(isSecret: finding.isInClear, format: "coordinator-json", program: nil)
    }
    // What is no text at all is none of these; what is, and has a private key in it, is wiped with the content.
    let (wallets, format) = content.withBytes { bytes in Self.wallets(bytes, name) }
    guard let wallets, !wallets.isEmpty else {
      // What does not even begin as one of these is another file, about which nothing is known to be wrong.
      let isOne = content.withBytes { MultisigCollector.isLikely($0) }
      return unread(name, isOne ? .faulty(.malformed) : .notProved(.notRead), &records)
    }
    for wallet in wallets { wallet.add(to: &records, taken: &keys) }
    return KeptFiles.Keeping(
      isSecret: wallets.contains(where: \.hasPrivateKeys), format: format, program: nil)
  }

  private static func cosigner(_ bytes: Span<UInt8>, _ name: String) -> WalletFinding? {
    guard CosignerKeys.isLikely(bytes), let text = try? TextLines.text(bytes.copied()),
      let document = try? JSONDocument(text, limit: text.count),
      CoordinatorDocuments.wallets(document.root, name: name) == nil
    else { return nil }
    return CosignerKeys(document.root)?.finding(name: name)
  }

  private static func wallets(_ bytes: Span<UInt8>, _ name: String) -> ([CoordinatedWallet]?, String) {
    guard let text = try? TextLines.text(bytes.copied()) else { return (nil, "") }
    if let document = try? JSONDocument(text, limit: text.count) {
      return (CoordinatorDocuments.wallets(document.root, name: name), "coordinator-json")
    }
    guard let lines = String(validating: text, as: UTF8.self) else { return (nil, "") }
    return (CoordinatorTexts.wallets(lines, name: name), "coordinator-text")
  }

  /// A file that is none of these may hold anything.
  private func unread(
    _ name: String, _ result: WalletFinding.Result, _ records: inout ImportedRecords
  ) -> KeptFiles.Keeping {
    records.findings.append(WalletFinding(kind: MultisigCollector.kind, name: name, result, isInClear: true))
    return KeptFiles.Keeping(isSecret: true, format: "", program: nil)
  }

  /// A setup that a coordinator encrypted, which its session's token opens: given in the place of a password.
  private func opened(
    _ setup: EncryptedSetup, _ name: String, _ records: inout ImportedRecords
  ) throws -> [WalletFinding] {
    func only(_ gap: WalletFinding.Gap) -> [WalletFinding] {
      [WalletFinding(kind: MultisigCollector.kind, name: name, .notProved(gap))]
    }
    guard let token = try passphrase?.read() else { return only(.needsPassword) }
    guard let text = try setup.open(token.bytes) else { return only(.wrongPassword) }
    guard let wallets = CoordinatorTexts.wallets(text, name: name) else {
      return [WalletFinding(kind: MultisigCollector.kind, name: name, .faulty(.malformed))]
    }
    var read = ImportedRecords()
    for wallet in wallets { wallet.add(to: &read, taken: &keys) }
    records.wallets += read.wallets
    return read.findings
  }

  /// An encrypted descriptor, which one of its own keys opens: given in the place of a password.
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
      if case .descriptor = opened.content, let plain = String(validating: opened.plaintext, as: UTF8.self) {
        var wallet = CoordinatedWallet(name: name)
        wallet.add(descriptor: plain.trimmed)
        let own = wallet.finding
        if own.isFaulty { return finding(own.result, own.detail) }
        var read = ImportedRecords()
        wallet.add(to: &read, taken: &keys)
        records.wallets += read.wallets
        return finding(.proved(.opened), own.detail)
      }
      return finding(.proved(.opened), count)
    }
    return finding(.notProved(.wrongPassword), count)
  }
}
