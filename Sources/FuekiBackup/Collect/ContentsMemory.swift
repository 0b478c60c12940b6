internal import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// A section of which the new archive has much less than the vault's last one.
public struct SectionShrinkage: Hashable, Sendable {
  /// The section's name.
  public let section: String
  /// How many records the last archive has.
  public let before: UInt64
  /// How many the new one would have.
  public let now: UInt64
}

/// What a machine remembers of an archive's contents, to notice when they are gone or have not changed.
///
/// It is kept in this machine's state, so that no old archive has to be opened.
public struct ContentsMemory: Sendable {
  /// The sections that were asked for; nil where nothing is compared and all is remembered.
  public var sections: Set<Section>?
  /// The person says that what is gone may be.
  public var acceptsLoss = false
  /// A digest of what was collected, where it was taken.
  public var content: String?

  /// Fewer records than this are not many: only losing all of them counts.
  private static let leastMany: UInt64 = 10

  /// Compares nothing, and remembers the counts.
  public init() {}

  /// - Throws: ``PublishError/loss(_:)`` where a whole section is gone, or more than half of one.
  func check(_ written: WrittenArchive, against vault: VaultState) throws(PublishError) {
    guard let sections, !acceptsLoss, let before = vault.counts else { return }
    let now = Self.counts(written)
    let losses = sections.sorted().compactMap { section -> SectionShrinkage? in
      guard let old = before[section.name], old > 0 else { return nil }
      let new = now[section.name] ?? 0
      let isMuch = new == 0 || old >= Self.leastMany && new < old - old / 2
      return isMuch ? SectionShrinkage(section: section.name, before: old, now: new) : nil
    }
    guard losses.isEmpty else { throw .loss(losses) }
  }

  /// Notes an archive's counts; of sections that were not asked for, those of the one before stay.
  ///
  /// Where nothing is compared nothing was collected, and what the archive lacks was not lost.
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
  /// One digest of all that was collected, and of how it was asked for.
  public func digest(askedFor request: [String]) -> Digest {
    var hash = SHA256()
    for text in request { hash.update([UInt8](text.utf8) + [0]) }
    for (section, entry) in sections.sorted(by: { $0.key < $1.key }) {
      hash.update([UInt8]("\(section.name) \(entry.records) \(entry.digest.hex)\n".utf8))
    }
    return hash.finalize()
  }
}
