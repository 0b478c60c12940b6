internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects wallet files of Bitcoin Core and Litecoin Core.
///
/// A file is kept byte for byte, from a consistent copy. The records of a descriptor wallet are also read and
/// its keys are proved. In a legacy wallet, only the pages are checked.
enum BitcoinCoreCollector {
  static let kind = "bitcoin-core"

  /// Inspects the files.
  ///
  /// Each is read in parts when it is written to the archive.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let looking = CoreLooking(source, work: request.work)
    let files = KeptFiles(source) { beginning, _ in isLikely(beginning) }
    return try files.read(request) { found, whole, records in
      try looking.look(found, whole, &records)
    }
  }

  /// Whether a file's first bytes are those of a node's wallet.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    LegacyWallet.isLikely(beginning)
      || beginning.contains("SQLite format 3") && beginning.contains("CREATE TABLE main(key BLOB")
  }
}

/// A pass over one source's files.
private final class CoreLooking {
  private let password: AskedPassword
  private let work: WorkBudget
  private var keys = SettingKeys()

  init(_ source: KindSource, work: WorkBudget) {
    password = AskedPassword(source.passphrase, work: work)
    self.work = work
  }

  func look(
    _ found: borrowing FoundFile, _ whole: CopiedFile, _ records: inout ImportedRecords
  ) throws -> KeptFiles.Keeping? {
    let name = Self.name(of: found)
    let beginning = try whole.file.readExactly(Int(clamping: min(whole.byteCount, 64)), at: 0)
    if LegacyWallet.isLikely(beginning.span) { return try look(legacy: whole, found, name, &records) }
    if beginning.span.contains("SQLite format 3") { return try look(database: whole, found, name, &records) }
    // The name indicates a wallet. The file may be damaged, but a damaged wallet is worth keeping.
    records.findings.append(
      WalletFinding(kind: BitcoinCoreCollector.kind, name: name, .faulty(.malformed), isInClear: true))
    return KeptFiles.Keeping(isSecret: true, format: "", program: nil)
  }

  private func look(
    legacy whole: CopiedFile, _ found: borrowing FoundFile, _ name: String, _ records: inout ImportedRecords
  ) throws -> KeptFiles.Keeping {
    let isSecret = try ClearKeys.are(in: whole, work: work)
    let result: WalletFinding.Result =
      switch try LegacyWallet.problem(of: whole, work: work) {
      case .malformed: .faulty(.malformed)
      case .length: .faulty(.length)
      case nil: .notProved(.notRead)
      }
    records.findings.append(
      WalletFinding(kind: BitcoinCoreCollector.kind, name: name, result, isInClear: isSecret))
    records.note(
      "\(FileName.text(found.name)): a wallet of the old kind, which newer versions of its program do not load: "
        + "make one with descriptors of it with migratewallet", .files, PackedText.pack(name))
    return KeptFiles.Keeping(
      isSecret: isSecret, format: "bitcoin-core-legacy", program: Self.program(found, isLitecoin: false))
  }

  private func look(
    database whole: CopiedFile, _ found: borrowing FoundFile, _ name: String, _ records: inout ImportedRecords
  ) throws -> KeptFiles.Keeping {
    let isSecret = try ClearKeys.are(in: whole, work: work)
    let format = "bitcoin-core-wallet"
    let place = found.origin(program: nil).program
    do {
      let database = try SQLiteFile(whole, work: work)
      guard try database.hasTable(CoreRecords.table) else { throw SQLiteFile.Damage() }
      let wallet = try CoreWallet(
        CoreRecords(database), applicationID: database.applicationID, name: name,
        isLitecoin: place == "litecoin-core", work: work, password: password.read)
      wallet.add(to: &records, taken: &keys)
      records.findings.append(wallet.finding)
      return KeptFiles.Keeping(
        isSecret: isSecret, format: format,
        program: Self.program(found, isLitecoin: wallet.network.hasPrefix("litecoin")))
    } catch is SQLiteFile.Damage {
      records.findings.append(
        WalletFinding(kind: BitcoinCoreCollector.kind, name: name, .faulty(.malformed), isInClear: isSecret))
      return KeptFiles.Keeping(
        isSecret: isSecret, format: format, program: Self.program(found, isLitecoin: false))
    }
  }

  /// Nil if the place already identifies the program.
  private static func program(_ found: borrowing FoundFile, isLitecoin: Bool) -> String? {
    guard found.origin(program: nil).program.isEmpty else { return nil }
    return isLitecoin ? "litecoin-core" : "bitcoin-core"
  }

  /// Returns the wallet's name: that of its program's directory for it, else the file's.
  private static func name(of found: borrowing FoundFile) -> String {
    let parts = found.path.split(separator: UInt8(ascii: "/")).map { FileName.text(Array($0)) }
    guard parts.count >= 3, parts.last == "wallet.dat", parts[parts.count - 3] == "wallets" else {
      return parts.last ?? FileName.text(found.name)
    }
    return parts[parts.count - 2]
  }
}
