internal import FuekiArchive
internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import GRDB

/// Collects the secrets: key shares with their descriptors, private keys, secret files.
struct SecretCollection {
  private let request: CollectionRequest
  private let keychain: Keychain?
  private let snapshots: StoreSnapshots
  private let carried: CarriedCopies?

  init(
    _ request: CollectionRequest, _ keychain: Keychain?, _ snapshots: StoreSnapshots,
    comparing carried: CarriedCopies?
  ) {
    self.carried = carried
    self.request = request
    self.keychain = keychain
    self.snapshots = snapshots
  }

  /// Adds the requested secrets of the keychain.
  ///
  /// The store's own descriptors of the same ids are not added again.
  func add(
    to bundle: inout BackupBundle.Builder, _ report: inout SourceReport, _ stale: inout StaleCopies
  ) throws -> Added {
    guard request.selection.touches(.secrets) else {
      report.exclude("keychain", reason: "the secrets were not requested", byRequest: true)
      return Added()
    }
    guard let keychain else {
      if try mustHaveKeychain() { throw CollectError.keychain(.notThere) }
      report.exclude("keychain", reason: "there is none, and no wallet that needs one", byRequest: true)
      return Added()
    }
    let shares = try addShares(of: keychain, to: &bundle, &report)
    try addPrivateKeys(of: keychain, to: &bundle, &report)
    return Added(descriptors: shares, files: try addFiles(of: keychain, to: &bundle, &report, &stale))
  }

  /// The result of a collection.
  struct Added {
    /// The descriptors added with their shares.
    var descriptors: [Data: KeyShareDescriptor] = [:]
    /// The places of the secret files, or their paths.
    var files: [[UInt8]] = []
  }

  private func addShares(
    of keychain: Keychain, to bundle: inout BackupBundle.Builder, _ report: inout SourceReport
  ) throws -> [Data: KeyShareDescriptor] {
    guard request.selection.contains(.keyShares) else {
      if !keychain.shares.isEmpty {
        report.exclude(Section.keyShares.name, reason: "not asked for", byRequest: true)
      }
      return [:]
    }
    var added: [Data: KeyShareDescriptor] = [:]
    for share in keychain.shares {
      let id = [UInt8](share.descriptor.id)
      added[share.descriptor.id] = share.descriptor
      // Skip: a source provides it itself.
      guard !bundle.sourced.has(secret: share.secret, id: id, of: .keyShares) else { continue }
      try bundle.add(share: share.descriptor, secret: share.secret)
      report.include(1, in: .keyShares)
      report.include(1, in: .keyShareDescriptors)
    }
    return added
  }

  private func addPrivateKeys(
    of keychain: Keychain, to bundle: inout BackupBundle.Builder, _ report: inout SourceReport
  ) throws {
    let records = keychain.privateKeyRecords.filter { record in
      guard let key = record.bytes.withBytes({ try? PrivateKeyRecord(decoding: $0) }) else { return true }
      // Skip: a source provides it itself.
      return !bundle.sourced.has(secret: key.secret, id: key.id, of: .privateKeys)
    }
    let what = "private keys and seed phrases"
    guard leaves(.privateKeys, UInt64(records.count), what, &report) else { return }
    report.include(UInt64(records.count), in: .privateKeys)
    for record in records {
      bundle.add(secretRecord: try RecordFraming.framed(record.bytes), to: .privateKeys)
    }
  }

  /// Files are read while the archive is written.
  ///
  /// Only a part is in memory, whatever a file's length.
  private func addFiles(
    of keychain: Keychain, to bundle: inout BackupBundle.Builder, _ report: inout SourceReport,
    _ stale: inout StaleCopies
  ) throws -> [[UInt8]] {
    guard leaves(.secretFiles, keychain.secretFileRecordCount, "files that hold secrets", &report) else {
      return []
    }
    let name = report.name
    let files = try Self.reading(keychain, name) {
      try StoredSecretFiles(keychain, beside: bundle.sourced, comparing: carried)
    }
    bundle.note(broken: files.broken, &report)
    stale.formUnion(files.stale)
    guard files.count > 0 else { return [] }
    report.include(files.count, in: .secretFiles)
    bundle.add(secretsOf: .secretFiles) { emit in
      try Self.reading(keychain, name) {
        try files.forEachRecord { try emit(try RecordFraming.framed($0).bytes) }
      }
    }
    return files.names
  }

  /// Reads secret files, and detects a change of the keychain since it was read.
  private static func reading<Answer>(
    _ keychain: Keychain, _ name: String, _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let error as KeychainError {
      // The program that wrote the keychain has removed files that are no longer part of it.
      guard try Keychain.currentStamp(in: keychain.directory) == keychain.stamp else {
        throw CollectError.sourceKeepsChanging(name: name)
      }
      throw error
    }
  }

  /// Whether records of a section are included.
  ///
  /// If not, the report lists the reason.
  private func leaves(
    _ section: Section, _ count: UInt64, _ what: String, _ report: inout SourceReport
  ) -> Bool {
    guard count > 0 else { return false }
    let isOnRequest = DataClass(section: section)?.bundling == .onlyOnRequest
    guard request.selection.contains(section) else {
      report.exclude(what, reason: "not asked for", byRequest: true)
      return false
    }
    guard !isOnRequest || request.includesPrivateKeys else {
      report.exclude(what, reason: "they leave \(request.condition)", byRequest: true)
      return false
    }
    return true
  }

  /// Whether the store has a wallet that needs a keychain, so that a missing keychain is a loss.
  private func mustHaveKeychain() throws -> Bool {
    try snapshots.read { database in
      let kinds = request.includesPrivateKeys ? "('tss', 'hot')" : "('tss')"
      return try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM wallets WHERE kind IN \(kinds))
            OR EXISTS (SELECT 1 FROM key_share_descriptors)
          """) ?? false
    }
  }
}
