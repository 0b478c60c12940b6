internal import FuekiSystem
internal import SwiftProtobuf
public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

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
  /// The report of each source: its contents, its exclusions and their reasons.
  public let reports: [SourceReport]
  /// Records that break their chain's rules.
  ///
  /// They are backed up nevertheless.
  public internal(set) var problems: [RecordProblem]
  let unknownColumns: [UnknownColumn]
  /// Findings on the backup of each wallet.
  public let findings: [WalletFinding]
  /// The result of checking the key shares; nil if there are none or ``checkingShares(_:)`` was not requested.
  public internal(set) var shareReport: ShareReport?
  /// The things of worth; noted while the bundle is written.
  let holdingCount = HoldingCount()
  /// Assembles the files while the bundle is written: an archive with incomplete files is not published.
  let fileAssembly = FileAssembly()
  /// The ids of files that a store has only parts of, as its report says.
  let incompleteFiles: Set<[UInt8]>
  /// The names of the sources that could not be looked at.
  let unseen: [String]

  /// The sections that the bundle has something for.
  public var sections: [Section] {
    var all = Set(sources.keys).union(secretRecords.keys).union(secretSources.keys)
    if !shares.isEmpty { all.insert(.keyShares) }
    return all.sorted()
  }
}

extension BackupBundle {
  /// Collects from sources, the wallet's store last: it leaves out copies of what the others bring themselves.
  ///
  /// - Parameters:
  ///   - sources: the sources, in the order of their reports, a store's before the others'.
  ///   - request: called before each source is read, for what it is asked.
  ///   - leavingOut: called with a source that failed and its error, for the report of that source; an error that it
  ///     throws ends the collection, as every error does by default.
  /// - Returns: the bundle, ready to be written.
  /// - Throws: what `request` and `leavingOut` throw.
  public static func collected(
    from sources: [any Collector], asking request: (any Collector) throws -> CollectionRequest,
    leavingOut: (any Collector, any Error) throws -> SourceReport = { throw $1 }
  ) throws -> BackupBundle {
    var builder = Builder()
    for source in sources.filter({ !$0.isStore }) + sources.filter(\.isStore) {
      let asked = try request(source)
      do {
        guard !asked.changes.isGivenUp(source.name) else {
          throw CollectError.sourceKeepsChanging(name: source.name)
        }
        // A source that fails half way leaves nothing behind.
        var own = builder
        try source.collect(asked, into: &own)
        try own.checkLimits()
        builder = own
      } catch {
        builder.report(try leavingOut(source, error))
        // What is not there was looked for.
        if (error as? SystemError)?.isNotFound != true { builder.unseen.append(source.name) }
      }
    }
    return builder.build()
  }

  /// Collects a bundle, record by record or source by source.
  public struct Builder: Sendable {
    private var held: [Section: RecordBatch] = [:]
    private var sources: [Section: [BatchSource]] = [:]
    private var shares: [Share] = []
    private var secretRecords: [Section: [SharedSecret]] = [:]
    private var secretSources: [Section: [SecretSource]] = [:]
    private var reports: [SourceReport] = []
    /// The names of the sources that could not be looked at.
    var unseen: [String] = []
    private var problems: [RecordProblem] = []
    private var unknownColumns: [UnknownColumn] = []
    private var findings: [WalletFinding] = []
    private var secretCount = 0
    private var secretBytes = 0
    /// The ids of the files so far.
    public var fileIDs = FileIDs()
    /// The ids of files that a store has only parts of.
    public var incompleteFiles: Set<[UInt8]> = []
    /// The records that the sources so far have brought.
    public var sourced = SourcedRecords()

    /// An empty bundle.
    public init() {}

    /// Adds one record to its section.
    ///
    /// - Throws: ``CollectError/recordID(section:)`` if its id is not a packed text, as fueki-archive(5) requires;
    ///   SwiftProtobuf's error where the record cannot be encoded.
    public mutating func add<Record: SectionRecord>(_ record: Record) throws {
      if case .packed = Record.kind.idField?.value, PackedText.text(record.id) == nil {
        throw CollectError.recordID(section: Record.section.name)
      }
      let bytes: [UInt8] = try record.serializedBytes()
      held[Record.section, default: RecordBatch()].append(bytes)
      if !Record.section.kind.traits.contains(.inParts) { sourced.add(bytes, of: Record.section) }
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
      countSecret(secret)
      sourced.add(secret: secret, id: [UInt8](descriptor.id), of: .keyShares)
    }

    /// Adds a framed record of section 65 or 66, encoded by hand into its one place in memory.
    public mutating func add(secretRecord: SharedSecret, to section: Section) {
      precondition(
        section == .privateKeys || section == .secretFiles, "only these sections are secret records")
      secretRecords[section, default: []].append(secretRecord)
      countSecret(secretRecord)
    }

    /// Adds a source of many records of section 65 or 66, which is read when the bundle is written.
    public mutating func add(secretsOf section: Section, from source: @escaping SecretSource) {
      precondition(
        section == .privateKeys || section == .secretFiles, "only these sections are secret records")
      secretSources[section, default: []].append(source)
    }

    private mutating func countSecret(_ secret: SharedSecret) {
      secretCount += 1
      secretBytes += secret.bytes.count
    }

    /// Checks what is collected so far against ``BackupLimits``.
    ///
    /// - Throws: ``CollectError/tooMuch(_:)``.
    func checkLimits() throws(CollectError) {
      guard fileIDs.count <= BackupLimits.files else { throw .tooMuch(.files) }
      guard secretCount <= BackupLimits.secrets else { throw .tooMuch(.secrets) }
      guard secretBytes <= BackupLimits.secretBytes else { throw .tooMuch(.secretBytes) }
    }

    /// Adds a source's report.
    public mutating func report(_ report: SourceReport) { reports.append(report) }

    /// Adds a store's report and its findings before those of the other sources, which were read before it.
    public mutating func report(store report: SourceReport, _ storeFindings: [WalletFinding]) {
      reports.insert(report, at: 0)
      findings.insert(contentsOf: storeFindings, at: 0)
    }

    /// Records a problem with a record that breaks its chain's rules.
    ///
    /// The record is kept.
    public mutating func note(_ problem: RecordProblem) { problems.append(problem) }

    /// Notes a column that this version does not know; its values are in the records' extra.
    public mutating func note(_ column: UnknownColumn) { unknownColumns.append(column) }

    /// Records a finding on the backup of a wallet.
    public mutating func note(_ finding: WalletFinding) { findings.append(finding) }

    /// The bundle, ready to be written.
    public consuming func build() -> BackupBundle {
      for (section, batch) in held {
        let source = SingleBatch(batch)
        sources[section, default: []].insert({ source.take() }, at: 0)
      }
      return BackupBundle(
        sources: sources, shares: shares, secretRecords: secretRecords, secretSources: secretSources,
        reports: reports, problems: problems, unknownColumns: unknownColumns, findings: findings,
        incompleteFiles: incompleteFiles, unseen: unseen)
    }
  }
}

/// A manifest's facts, apart from the collected records.
public struct ManifestFacts: Sendable {
  /// The program and its version.
  public var program: String
  /// The user's name for the backup.
  public var label: String
  /// The machine that made it.
  public var device: String
  /// The vault's signers.
  public var signers: Set<Ed25519.PublicKey> = []
  /// The things of worth in the archives before; nil if nothing is known of them.
  var inventory: Inventory?
  /// Returns the things that the new archive lacks, once its own are known.
  var absent: @Sendable ([Holding]) -> [Absence] = { _ in [] }

  /// Creates a manifest's facts.
  public init(program: String, label: String, device: String) {
    self.program = program
    self.label = label
    self.device = device
  }
}

extension BackupBundle {
  /// More problems than this are counted, not listed: a manifest is one record.
  private static let listedProblems = 1000

  /// The manifest, but for the scope digests, which only the archive's writer knows.
  func manifest(_ facts: ManifestFacts) -> Manifest {
    var manifest = Manifest(
      program: facts.program, label: facts.label, device: facts.device,
      includesPrivateKeys: secretRecords[.privateKeys] != nil)
    manifest.name(signers: facts.signers)
    manifest.sources = reports
    manifest.problems = Array(problems.prefix(Self.listedProblems))
    if problems.count > Self.listedProblems {
      var rest = RecordProblem()
      rest.problem = "\(problems.count - Self.listedProblems) more records break their chain's rules"
      manifest.problems.append(rest)
    }
    manifest.unknownColumns = unknownColumns
    manifest.findings = findings
    manifest.shareChecks = shareReport?.manifestLines ?? []
    return manifest
  }
}

/// The most that one archive holds of the things that a restore handles one by one.
///
/// `create` names the source that would exceed a limit, and leaves it out: no restore finds it out first. The limits of
/// what an archive says of itself are in fueki-archive(5).
public enum BackupLimits {
  /// Files: a backup and a restore of so many keep their names and digests in memory, some 3 KiB each.
  public static let files = 1 << 18

  /// Key shares and private keys: each takes a place in the keychain, which is read whole and held in locked memory.
  public static let secrets = 1 << 16

  /// The bytes of these secrets and of what is said of them, which fit into a keychain of 256 MiB.
  public static let secretBytes = 192 << 20

  /// The holes of one file, which an archive stores as zeros.
  ///
  /// Apart from torrents and disk images, the largest sparse files of wallet programs have about 3 GiB of holes.
  public static let holeByteCount: UInt64 = 4 << 30
}
