package import FuekiSources
public import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet
internal import SwiftProtobuf

/// The records read from another program's files, and the exclusions with reasons.
public struct ImportedRecords: Sendable {
  /// A key share with its secret.
  public struct Share: Sendable {
    /// The public part.
    public var descriptor: KeyShareDescriptor
    /// The secret bytes, in the descriptor's encoding.
    public var secret: SharedSecret
    /// Faults of the public part, of which some is missing.
    package var faults: [String] = []
  }

  /// Wallets.
  public var wallets: [Wallet] = []
  /// The address book.
  package var contacts: [Contact] = []
  /// Settings.
  package var settings: [Setting] = []
  /// The wallets' assets.
  package var assets: [Asset] = []
  /// Verifiable credentials.
  package var credentials: [Credential] = []
  /// Files kept byte for byte.
  package var files: [FilePart] = []
  /// Transactions.
  package var transactions: [Transaction] = []
  /// Receipts.
  package var receipts: [Receipt] = []
  /// Presentations of credentials.
  package var credentialSharing: [CredentialSharing] = []
  /// Presentations of ID tokens.
  package var idTokenSharing: [IdTokenSharing] = []
  /// Public parts of key shares whose secrets were not requested.
  package var descriptors: [KeyShareDescriptor] = []
  /// Key shares.
  public var shares: [Share] = []
  /// Private keys and seed phrases.
  public var privateKeys: [PrivateKeyRecord] = []
  /// Files with unencrypted secrets, byte for byte.
  package var secretFiles: [SecretFilePart] = []
  /// Files kept byte for byte that are read in parts when they are written.
  var streams: [StreamedFile] = []
  /// The value of each backup: one finding for each wallet, key share, or other valuable item.
  package var findings: [WalletFinding] = []
  /// Problems of included records.
  public var problems: [RecordProblem] = []
  /// The exclusions with reasons.
  package var excluded: [Exclusion] = []
  /// The names in it of what may be lost.
  private var lost: Set<ExactText> = []
  /// Whether nothing is missing except requested exclusions and data that no wallet needs.
  package var isComplete = true
  /// The number of key share files not kept, though their shares are included.
  var unkeptShareFiles = 0
  /// The remaining budget.
  var budget = RecordBudget()
  /// The number of exclusions not listed in ``excluded``.
  var unnamedCount = 0

  /// Creates empty records.
  package init() {}

  /// Returns the record counts by section, the exclusions, and the completeness.
  public func report(source: String) -> SourceReport {
    var report = SourceReport(source: source)
    var counts = Dictionary(uniqueKeysWithValues: Self.lists.map { ($0.section, $0.count(self)) })
    counts[.keyShareDescriptors, default: 0] += shares.count
    counts[.keyShares] = shares.count
    counts[.privateKeys] = privateKeys.count
    counts[.secretFiles] = secretFiles.count
    for stream in streams { counts[stream.section, default: 0] += stream.partCount }
    for (section, count) in counts { report.include(UInt64(count), in: section) }
    report.excluded = excluded
    if unnamedCount > 0 {
      var rest = Exclusion()
      rest.what = "\(unnamedCount) more"
      rest.reason = "only the first \(ImportLimits.namedExclusions) are listed"
      report.excluded.append(rest)
    }
    report.complete = isComplete
    return report
  }

  /// Adds every record and problem, and one report, to a bundle.
  func add(to bundle: inout BundleBuilder, source: String) throws {
    var distinct = self
    distinct.nameFiles(&bundle.fileIDs)
    distinct.leaveOutFiles(broughtIn: &bundle.sourced)
    try distinct.addNamed(to: &bundle, source)
  }

  private func addNamed(to bundle: inout BundleBuilder, _ source: String) throws {
    for list in Self.lists { try list.add(self, &bundle) }
    for key in privateKeys {
      try bundle.add(secretRecord: RecordFraming.framed(key.encoded()), to: .privateKeys)
      bundle.sourced.add(secret: key.secret, id: key.id, of: .privateKeys)
    }
    for part in secretFiles {
      try bundle.add(secretRecord: RecordFraming.framed(part.encoded()), to: .secretFiles)
    }
    for stream in streams {
      if stream.section == .secretFiles {
        bundle.add(secretsOf: .secretFiles) { emit in
          try stream.forEachSecretPart { try emit(try RecordFraming.framed($0).bytes) }
        }
      } else {
        bundle.add(.files, from: stream.batches())
      }
    }
    for share in shares { try bundle.add(share: share.descriptor, secret: share.secret) }
    for problem in problems { bundle.note(problem) }
    for finding in findings { bundle.note(finding) }
    bundle.report(report(source: source))
  }
}

extension ImportedRecords {
  /// Adds another file's records.
  mutating func add(_ other: ImportedRecords) {
    for list in Self.lists { list.append(other, &self) }
    shares += other.shares
    privateKeys += other.privateKeys
    secretFiles += other.secretFiles
    streams += other.streams
    problems += other.problems
    findings += other.findings
    excluded += other.excluded
    lost.formUnion(other.lost)
    unnamedCount += other.unnamedCount
    budget.add(other.budget)
    if !other.isComplete { isComplete = false }
  }

  /// Removes the records that were not requested, and reports their sections.
  mutating func keepOnly(_ request: CollectionRequest) {
    let selection = request.selection
    func leaveOut(_ section: Section, _ count: Int, _ clear: (inout ImportedRecords) -> Void) {
      guard !selection.contains(section), count > 0 else { return }
      clear(&self)
      problems.removeAll { $0.section == section.rawValue }
      self.leaveOut(section)
    }
    for list in Self.lists { leaveOut(list.section, list.count(self), list.clear) }
    leaveOut(.privateKeys, privateKeys.count) { $0.privateKeys = [] }
    leaveOut(.secretFiles, secretFiles.count) { $0.secretFiles = [] }
    if !request.includesPrivateKeys { leaveSecretsOut(request) }
  }

  /// Removes the secrets that are included only on request.
  ///
  /// This counts as a loss rather than a request: a user who names a wallet's file means all of it.
  private mutating func leaveSecretsOut(_ request: CollectionRequest) {
    let condition = request.condition
    let loss: Loss = request.secretsAreUnwanted ? .requested : .possible
    if !privateKeys.isEmpty {
      let count = privateKeys.count == 1 ? "1 leaves" : "\(privateKeys.count) leave"
      exclude("private keys", "\(count) \(condition)", loss: loss)
    }
    for part in secretFiles where part.offset == 0 {
      exclude(
        FileName.text(part.path),
        "the file holds secrets in the clear, and leaves \(condition)", loss: loss)
    }
    privateKeys = []
    secretFiles = []
    for place in findings.indices where findings[place].isInClear && !findings[place].isFaulty {
      findings[place].result = .withoutSeed
    }
  }

  /// The effect of an exclusion on the backup.
  enum Loss {
    /// No wallet needs it.
    case none
    /// It may contain data that a wallet needs.
    case possible
    /// The user requested it.
    case requested
  }

  /// Excludes something, and lists it with the reason.
  ///
  /// A database's log is found by itself, as no loss, and with its database, as a possible one. It is listed once, with
  /// the loss.
  mutating func exclude(_ what: String, _ reason: String, loss: Loss) {
    switch loss {
    case .possible: isComplete = false
    case .none: guard !lost.contains(ExactText(what)) else { return }
    case .requested: break
    }
    // All exclusions are in the manifest, which is one record.
    guard excluded.count < ImportLimits.namedExclusions || loss == .requested else {
      unnamedCount += 1
      return
    }
    var exclusion = Exclusion()
    exclusion.what = what.utf8.count > 1024 ? "\(what.prefix(256))…" : what
    if loss == .possible, lost.insert(ExactText(what)).inserted {
      excluded.removeAll { ExactText($0.what) == ExactText(exclusion.what) && !$0.byRequest }
    }
    exclusion.reason = reason
    exclusion.byRequest = loss == .requested
    excluded.append(exclusion)
  }

  /// Excludes a section that was not requested.
  ///
  /// - Returns: whether it was requested.
  mutating func wants(_ section: Section, _ request: CollectionRequest) -> Bool {
    if request.selection.contains(section) { return true }
    leaveOut(section)
    return false
  }

  /// Reports once that a section was not requested.
  mutating func leaveOut(_ section: Section) {
    guard !excluded.contains(where: { $0.what == section.name && $0.byRequest }) else { return }
    exclude(section.name, "not asked for", loss: .requested)
  }
}

extension ImportedRecords {
  /// A list of records, independent of their type.
  struct List: Sendable {
    let section: Section
    let count: @Sendable (ImportedRecords) -> Int
    let add: @Sendable (ImportedRecords, inout BundleBuilder) throws -> Void
    let records: @Sendable (ImportedRecords) -> [any SectionRecord]
    let append: @Sendable (ImportedRecords, inout ImportedRecords) -> Void
    let clear: @Sendable (inout ImportedRecords) -> Void
    /// Adds a record that is given as its message's bytes.
    let addMessage: @Sendable (_ message: [UInt8], inout ImportedRecords) throws -> Void

    init<Record: SectionRecord>(_ path: any WritableKeyPath<ImportedRecords, [Record]> & Sendable) {
      section = Record.section
      count = { $0[keyPath: path].count }
      add = { for record in $0[keyPath: path] { try $1.add(record) } }
      records = { $0[keyPath: path] }
      append = { $1[keyPath: path] += $0[keyPath: path] }
      clear = { $0[keyPath: path] = [] }
      addMessage = { try $1[keyPath: path].append(Record(serializedBytes: $0)) }
    }
  }

  /// The lists of records in the order of their sections.
  static let lists = [
    List(\.wallets), List(\.assets), List(\.contacts), List(\.settings), List(\.descriptors),
    List(\.credentials), List(\.files), List(\.transactions), List(\.receipts), List(\.credentialSharing),
    List(\.idTokenSharing),
  ]

  /// Iterates over all records except secrets and one section, including the public parts of key shares.
  ///
  /// - Throws: errors of reading files that are only read now, and those of `body`.
  public func forEachRecord(besides section: Section, _ body: (any SectionRecord) throws -> Void) throws {
    for list in Self.lists where list.section != section { try list.records(self).forEach(body) }
    for stream in streams where stream.section == .files && section != .files {
      try stream.forEachPart { try body($0) }
    }
    for share in shares { try body(share.descriptor) }
  }

  /// Whether there are files with unencrypted secrets.
  public var holdsSecretFiles: Bool {
    !secretFiles.isEmpty || streams.contains { $0.section == .secretFiles }
  }

  /// Iterates over the encoded messages of section 66.
  ///
  /// - Throws: errors of reading files that are only read now, and those of `body`.
  public func forEachSecretFileRecord(_ body: (borrowing SecretBytes) throws -> Void) throws {
    for part in secretFiles { try body(try part.encoded()) }
    for stream in streams where stream.section == .secretFiles { try stream.forEachSecretPart(body) }
  }
}
