internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiSystem
public import FuekiCrypto
// Whoever imports this module sees its names, too.
@_exported public import FuekiSources
public import FuekiWallet

/// Everything that one archive will hold: what ``Builder`` was given, in the order of the archive's sections.
///
/// Records that a collector streams are read only when the bundle is written; secrets stay at one address each.
public struct BackupBundle: Sendable {
  /// Collects a bundle, record by record or source by source.
  public typealias Builder = BundleBuilder
  /// See ``BundleBuilder/BatchSource``.
  public typealias BatchSource = BundleBuilder.BatchSource
  /// See ``BundleBuilder/SecretSource``.
  public typealias SecretSource = BundleBuilder.SecretSource
  /// See ``BundleBuilder/Share``.
  public typealias Share = BundleBuilder.Share

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

extension BundleBuilder {
  /// The bundle, ready to be written.
  public consuming func build() -> BackupBundle {
    var sources = sources
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

extension BackupBundle {
  /// Checks the collected key shares, and records their condition in the manifest.
  ///
  /// A share that fails is still backed up: a check must never lose a share.
  ///
  /// - Parameter encodings: the encodings that secrets can be read in.
  /// - Returns: the bundle with its ``shareReport``, and a problem for each fault.
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  func checkingShares(_ encodings: [ShareEncoding]) throws -> BackupBundle {
    guard !shares.isEmpty else { return self }
    let known = try shares.map { try KnownShare($0.descriptor, secret: $0.secret, encodings: encodings) }
    let report = try ShareCheck.run(known, grouping: .byWallet)
    var checked = self
    checked.shareReport = report
    // A source may have noticed the same already.
    checked.problems += report.problems.filter { !problems.contains($0) }
    return checked
  }
}

extension ShareReport {
  /// Each thing that is wrong, as a manifest lists it.
  var problems: [RecordProblem] {
    sets.flatMap(\.findings).filter(\.isDifference).map { finding in
      var problem = RecordProblem()
      problem.section = UInt32(Section.keyShareDescriptors.rawValue)
      problem.id = Data(finding.shares.first?.id ?? [])
      let names = finding.shares.map(\.short).joined(separator: ", ")
      problem.problem = names.isEmpty ? finding.sentence : "\(names): \(finding.sentence)"
      return problem
    }
  }
}
