internal import FuekiArchive
internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import GRDB

/// The secrets' part of a collection: key shares with their descriptors, private keys, secret files.
struct SecretCollection {
  private let request: CollectionRequest
  private let keychain: Keychain?
  private let snapshots: StoreSnapshots

  init(_ request: CollectionRequest, _ keychain: Keychain?, _ snapshots: StoreSnapshots) {
    self.request = request
    self.keychain = keychain
    self.snapshots = snapshots
  }

  /// Adds what the keychain holds and the request asks for.
  ///
  /// The answer is the descriptors that came with their shares: the store's own of the same ids are not added again.
  func add(
    to bundle: inout BackupBundle.Builder, _ report: inout SourceReport
  ) throws -> [Data: KeyShareDescriptor] {
    guard request.selection.touches(.secrets) else {
      report.exclude("keychain", reason: "the secrets were not asked for", byRequest: true)
      return [:]
    }
    guard let keychain else {
      if try mustHaveKeychain() { throw CollectError.keychain(.notThere) }
      report.exclude("keychain", reason: "there is none, and no wallet that needs one", byRequest: true)
      return [:]
    }
    let added = try addShares(of: keychain, to: &bundle, &report)
    try addRecords(of: .privateKeys, "private keys and seed phrases", keychain, &bundle, &report)
    try addRecords(of: .secretFiles, "files that hold secrets", keychain, &bundle, &report)
    return added
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
      try bundle.add(share: share.descriptor, secret: share.secret)
      added[share.descriptor.id] = share.descriptor
    }
    report.include(UInt64(keychain.shares.count), in: .keyShares)
    report.include(UInt64(keychain.shares.count), in: .keyShareDescriptors)
    return added
  }

  private func addRecords(
    of section: Section, _ what: String, _ keychain: Keychain, _ bundle: inout BackupBundle.Builder,
    _ report: inout SourceReport
  ) throws {
    let records = keychain.secretRecords(of: section)
    guard !records.isEmpty else { return }
    let isOnRequest = DataClass(section: section)?.bundling == .onlyOnRequest
    if !request.selection.contains(section) {
      report.exclude(what, reason: "not asked for", byRequest: true)
    } else if isOnRequest, !request.includesPrivateKeys {
      report.exclude(what, reason: "they leave only with --include-private-keys", byRequest: true)
    } else {
      for record in records { bundle.add(secretRecord: try RecordFraming.framed(record.bytes), to: section) }
      report.include(UInt64(records.count), in: section)
    }
  }

  /// Whether something in the store cannot be without a keychain, so that its absence is a loss.
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
