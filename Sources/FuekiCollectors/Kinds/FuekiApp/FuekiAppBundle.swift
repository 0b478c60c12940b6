internal import FoundationEssentials
internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let fuekiApp = CollectorKind(
    FuekiAppBundle.kind, "a JSON bundle of the Fueki app", reach: .file, guide: .phones,
    fileNames: WalletNames(possible: ["*.json"]), limit: ImportLimits.bundleByteCount,
    what: "bundle of the Fueki app",
    recognises: {
      $0.contains("\"transactionHistory\"") || $0.contains("\"encryptedKeyShares\"")
        || $0.contains("\"addressBook\"")
    },
    look: FuekiAppCollector.look)
}

/// A backup file of the Fueki app: its JSON bundle, `backup-<unix time>.json`.
enum FuekiAppCollector {
  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let content = TextLines.withoutMark(try found.publicBytes())
    var records = try FuekiAppBundle(content, byteCountLimit: ImportLimits.bundleByteCount).records
    if asked.request.isForBackup {
      // The app's key shares are encrypted and stay so.
      let hasShares = records.files.contains { $0.format == FuekiAppBundle.keyShareFormat }
      records.findings = try RecordFindings(kind: FuekiAppBundle.kind).all(
        of: records.wallets, keys: records.privateKeys)
      for place in records.findings.indices where hasShares && records.findings[place].result == .withoutSeed
      {
        records.findings[place].result = .notProved(.needsPassword)
      }
    }
    return .wallet(try Kept(records, format: "fueki-app-json", program: "fueki", asked))
  }
}

/// The Fueki app's JSON bundle, from its `Backups` directory, converted to records without loss.
///
/// Numbers keep all their digits. Members without a field go to the records' `extra`, and those without a
/// record become settings named `fueki-app.bundle.…`.
package struct FuekiAppBundle {
  static let kind = "fueki-app"
  static let keyShareFormat = "fueki-app-key-share"
  static let settingPrefix = "fueki-app.bundle."

  private static let noteLimit = 200
  private static let versions: Set<String> = ["1", #""1""#, #""1.0""#, #""1.0.0""#]

  private(set) var records = ImportedRecords()
  private var noteCounts: [Section: Int] = [:]
  /// The settings' keys, byte for byte.
  private var keys: Set<[UInt8]> = []

  /// Parses a complete document.
  package init(_ bytes: [UInt8], byteCountLimit: Int) throws(ForeignFileError) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(bytes, limit: byteCountLimit).root
    } catch {
      guard bytes.starts(with: "FUEK".utf8) else { throw error.asForeign() }
      throw .notThisFormat(reason: "the app's encrypted backup, which is of the kind fueki-vault")
    }
    guard root.kind == .object,
      ["wallets", "transactionHistory"].contains(where: { root.member($0)?.kind == .array })
    else { throw .notThisFormat(reason: "JSON, but not a bundle of the Fueki app") }
    guard root.member("wallets")?.children.contains(where: { $0.member("backup") != nil }) != true else {
      throw .notThisFormat(reason: "the app's encrypted full backup, which is of the kind unstoppable")
    }
    records.budget.read(bytes.count)
    // Settings come first, so that no other member takes their keys.
    if let settings = root.member("settings"), settings.kind == .object {
      for setting in settings.children { add(setting: setting.name, setting) }
    }
    for member in root.children { take(member) }
    try records.checkLimits()
    noteTheRest()
  }

  private mutating func take(_ member: JSONValue) {
    let name = member.name
    if name == "version", !Self.versions.contains(member.source) {
      note(["the bundle is of version \(member.source.prefix(20)), and 1 is known here"], .manifest, Data())
    }
    switch (name, member.kind) {
    case ("wallets", .array): each(of: member) { $0.add(FuekiAppRecords.wallet($1)) }
    case ("addressBook", .array): each(of: member) { $0.add(FuekiAppRecords.contact($1)) }
    case ("transactionHistory", .array): each(of: member) { $0.add(FuekiAppRecords.transaction($1)) }
    case ("encryptedKeyShares", .array):
      for (index, share) in member.children.enumerated() { keep(share, named: "\(name)/\(index).json") }
    case ("settings", .object): break
    default: add(setting: freeKey(for: name), member)
    }
  }

  private mutating func each(of list: JSONValue, _ body: (inout FuekiAppBundle, JSONValue) -> Void) {
    for (index, value) in list.children.enumerated() {
      if value.kind == .object {
        body(&self, value)
      } else {
        add(setting: freeKey(for: "\(list.name).\(index)"), value)
      }
    }
  }

  private mutating func add(_ found: Wallet) {
    let wallet = Self.lifted(found)
    guard records.admits(wallet) else { return }
    note(RecordValidation.problems(of: wallet), .wallets, wallet.id)
    records.wallets.append(wallet)
  }

  private mutating func add(_ found: Contact) {
    let contact = Self.lifted(found)
    guard records.admits(contact) else { return }
    note(RecordValidation.problems(of: contact), .contacts, contact.id)
    records.contacts.append(contact)
  }

  private mutating func add(_ pair: (Transaction, Receipt?)) {
    let transaction = Self.lifted(pair.0)
    guard records.admits(transaction) else { return }
    note(RecordValidation.problems(of: transaction), .transactions, transaction.id)
    records.transactions.append(transaction)
    guard let receipt = pair.1 else { return }
    if receipt.extra.contains(where: { $0.name == "txId" }) {
      note(["it names a different transaction than its own"], .receipts, receipt.id)
    }
    if records.admits(receipt) { records.receipts.append(receipt) }
  }

  /// The app's own files use the words of version 0.
  ///
  /// A newly created record can always be encoded.
  private static func lifted<Record: SectionRecord>(_ record: Record) -> Record {
    (try? RecordSchema.lifted(record, from: 0)) ?? record
  }

  /// Keeps a key share as the app wrote it: encrypted, and in a format only the app knows.
  private mutating func keep(_ share: JSONValue, named name: String) {
    let file = FileRecords(
      source: Self.kind, path: Array(name.utf8), content: Array(share.sourceBytes),
      format: Self.keyShareFormat)
    for part in file.parts where records.admits(part) { records.files.append(part) }
  }

  private mutating func add(setting key: String, _ value: JSONValue) {
    var setting = Setting()
    setting.key = key
    setting.value = value.source
    guard records.admits(setting) else { return }
    keys.insert(Array(key.utf8))
    records.settings.append(setting)
  }

  private func freeKey(for name: String) -> String {
    var key = Self.settingPrefix + name
    while keys.contains(Array(key.utf8)) { key += "'" }
    return key
  }

  private mutating func note(_ sentences: [String], _ section: Section, _ id: Data) {
    for sentence in sentences {
      noteCounts[section, default: 0] += 1
      guard noteCounts[section, default: 0] <= Self.noteLimit else { continue }
      records.problems.append(problem(sentence, section, id))
    }
  }

  /// Reports the number of further problems beyond the limit of the manifest, which is one record.
  private mutating func noteTheRest() {
    for (section, count) in noteCounts.sorted(by: { $0.key < $1.key }) where count > Self.noteLimit {
      records.problems.append(
        problem("\(count - Self.noteLimit) more problems in \(section.name)", section, Data()))
    }
  }

  private func problem(_ sentence: String, _ section: Section, _ id: Data) -> RecordProblem {
    var problem = RecordProblem()
    problem.section = UInt32(section.rawValue)
    problem.id = id
    problem.problem = sentence
    return problem
  }
}
