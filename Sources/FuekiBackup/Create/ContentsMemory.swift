internal import FoundationEssentials
internal import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// A machine's memory of an archive's contents, to notice losses or that nothing has changed.
///
/// It is kept in this machine's state, so that no old archive has to be opened.
public struct ContentsMemory: Sendable {
  /// The sections whose loss would mean an emptied machine; nil if nothing is collected, and nothing is compared.
  public var sections: Set<Section>?
  /// The requested sections: things missing from them are losses.
  public var compared: Set<Section> = []
  /// The losses that the owner accepts.
  public var acceptance = LossAcceptance()
  /// A digest of the collected contents, if it was computed.
  public var content: String?
  /// The sources of the collected contents.
  public var sources = RunSources()

  /// Compares nothing, and remembers the counts.
  public init() {}

  /// The inventory of an archive that is being written, and has no digest yet; nil if nothing is compared.
  func inventory(_ holdings: CountedHoldings, after vault: VaultState) -> Inventory? {
    guard sections != nil else { return nil }
    return Inventory(
      of: VaultState.Link(sequence: 0, digest: .zero), whole: holdings.whole, after: vault.inventory,
      comparing: compared, accepting: acceptance)
  }

  /// Refuses to continue if nothing is left of a part of the last archive, and that is not accepted.
  ///
  /// - Parameters:
  ///   - vault: this machine's memory of the last archive.
  ///   - new: the new archive; nil if nothing was collected.
  /// - Throws: ``PublishError/emptied(_:)``.
  func refuseEmptied(
    _ vault: VaultState,
    by new: (written: WrittenArchive, holdings: CountedHoldings, losses: [Absence])? = nil
  ) throws(PublishError) {
    let emptied = EmptiedPart.all(
      among: sections ?? [], comparing: compared, from: vault, to: new?.holdings.all ?? [],
      counts: new.map { Self.counts($0.written) } ?? [:])
    let isNamed = !acceptance.names.isEmpty && new?.losses.isEmpty ?? false
    guard emptied.isEmpty || acceptance.coversAll || isNamed || !sources.leftOut.isEmpty else {
      throw .emptied(emptied)
    }
  }

  /// Records an archive's counts.
  ///
  /// Sections outside the request keep their earlier counts.
  ///
  /// Without a comparison nothing was collected, so the archive's gaps are not losses.
  func remember(_ written: WrittenArchive, in vault: inout VaultState, before: VaultState) {
    let asked = Set((sections ?? []).map(\.name))
    let kept = (before.counts ?? [:]).filter { !asked.contains($0.key) }
    vault.counts = kept.merging(Self.counts(written)) { $1 }
    vault.content = content
  }

  private static func counts(_ written: WrittenArchive) -> [String: UInt64] {
    var counts: [String: UInt64] = [:]
    for (id, records) in written.recordCounts {
      guard let section = Section(rawValue: id), section != .manifest else { continue }
      counts[section.name] = records
    }
    return counts
  }
}

extension BundleFingerprint {
  /// Returns one digest of the collected contents and of the request.
  public func digest(askedFor request: [String]) -> Digest {
    var hash = SHA256()
    for text in request { hash.update([UInt8](text.utf8) + [0]) }
    for (section, entry) in sections.sorted(by: { $0.key < $1.key }) {
      hash.update([UInt8]("\(section.name) \(entry.records) \(entry.digest.hex)\n".utf8))
    }
    return hash.finalize()
  }
}

/// The facts that this machine remembers of the collected contents, besides their counts.
struct CollectedFacts {
  /// The sources' names.
  let sources: [String]
  /// The things that the sources held and the archive lacks.
  let missing: [String]
  /// The files that are in the archive though no kind reads them.
  let keptUnread: [String]
  /// The unencrypted keys that stay out by a decision.
  let declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet.
  let findings: [WalletFinding]
  /// How many files of other programs the archive has that can go back below a home.
  let placedFiles: UInt64
}

/// A digest of a bundle, section by section, to compare two bundles without keeping either.
public struct BundleFingerprint: Equatable, Sendable {
  /// One section's records and a digest of them, in their order.
  public struct Entry: Equatable, Sendable {
    /// How many records there are.
    public let records: UInt64
    /// SHA-256 of the framed records; of key shares, of each id and secret.
    public let digest: Digest
  }

  /// The entry of each section.
  public let sections: [Section: Entry]
}

extension BackupBundle {
  /// Reads everything in the bundle once, notes its things of worth, and forgets it.
  ///
  /// The bundle cannot be written afterwards.
  public func fingerprint() throws -> BundleFingerprint {
    var entries: [Section: BundleFingerprint.Entry] = [:]
    for (section, sources) in sources {
      var digest = SHA256()
      var records: UInt64 = 0
      for source in sources {
        while let job = try source() {
          var next: BatchJob? = job
          while let batch = try next?() {
            digest.update(batch.bytes)
            holdingCount.note(batch.bytes.span, of: section)
            records += UInt64(batch.count)
            next = batch.rest
          }
        }
      }
      entries[section] = .init(records: records, digest: digest.finalize())
    }
    for section in Set(secretRecords.keys).union(secretSources.keys) {
      var digest = SHA256()
      var count: UInt64 = 0
      try forEachSecretRecord(of: section) { record in
        record.withBytes {
          digest.update($0)
          holdingCount.note($0, of: section)
        }
        count += 1
      }
      entries[section] = .init(records: count, digest: digest.finalize())
    }
    if !shares.isEmpty { entries[.keyShares] = shareFingerprint() }
    return BundleFingerprint(sections: entries)
  }

  /// Hands over the framed records of section 65 or 66.
  func forEachSecretRecord(
    of section: Section, _ body: (borrowing SecretBytes) throws -> Void
  ) throws {
    for record in secretRecords[section] ?? [] { try body(record.bytes) }
    for source in secretSources[section] ?? [] { try source(body) }
  }

  private func shareFingerprint() -> BundleFingerprint.Entry {
    var digest = SHA256()
    for share in shares.sorted(by: { $0.descriptor.id.lexicographicallyPrecedes($1.descriptor.id) }) {
      digest.update([UInt8](share.descriptor.id))
      holdingCount.note(.share(share.descriptor))
      share.secret.bytes.withBytes { digest.update($0) }
    }
    return .init(records: UInt64(shares.count), digest: digest.finalize())
  }
}
