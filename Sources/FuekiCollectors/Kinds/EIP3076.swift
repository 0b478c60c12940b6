package import FuekiSources
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
    fileNames: WalletNames(
      certain: ["slashing_protection*", "slashing-protection*"], possible: ["*.json", "0x*.yml"]),
    hazards: [.validator], limit: .max, what: "slashing record",
    recognises: { $0.contains("\"interchange_format_version\"") || TekuRecord.isLikely($0) },
    look: EIP3076Collector.look)
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

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = found.nameText
    if found.beginning(16) == databaseMagic {
      guard asked.kind.fileNames.isWallet(FileName.text(found.lastName)) else {
        return .other(reason: "it is a database, but no slashing record's")
      }
      return .wallet(
        Kept(format: databaseFormat, isSecret: false, asked.finding(name, .notProved(.notRead))))
    }
    let isObject = found.beginning(64).span.firstVisible == UInt8(ascii: "{")
    let isYAML = [".yml", ".yaml"].contains { found.name.reversed().starts(with: $0.utf8.reversed()) }
    guard isObject || isYAML else { return .other(reason: "it is no slashing record") }
    guard found.byteCount <= UInt64(SlashingRecord.byteCountLimit) else {
      guard isObject else { return .other(reason: "it is no slashing record of Teku") }
      return .wallet(
        Kept(format: SlashingRecord.format, isSecret: false, asked.finding(name, .notProved(.notRead))))
    }
    asked.work.admit(input: found.byteCount)
    let content = try found.publicBytes()
    return isObject ? record(content, found, asked) : teku(content, found, asked)
  }

  private static func record(
    _ content: [UInt8], _ found: borrowing FoundFile, _ asked: Asked
  ) -> Look {
    guard content.span.contains("\"interchange_format_version\"") else {
      return .other(reason: "it is JSON, but no slashing record")
    }
    let name = found.nameText
    do throws(SlashingRecordError) {
      let record = try SlashingRecord(reading: content)
      var kept = Kept(
        format: SlashingRecord.format, isSecret: false,
        asked.finding(name, result(record, found.path), detail: detail(record)))
      if record.isSlashable { kept.problems.append("its messages get a validator slashed") }
      if record.genesisRoot == nil {
        kept.problems.append("it names no network: clients may refuse it, and it is merged with no other")
      }
      return .wallet(kept)
    } catch {
      var kept = Kept(
        format: SlashingRecord.format, isSecret: false, asked.finding(name, .faulty(.malformed)))
      kept.problems = [error.sentence]
      return .wallet(kept)
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

  private static func teku(_ content: [UInt8], _ found: borrowing FoundFile, _ asked: Asked) -> Look {
    guard content.count <= TekuRecord.byteCountLimit, let record = TekuRecord(content, name: found.name)
    else {
      return .other(reason: "it is no slashing record of Teku")
    }
    let result: WalletFinding.Result =
      record.genesisRoot == nil ? .notProved(.nothingToCompare) : .publicPart(.wholeness)
    var kept = Kept(
      format: tekuFormat, isSecret: false,
      asked.finding(found.nameText, result, detail: detail(record.record)))
    kept.program = "teku"
    return .wallet(kept)
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

/// Teku's slashing record of one key: a file `<public key>.yml` with a number per line.
package struct TekuRecord {
  static let byteCountLimit = 64 << 10

  /// The network; nil if the file does not state it, as in older versions.
  let genesisRoot: [UInt8]?
  /// The numbers as one key's record.
  package let record: SlashingRecord

  /// Whether a file's first bytes have Teku's members.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.contains("lastSignedBlockSlot:") && beginning.contains("lastSignedAttestation")
  }

  /// Parses a complete file; nil for another kind of file.
  package init?(_ bytes: [UInt8], name: [UInt8]) {
    guard Self.isLikely(bytes.span), let text = String(bounded: bytes) else { return nil }
    var members: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
      members[String(line[..<colon].filter { !$0.isWhitespace })] = String(value)
    }
    var isReadable = true
    func number(_ name: String) -> UInt64? {
      guard let digits = members[name], digits != "null", !digits.isEmpty else { return nil }
      let number = UInt64(digits)
      if number == nil { isReadable = false }
      return number
    }
    let maxima = SlashingRecord.Maxima(
      slot: number("lastSignedBlockSlot"), sourceEpoch: number("lastSignedAttestationSourceEpoch"),
      targetEpoch: number("lastSignedAttestationTargetEpoch"))
    guard isReadable else { return nil }
    let root = (members["genesisValidatorsRoot"] ?? members["genesis_validators_root"]).flatMap {
      Self.bytes($0, count: 32)
    }
    genesisRoot = root
    let last = name.split(separator: UInt8(ascii: "/")).last ?? []
    let key = Self.bytes(String(decoding: last.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self), count: 48)
    record = SlashingRecord(genesisRoot: root, keys: [key ?? []: maxima])
  }

  private static func bytes(_ text: String, count: Int) -> [UInt8]? {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    guard let bytes = Hex.decode(digits), bytes.count == count else { return nil }
    return bytes
  }
}
