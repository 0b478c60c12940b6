internal import FuekiArchive
internal import FuekiSystem
internal import FuekiWallet
internal import FuekiCrypto

/// One side of a comparison: an archive, or the current contents of a wallet.
protocol ComparedSide {
  /// Whether the sections of a scope can be read.
  func holds(_ scope: ArchiveScope) -> Bool
  /// The sections that there is something in, those unknown to this version included.
  var sectionIDs: Set<UInt16> { get }
  /// Returns a summary of a whole section, to skip equal ones; nil if unknown.
  func summary(of id: UInt16) -> SectionSummary?
  /// Hands out a section's records, some at a time; nil at the end.
  func entries(of section: Section, _ secrets: SecretDigests) throws -> () throws -> [RecordEntry]?
}

extension OpenArchive: ComparedSide {
  func holds(_ scope: ArchiveScope) -> Bool { scopes.contains(scope) }

  var sectionIDs: Set<UInt16> { Set(sections.map(\.id)) }

  func summary(of id: UInt16) -> SectionSummary? {
    // A set digest finds mistakes, not forgers: of what two files hold together the records are compared.
    guard joinedBase == nil || ArchiveScope(sectionID: id) != .history else { return nil }
    return sections.first { $0.id == id }
  }

  func entries(of section: Section, _ secrets: SecretDigests) throws -> () throws -> [RecordEntry]? {
    switch section {
    case .keyShares: return Self.once(try shareEntries(secrets))
    case .privateKeys, .secretFiles: return Self.once(try secretEntries(of: section, secrets))
    default:
      let reader = sectionReader(section.rawValue) {
        try RecordEntry.entries(of: $0, in: section)
      }
      return { try reader?.next() }
    }
  }

  /// Each archive encrypts a share again, so that only its secret shows whether it is the same.
  private func shareEntries(_ secrets: SecretDigests) throws -> [RecordEntry] {
    var entries: [RecordEntry] = []
    try forEachShare(in: .everything) { id, sealed in
      let secret = try open(share: sealed, id: id)
      entries.append(RecordEntry(id: id, digest: secret.withBytes { secrets.digest(of: $0) }))
    }
    return entries
  }

  private func secretEntries(of section: Section, _ secrets: SecretDigests) throws -> [RecordEntry] {
    var entries: [RecordEntry] = []
    try readSecretSection(section.rawValue) { message in
      entries.append(try RecordEntry(message, in: section, with: secrets))
    }
    return entries
  }

  private static func once(_ entries: [RecordEntry]) -> () throws -> [RecordEntry]? {
    var rest: [RecordEntry]? = entries
    return { rest.take() }
  }
}

extension BackupBundle: ComparedSide {
  func holds(_ scope: ArchiveScope) -> Bool { true }

  var sectionIDs: Set<UInt16> { Set(sections.map(\.rawValue)) }

  func summary(of id: UInt16) -> SectionSummary? { nil }

  func entries(of section: Section, _ secrets: SecretDigests) throws -> () throws -> [RecordEntry]? {
    switch section {
    case .keyShares:
      var rest: [Share]? = shares
      return {
        rest.take()?.map { share in
          RecordEntry(
            id: [UInt8](share.descriptor.id),
            digest: share.secret.bytes.withBytes { secrets.digest(of: $0) })
        }
      }
    case .privateKeys, .secretFiles:
      var isDone = false
      return {
        guard !isDone else { return nil }
        isDone = true
        var entries: [RecordEntry] = []
        try forEachSecretRecord(of: section) { entries.append(try Self.entry(of: $0, in: section, secrets)) }
        return entries
      }
    default: return recordEntries(of: section)
    }
  }

  private static func entry(
    of framed: borrowing SecretBytes, in section: Section, _ secrets: SecretDigests
  ) throws -> RecordEntry {
    try framed.withBytes { bytes in
      guard let range = try RecordBlock.cut(bytes, section: section.rawValue).first else {
        throw RecordsError.malformedRecord(section: section.name)
      }
      return try RecordEntry(bytes.extracting(range), in: section, with: secrets)
    }
  }

  /// The records are encoded on workers, as they are for an archive.
  private func recordEntries(of section: Section) -> () throws -> [RecordEntry]? {
    let workers = OrderedWorkers<LiveEntries>(width: Processors.count, window: Processors.count + 1)
    var sources = sources[section] ?? []
    var rest: BatchJob?
    return {
      var next = try rest.map { try LiveEntries($0, in: section) }
      while next == nil, !workers.isFull, let source = sources.first {
        guard let job = try source() else {
          sources.removeFirst()
          continue
        }
        workers.submit { try LiveEntries(job, in: section) }
      }
      next = try next ?? workers.next()
      rest = next?.rest
      return next?.entries
    }
  }
}

/// The entries of one batch, and what follows it if it ended early.
private struct LiveEntries: Sendable {
  let entries: [RecordEntry]
  let rest: BatchJob?

  init(_ job: BatchJob, in section: Section) throws {
    let batch = try job()
    entries = try RecordEntry.entries(of: batch, in: section)
    rest = batch.rest
  }
}
