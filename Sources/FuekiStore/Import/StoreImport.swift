public import FuekiBackup
public import FuekiCrypto
public import FuekiWallet
internal import FoundationEssentials
internal import GRDB
internal import SwiftProtobuf

/// Merges records from elsewhere into a store and its keychain, all or none, by the rules of a restore.
///
/// It is valid only while ``WalletStore/importRecords(onConflict:_:)`` runs. Records may come in any order,
/// except that records of a wallet stored under another id must follow that wallet.
public final class StoreImport {
  /// The data directory's keychain, with the imported secrets; nil if nothing is written.
  public let keychain: MergedKeychain?
  private let context: MergeContext
  private var merges: [Section: any SectionMerge] = [:]
  private var shares: [(id: Data, secret: SharedSecret)] = []

  private init(
    _ database: Database, in directory: String, _ policy: ConflictPolicy, writesSecrets: Bool
  ) throws {
    let path = DataDirectory.storePath(in: directory)
    let context = try MergeContext(
      in: database, path: path, policy: policy, source: .files, writes: true, manifest: Manifest())
    self.context = context
    keychain =
      writesSecrets
      ? try MergedKeychain(in: directory, context) { try context.names.note(share: $0, is: $1) } : nil
  }

  /// Lets `body` add records, writes the secrets if requested, and returns the result.
  static func run(
    in database: Database, _ directory: String, _ policy: ConflictPolicy, writesSecrets: Bool,
    _ body: (StoreImport) throws -> Void
  ) throws -> MergeReport {
    let running = try StoreImport(database, in: directory, policy, writesSecrets: writesSecrets)
    try body(running)
    let report = try running.finish()
    if writesSecrets, policy != .fail || report.conflicts.isEmpty { try running.writeSecrets() }
    return report
  }

  /// Adds records of one type.
  public func add<Record: SectionRecord>(_ records: [Record]) throws {
    if let wallets = records as? [Wallet] { try WalletMatching(context).run(wallets) }
    for record in records { try merge(Record.section)?.take(try record.serializedBytes()) }
  }

  /// Adds a section's framed records, each preceded by its length.
  ///
  /// - Throws: ``FramingError``, or ``RecordsError/malformedRecord(section:)``.
  public func add(framed block: [UInt8], of section: Section) throws {
    var offset = 0
    while let message = try RecordFraming.next(in: block.span, at: &offset) {
      try merge(section)?.take(Array(block[message]))
    }
  }

  /// Adds a key share to the keychain.
  public func add(share descriptor: KeyShareDescriptor, secret: SharedSecret) throws {
    try keychain?.add(share: descriptor, secret: secret.bytes)
    shares.append((descriptor.id, secret))
  }

  /// Announces a record that breaks its chain's rules, before it comes.
  ///
  /// It is still imported, and marked.
  public func note(_ problem: RecordProblem) { context.marks.expect(problem) }

  private func merge(_ section: Section) throws -> (any SectionMerge)? {
    if let merge = merges[section] { return merge }
    let merge = try StoreTable.of(section)?.merge(context)
    merges[section] = merge
    return merge
  }

  private func finish() throws -> MergeReport {
    var report = MergeReport()
    for (section, merge) in merges.sorted(by: { $0.key < $1.key }) {
      try merge.finish()
      report.take(merge, of: section)
    }
    try ParentClaims.settle(in: context.database)
    try context.names.remove()
    return keychain?.joined(with: report) ?? report
  }

  private func writeSecrets() throws {
    guard let keychain else { return }
    try keychain.write()
    for share in shares where try !keychain.holds(share: [UInt8](share.id), secret: share.secret.bytes) {
      throw PlaceError.keychainDiffers
    }
  }
}

extension WalletStore {
  /// Adds records in one transaction, which is rolled back by policy or if `body` throws.
  ///
  /// Secrets are durably in the keychain before the transaction commits: a run killed in between leaves
  /// secrets without records, never records without their secrets.
  ///
  /// - Parameters:
  ///   - policy: the rule for existing records that differ.
  ///   - body: adds the records.
  /// - Returns: the added, existing and conflicting records.
  /// - Throws: the errors of `body`, ``StoreError``, or ``KeychainError``; nothing is added then.
  public func importRecords(
    onConflict policy: ConflictPolicy = .fail, _ body: (StoreImport) throws -> Void
  ) throws -> MergeReport {
    do {
      return try write { database in
        let report = try StoreImport.run(in: database, directory, policy, writesSecrets: true, body)
        guard policy != .fail || report.conflicts.isEmpty else { throw Undone(report: report) }
        return report
      }
    } catch var undone as Undone {
      for section in undone.report.counts.keys { undone.report.counts[section]?.added = 0 }
      return undone.report
    }
  }

  /// Determines the result of an import in a transaction that is rolled back.
  func planImport(
    onConflict policy: ConflictPolicy, _ body: (StoreImport) throws -> Void
  ) throws -> MergeReport {
    do {
      return try write { database in
        throw Undone(
          report: try StoreImport.run(in: database, directory, policy, writesSecrets: false, body))
      }
    } catch let undone as Undone {
      return undone.report
    }
  }

  private struct Undone: Error { var report: MergeReport }
}
