public import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// Collects a directory of Web3 Secret Storage files of version 3, as in geth and many others, or one such
/// file.
///
/// The files are encrypted by their wallet, and kept byte for byte. An invalid one is kept and its problems
/// are reported. Other files are excluded with a reason. The rules are those of the Web3 Secret Storage
/// definition. Hidden files and editors' backups are skipped, as in geth.
public struct KeystoreCollector: ForeignSource {
  static let byteCountLimit = ImportLimits.keystoreByteCount
  static let kind = "keystore"
  static let format = "web3-secret-storage-v3"

  private let path: String
  private let passphrase: SourcePassphrase?

  /// Creates a source for a directory or file.
  ///
  /// `passphrase` asks for the password of a backup's keystores. It only proves them, and no content is read
  /// with it.
  public init(path: String, passphrase: SourcePassphrase? = nil) {
    self.path = path
    self.passphrase = passphrase
  }

  /// The source's name in reports.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the directory's files.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    guard records.wants(.files, request) else { return records }
    let files = SourceFiles(
      path: path, byteCountLimit: UInt64(Self.byteCountLimit),
      destroyed: DestroyedFiles(kind: Self.kind, request: request))
    try files.forEach(into: &records) { found, records in
      let name = found.name
      let content: [UInt8]
      do throws(SystemError) {
        content = try found.file.readAll(limit: Self.byteCountLimit)
      } catch {
        return records.exclude(FileName.text(name), error.sentence, loss: .possible)
      }
      switch KeystoreDescription(content, name: name) {
      case .other(let reason, let mayHoldKey):
        records.exclude(FileName.text(name), reason, loss: mayHoldKey ? .possible : .none)
      case .earlier(let format, let address):
        KeptFile(source: Self.kind, format: format, address: address).keep(content, of: found, in: &records)
        guard request.isForBackup else { return }
        records.findings.append(
          WalletFinding(kind: Self.kind, name: FileName.text(name), .notProved(.notRead), detail: address))
      case .keystore(let address, let kdf, let problems):
        let file = KeptFile(source: Self.kind, format: Self.format, address: address, kdf: kdf)
          .keep(content, of: found, in: &records)
        records.problems += problems.map(file.problem)
        guard request.isForBackup else { return }
        let result = try KeystoreWorth.of(content, passphrase, work: request.work)
        records.findings.append(
          WalletFinding(kind: Self.kind, name: FileName.text(name), result, detail: address))
      }
    }
    if records.files.isEmpty { try records.foundNothing(at: path, "no keystore is there") }
    return records
  }
}
