public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet
internal import SwiftProtobuf

/// Everything that one archive will hold: what ``Builder`` was given, in the order of the archive's sections.
///
/// Records that a collector streams are read only when the bundle is written; secrets stay at one address each.
public struct BackupBundle: Sendable {
  /// Hands out jobs that each make one batch of a section's records; nil when there are no more.
  public typealias BatchSource = @Sendable () throws -> BatchJob?

  /// Hands over framed records of secrets one by one, so that never more than one of them is in memory.
  public typealias SecretSource =
    @Sendable (
      _ emit: (borrowing SecretBytes) throws -> Void
    ) throws -> Void

  /// A key share: its public side, and its secret bytes.
  public struct Share: Sendable {
    /// The public side, whose id is the share's.
    public let descriptor: KeyShareDescriptor
    /// The secret bytes, in the descriptor's encoding.
    public let secret: SharedSecret
  }

  /// Sections whose records are not secret, with where they come from.
  let sources: [Section: [BatchSource]]
  /// The key shares, each to be sealed once more.
  let shares: [Share]
  /// Framed records of sections 65 and 66.
  let secretRecords: [Section: [SharedSecret]]
  /// More of them, which are read when the bundle is written.
  let secretSources: [Section: [SecretSource]]
  /// What each source gave, and what not, and why.
  public let reports: [SourceReport]
  /// Records that break their chain's rules, and are backed up all the same.
  public internal(set) var problems: [RecordProblem]
  let unknownColumns: [UnknownColumn]
  /// What the backup of each wallet is worth.
  public let findings: [WalletFinding]
  /// What a check of the key shares came to; nil where there are none, or ``checkingShares(_:)`` was not asked for.
  public internal(set) var shareReport: ShareReport?
  /// The things of worth; noted while the bundle is written.
  let holdingCount = HoldingCount()

  /// The sections that the bundle has something for.
  public var sections: [Section] {
    var all = Set(sources.keys).union(secretRecords.keys).union(secretSources.keys)
    if !shares.isEmpty { all.insert(.keyShares) }
    return all.sorted()
  }
}

extension BackupBundle {
  /// Collects a bundle, record by record or source by source.
  public struct Builder: Sendable {
    private var held: [Section: RecordBatch] = [:]
    private var sources: [Section: [BatchSource]] = [:]
    private var shares: [Share] = []
    private var secretRecords: [Section: [SharedSecret]] = [:]
    private var secretSources: [Section: [SecretSource]] = [:]
    private var reports: [SourceReport] = []
    private var problems: [RecordProblem] = []
    private var unknownColumns: [UnknownColumn] = []
    private var findings: [WalletFinding] = []
    /// The ids of the files so far.
    public var fileIDs = FileIDs()

    /// An empty bundle.
    public init() {}

    /// Adds one record to its section.
    ///
    /// - Throws: SwiftProtobuf's error where the record cannot be encoded.
    public mutating func add<Record: SectionRecord>(_ record: Record) throws {
      let bytes: [UInt8] = try record.serializedBytes()
      held[Record.section, default: RecordBatch()].append(bytes)
    }

    /// Adds a source of many records, which is read when the bundle is written.
    public mutating func add(_ section: Section, from source: @escaping BatchSource) {
      precondition(section.scope != .secrets, "secrets are not given as batches")
      sources[section, default: []].append(source)
    }

    /// Adds a key share: its descriptor to the profile, its secret to the secrets.
    ///
    /// - Parameters:
    ///   - descriptor: its id has 16 bytes.
    ///   - secret: the share's bytes, in the descriptor's encoding.
    /// - Throws: ``CollectError/shareID(name:)`` where the id has another length; SwiftProtobuf's error where the
    ///   descriptor cannot be encoded.
    public mutating func add(share descriptor: KeyShareDescriptor, secret: SharedSecret) throws {
      guard descriptor.id.count == 16 else { throw CollectError.shareID(name: descriptor.name) }
      try add(descriptor)
      shares.append(Share(descriptor: descriptor, secret: secret))
    }

    /// Adds a framed record of section 65 or 66, encoded by hand into its one place in memory.
    public mutating func add(secretRecord: SharedSecret, to section: Section) {
      precondition(
        section == .privateKeys || section == .secretFiles, "only these sections are secret records")
      secretRecords[section, default: []].append(secretRecord)
    }

    /// Adds a source of many records of section 65 or 66, which is read when the bundle is written.
    public mutating func add(secretsOf section: Section, from source: @escaping SecretSource) {
      precondition(
        section == .privateKeys || section == .secretFiles, "only these sections are secret records")
      secretSources[section, default: []].append(source)
    }

    /// Says what a source gave, and what not, and why.
    public mutating func report(_ report: SourceReport) { reports.append(report) }

    /// Notes a record that breaks its chain's rules; it is backed up all the same.
    public mutating func note(_ problem: RecordProblem) { problems.append(problem) }

    /// Notes a column that this version does not know; its values are in the records' extra.
    public mutating func note(_ column: UnknownColumn) { unknownColumns.append(column) }

    /// Says what the backup of a wallet is worth.
    public mutating func note(_ finding: WalletFinding) { findings.append(finding) }

    /// The bundle, ready to be written.
    public consuming func build() -> BackupBundle {
      for (section, batch) in held {
        let source = SingleBatch(batch)
        sources[section, default: []].insert({ source.take() }, at: 0)
      }
      return BackupBundle(
        sources: sources, shares: shares, secretRecords: secretRecords, secretSources: secretSources,
        reports: reports, problems: problems, unknownColumns: unknownColumns, findings: findings)
    }
  }
}
