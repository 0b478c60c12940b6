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

  /// The inventory of an archive that is about to be published; nil if nothing is known of its things.
  ///
  /// - Throws: ``PublishError/emptied(_:)`` if nothing is left of a part, and that is not accepted.
  func inventory(
    _ written: WrittenArchive, _ holdings: CountedHoldings?, after vault: VaultState
  ) throws(PublishError) -> Inventory? {
    let link = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    guard let sections, let holdings else {
      // A re-encrypted archive has the same contents.
      guard var same = vault.inventory, vault.known == nil || same.archive == vault.known else {
        return vault.inventory
      }
      same.archive = link
      return same
    }
    let inventory = Inventory(
      of: link, whole: holdings.whole, after: vault.inventory, comparing: compared, accepting: acceptance)
    let emptied = EmptiedPart.all(
      among: sections, comparing: compared, from: vault, to: holdings.all, counts: Self.counts(written))
    let isAccepted =
      acceptance.coversAll || !acceptance.names.isEmpty && inventory.losses.isEmpty
      || !sources.leftOut.isEmpty
    guard emptied.isEmpty || isAccepted else { throw .emptied(emptied) }
    return inventory
  }

  /// Refuses to continue if nothing was collected, the last archive has contents, and their loss is not accepted.
  func refuseEmptied(_ vault: VaultState) throws(PublishError) {
    let emptied = EmptiedPart.all(
      among: sections ?? [], comparing: compared, from: vault, to: [], counts: [:])
    let isAccepted = acceptance.coversAll || !sources.leftOut.isEmpty
    guard emptied.isEmpty || isAccepted else { throw .emptied(emptied) }
  }

  /// The things that an archive lacks of those in the ones before, for its manifest.
  func absent(whole: [Holding], after before: Inventory?) -> [Absence] {
    guard sections != nil, let before else { return [] }
    return Inventory(
      of: before.archive, whole: whole, after: before, comparing: compared, accepting: acceptance
    ).absent
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
