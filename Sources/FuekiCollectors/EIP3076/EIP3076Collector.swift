internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Validators' slashing records, of the programs that have their keys.
  static let eip3076 = CollectorKind(
    EIP3076Collector.kind, "slashing records of validators: EIP-3076, and clients' own", reach: .tree,
    guide: .validators,
    formats: [
      FileFormat(
        SlashingRecord.format, hold: .slashingRecord,
        // Prysm has the second, and Teku the directory.
        heldNames: ["slashing_protection*", "validator.db"], heldFolders: ["slashprotection"],
        isPublic: { $0.contains("\"interchange_format_version\"") })
    ],
    fileNames: WalletNames(possible: ["*.json", "slashing_protection*", "slashing-protection*"]),
    hazards: [.validator],
    recognises: { $0.contains("\"interchange_format_version\"") || TekuRecord.isLikely($0) },
    read: EIP3076Collector.read)
}

/// Collects validators' slashing records: EIP-3076 exports, databases of Lighthouse and Nimbus, and Teku's
/// files.
///
/// All are public and kept byte for byte. The highest signed values per key are reported for the supported
/// formats. An old record in place of a newer one is dangerous, so they are merged when put back.
enum EIP3076Collector {
  static let kind = "eip3076"
  static let databaseFormat = "eip3076-sqlite"
  static let tekuFormat = "eip3076-teku"

  private static let databaseMagic = Array("SQLite format 3\0".utf8)

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    try source.walk(request).forEach(into: &records) { found, records in
      let name = found.nameText
      if found.beginning(16) == Self.databaseMagic {
        return try takeDatabase(found, source, request, &records)
      }
      guard found.status.size <= UInt64(SlashingRecord.byteCountLimit) else {
        guard found.beginsAsObject else { return records.exclude(name, "no slashing record", loss: .none) }
        try records.keepUnread(
          found, format: SlashingRecord.format, source: Self.kind, from: source.name, request)
        return records.findings.append(WalletFinding(kind: Self.kind, name: name, .notProved(.notRead)))
      }
      if found.beginsAsObject { return try takeRecord(found, &records) }
      guard name.hasSuffix(".yml") || name.hasSuffix(".yaml") else {
        return records.exclude(name, "no slashing record", loss: .none)
      }
      try takeTeku(found, &records)
    }
    if records.keepsNothing { try records.foundNothing(at: source.path, "no slashing record is there") }
    records.keepOnly(request)
    return records
  }

  private static func takeRecord(_ found: borrowing FoundFile, _ records: inout ImportedRecords) throws {
    let name = found.nameText
    let content = try found.file.readAll(limit: SlashingRecord.byteCountLimit)
    guard content.span.contains("\"interchange_format_version\"") else {
      return records.exclude(name, "JSON, but no slashing record", loss: .none)
    }
    let file = KeptFile(source: Self.kind, format: SlashingRecord.format).keep(
      content, of: found, in: &records)
    do throws(SlashingRecordError) {
      let record = try SlashingRecord(reading: content)
      records.findings.append(
        WalletFinding(
          kind: Self.kind, name: name, Self.result(record, found.path), detail: Self.detail(record)))
      if record.isSlashable {
        records.problems.append(file.problem("its messages get a validator slashed"))
      }
      if record.genesisRoot == nil {
        records.problems.append(
          file.problem("it names no network: clients may refuse it, and it is merged with no other"))
      }
    } catch {
      records.problems.append(file.problem(error.sentence))
      records.findings.append(WalletFinding(kind: Self.kind, name: name, .faulty(.malformed)))
    }
  }

  private static func result(_ record: SlashingRecord, _ path: [UInt8]) -> WalletFinding.Result {
    if record.isSlashable { return .faulty(.slashable) }
    guard let root = record.genesisRoot else { return .notProved(.nothingToCompare) }
    return KnownNetwork.contradicts(root, path: path) ? .faulty(.otherNetwork) : .publicPart(.wholeness)
  }

  /// Returns the highest values of all keys, which a restored validator must not sign again.
  static func detail(_ record: SlashingRecord) -> String {
    let highest = record.highest
    let numbers = [
      ("slot", highest.slot), ("source", highest.sourceEpoch), ("target", highest.targetEpoch),
    ]
    return numbers.reduce("keys=\(record.keys.count)") { text, entry in
      entry.1.map { "\(text) \(entry.0)=\($0)" } ?? text
    }
  }

  private static func takeTeku(_ found: borrowing FoundFile, _ records: inout ImportedRecords) throws {
    let name = found.nameText
    guard found.status.size <= UInt64(TekuRecord.byteCountLimit) else {
      return records.exclude(name, "no slashing record of Teku", loss: .none)
    }
    let content = try found.file.readAll(limit: TekuRecord.byteCountLimit)
    guard let record = TekuRecord(content, name: found.name) else {
      return records.exclude(name, "no slashing record of Teku", loss: .none)
    }
    KeptFile(source: Self.kind, format: Self.tekuFormat, program: "teku").keep(
      content, of: found, in: &records)
    let result: WalletFinding.Result =
      record.genesisRoot == nil ? .notProved(.nothingToCompare) : .publicPart(.wholeness)
    records.findings.append(
      WalletFinding(kind: Self.kind, name: name, result, detail: Self.detail(record.record)))
  }

  private static func takeDatabase(
    _ found: borrowing FoundFile, _ source: KindSource, _ request: CollectionRequest,
    _ records: inout ImportedRecords
  ) throws {
    let name = found.nameText
    let last = name.split(separator: "/").last ?? ""
    guard last.hasPrefix("slashing_protection") || last.hasPrefix("slashing-protection") else {
      return records.exclude(name, "a database, but no slashing record's", loss: .none)
    }
    guard let taken = records.taking(found, by: source.copying) else { return }
    try records.keepUnread(
      found, taken, format: Self.databaseFormat, source: Self.kind, from: source.name, request)
    records.findings.append(
      WalletFinding(
        kind: Self.kind, name: name, taken.isDamaged ? .faulty(.malformed) : .notProved(.notRead)))
  }
}

/// Ethereum networks for which clients have directories, by genesis validators root.
private enum KnownNetwork {
  private static let roots = [
    "mainnet": "4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95",
    "sepolia": "d8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078",
    "holesky": "9143aa7c615a7f7115e2b6aac319c03529df8242ae705fba9df39b79c59fa8b1",
  ]

  /// Whether a file is in the directory of one network, but belongs to another.
  static func contradicts(_ root: [UInt8], path: [UInt8]) -> Bool {
    let digits = Hex.encode(root)
    guard let network = roots.first(where: { $0.value == digits })?.key else { return false }
    let folders = String(decoding: path, as: UTF8.self).split(separator: "/")
    let named = folders.first { roots[String($0)] != nil }
    return named.map { String($0) != network } ?? false
  }
}
