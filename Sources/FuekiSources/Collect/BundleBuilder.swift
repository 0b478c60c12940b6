internal import SwiftProtobuf
public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// Collects a bundle, record by record or source by source.
public struct BundleBuilder: Sendable {
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

    package init(descriptor: KeyShareDescriptor, secret: SharedSecret) {
      (self.descriptor, self.secret) = (descriptor, secret)
    }
  }

  package private(set) var held: [Section: RecordBatch] = [:]
  package private(set) var sources: [Section: [BatchSource]] = [:]
  package private(set) var shares: [Share] = []
  package private(set) var secretRecords: [Section: [SharedSecret]] = [:]
  package private(set) var secretSources: [Section: [SecretSource]] = [:]
  package private(set) var reports: [SourceReport] = []
  /// The names of the sources that could not be looked at.
  package var unseen: [String] = []
  package private(set) var problems: [RecordProblem] = []
  package private(set) var unknownColumns: [UnknownColumn] = []
  package private(set) var findings: [WalletFinding] = []
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
  package func checkLimits() throws(CollectError) {
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
