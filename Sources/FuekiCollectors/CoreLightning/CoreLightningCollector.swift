internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// A node's secret, and its emergency file.
  static let coreLightning = CollectorKind(
    CoreLightningCollector.kind, "hsm_secret and emergency.recover of Core Lightning", reach: .tree,
    guide: .coreLightning,
    programs: [
      WalletProgram(
        id: "core-lightning", title: "Core Lightning", group: .lightning, folders: [".lightning"],
        locks: [.held(".lightning/lightningd-*.pid"), .held(".lightning/*/lightningd-*.pid")],
        places: [
          .one(".lightning/*/hsm_secret", kind: CoreLightningCollector.kind, .coreLightning, .clearSecret),
          .one(".lightning/*/emergency.recover", kind: CoreLightningCollector.kind, .always, .closesChannels),
          .one(".lightning/*/lightningd.sqlite3", .nothingSecret, .oldChannels),
        ],
        beside: [
          ".lightning/hsm_secret*", ".lightning/emergency.recover*", ".lightning/*.sqlite3",
          ".lightning/*/hsm_secret*", ".lightning/*/emergency.recover*", ".lightning/*/*.sqlite3",
        ])
    ],
    formats: [
      FileFormat(CoreLightningCollector.secretFormat, fileNames: ["hsm_secret"]),
      FileFormat(
        CoreLightningCollector.recoveryFormat, hold: .channelBackup, heldNames: ["emergency.recover"]),
      FileFormat("core-lightning-db", fileNames: ["lightningd.sqlite3"], hold: .channels),
    ],
    fileNames: WalletNames(
      exact: ["hsm_secret", "emergency.recover"], certain: ["hsm_secret*", "emergency.recover*"]),
    hazards: [.lightning], recognises: { StaticBackup.isLikely($0) }, read: CoreLightningCollector.read)
}

/// Collects a Core Lightning node's secret and its channels' static backup.
///
/// Its database is never collected, because restoring an old one forfeits the channels' money.
enum CoreLightningCollector {
  static let kind = "core-lightning"
  static let secretFormat = "core-lightning-hsm"
  static let recoveryFormat = "core-lightning-recover"
  static let staticFormat = "core-lightning-staticbackup"

  private static let recoveryByteCountLimit = 16 << 20

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the passphrase.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    let password = source.proofPassword(request)
    var recoveries: [(folder: String, name: String, content: [UInt8])] = []
    var secrets: [ExactText: SharedSecret] = [:]
    try source.walk(request).forEach(into: &records) { found, records in
      let name = found.nameText
      let parts = PathParts(name)
      let last = parts.name
      if last.hasPrefix("lightningd.sqlite3") {
        return records.exclude(
          name, "an old copy of the channels' database forfeits their money. It is left out", loss: .none)
      }
      let folder = String(name.dropLast(last.utf8.count))
      if last.hasPrefix("emergency.recover") {
        guard found.status.size <= UInt64(Self.recoveryByteCountLimit) else {
          return records.exclude(name, "longer than any emergency file", loss: .possible)
        }
        let content = try found.file.readAll(limit: Self.recoveryByteCountLimit)
        KeptFile(
          source: Self.kind, format: Self.recoveryFormat, program: Self.kind,
          hazards: [WalletHazard.lightning.rawValue]
        ).keep(content, of: found, in: &records)
        return recoveries.append((folder, name, content))
      }
      if found.status.size <= UInt64(StaticBackup.byteCountLimit), found.beginsAsObject {
        let content = try found.file.readAll(limit: StaticBackup.byteCountLimit)
        if StaticBackup.isLikely(content.span) { return Self.take(answer: content, found, &records) }
      }
      guard found.status.size <= UInt64(NodeSecret.byteCountLimit), last.contains("hsm_secret") else {
        return records.exclude(name, "neither a node's secret nor its emergency file", loss: .none)
      }
      let content = try GuardedFile.bytes(of: found)
      if let seed = try Self.take(content, found, password, &records) { secrets[ExactText(folder)] = seed }
    }
    for recovery in recoveries {
      records.findings.append(
        try Self.finding(recovery.name, recovery.content, secrets[ExactText(recovery.folder)], password))
    }
    if records.keepsNothing {
      try records.foundNothing(at: source.path, "no secret of a Core Lightning node is there")
    }
    records.keepOnly(request)
    return records
  }

  /// Keeps the output of `staticbackup`, which only the node's secret could prove.
  private static func take(
    answer content: [UInt8], _ found: borrowing FoundFile, _ records: inout ImportedRecords
  ) {
    KeptFile(
      source: kind, format: staticFormat, program: kind, hazards: [WalletHazard.lightning.rawValue]
    ).keep(content, of: found, in: &records)
    let backup = StaticBackup(content)
    records.findings.append(
      WalletFinding(
        kind: kind, name: found.nameText,
        backup == nil ? .faulty(.malformed) : .notProved(.needsSeed),
        detail: backup.map { "channels=\($0.channelCount)" } ?? ""))
  }

  /// Keeps a node's secret.
  ///
  /// - Returns: the file, if it opens.
  private static func take(
    _ content: consuming SecretBytes, _ found: borrowing FoundFile, _ password: AskedPassword,
    _ records: inout ImportedRecords
  ) throws -> SharedSecret? {
    let name = found.nameText
    let form = content.withBytes { NodeSecret.form(of: $0) }
    let file = KeptFile(source: kind, format: secretFormat, program: kind)
    guard form == .encrypted else {
      try file.keep(secret: content, of: found, in: &records)
      guard let form else {
        records.findings.append(WalletFinding(kind: kind, name: name, .faulty(.length)))
        return nil
      }
      return try judge(content, form, name, password, isInClear: true, &records)
    }
    file.keep(content.withBytes { $0.copied() }, of: found, in: &records)
    return try judge(content, .encrypted, name, password, isInClear: false, &records)
  }

  private static func judge(
    _ content: consuming SecretBytes, _ form: NodeSecret.Form, _ name: String, _ password: AskedPassword,
    isInClear: Bool, _ records: inout ImportedRecords
  ) throws -> SharedSecret? {
    var finding = WalletFinding(kind: kind, name: name, .notProved(.needsPassword), isInClear: isInClear)
    defer { records.findings.append(finding) }
    do {
      let secret = try NodeSecret(reading: content, form) { try password.read() }
      finding.detail = Hex.encode(try secret.nodeID())
      // A passphrase is proof in itself. Otherwise no other file here identifies the node.
      finding.result =
        form == .encrypted || form == .wordsWithPassphrase ? .proved(.opened) : .notProved(.nothingToCompare)
      return SharedSecret(content)
    } catch NodeSecret.Refusal.needsPassphrase {
      return nil
    } catch NodeSecret.Refusal.wrongPassphrase {
      finding.result = .notProved(.wrongPassword)
      return nil
    }
  }

  private static func finding(
    _ name: String, _ content: [UInt8], _ secret: SharedSecret?, _ password: AskedPassword
  ) throws -> WalletFinding {
    guard content.count > SecretStream.headerByteCount + SecretStream.overheadByteCount else {
      return WalletFinding(kind: kind, name: name, .faulty(.length))
    }
    guard let secret, let form = secret.bytes.withBytes({ NodeSecret.form(of: $0) }) else {
      return WalletFinding(kind: kind, name: name, .notProved(.needsSeed))
    }
    let node = try NodeSecret(reading: secret.bytes, form) { try password.read() }
    guard try node.opens(recovery: content.span) else {
      return WalletFinding(kind: kind, name: name, .notProved(.needsSeed))
    }
    return WalletFinding(kind: kind, name: name, .proved(.opened), detail: Hex.encode(try node.nodeID()))
  }
}

/// The output of `lightning-cli staticbackup`: a list of hexadecimal texts, one for each channel.
struct StaticBackup {
  static let byteCountLimit = 16 << 20

  /// The number of channels.
  let channelCount: Int

  /// Whether a file's first bytes look like it.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{") && beginning.contains("\"scb\"")
  }

  /// Parses a complete file; nil if it is truncated or another kind of file.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: Self.byteCountLimit).root,
      let list = root.member("scb") ?? root.member("result")?.member("scb"), list.kind == .array
    else { return nil }
    let channels = list.children.map { $0.string.flatMap { Hex.decode($0) } ?? [] }
    guard channels.allSatisfy({ !$0.isEmpty }) else { return nil }
    channelCount = channels.count
  }
}
