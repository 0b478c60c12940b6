internal import FuekiWallet
public import FuekiArchive

// A whole backup: the collected contents become one sealed archive, in every target.

extension Publication {
  /// Collects, bundles, seals and writes, reads back and verifies, then publishes.
  ///
  /// No file in a target has an archive's name until the last step. An archive is published only after every byte has
  /// been read back and the intent to publish it is durable.
  ///
  /// - Parameters:
  ///   - facts: the manifest's facts, apart from the records.
  ///   - recognizing: accepts archives in the targets that another machine made, before their owner is judged.
  ///   - progress: receives each step. An error that it throws ends the run and leaves no files.
  ///   - collect: makes the bundle, once this machine's place in the vault's chain is clear.
  /// - Returns: the archive, where it is, and the copies that failed.
  /// - Throws: ``TargetError/noTarget(path:)``; ``PublishError/nothingToBackUp(leftOut:)``;
  ///   ``LineageError/forked(sequence:known:)``, ``LineageError/unknownSuccessor(sequence:known:)`` or
  ///   ``LineageError/unknownLineage(sequence:)`` if every target holds a possibly newer archive of this vault;
  ///   ``PublishError/emptied(_:)`` if a part of the last archive is gone entirely;
  ///   ``TargetError/readBackDiffers(path:)``; errors from the closures, and the first target's error if none is
  ///   writable.
  package func create(
    _ facts: ManifestFacts, recognizing: (_ found: [TargetEntry]) throws -> Void = { _ in },
    progress: (BackupProgress) throws -> Void, collect: () throws -> BackupBundle
  ) throws -> BackupReport {
    let known = Set(try state.directory.vault(vaultID).keptUnread.map { Array($0.utf8) })
    let (published, collected) = try notingEmptied {
      try run(recognizing: recognizing, progress: progress) {
        CollectedContents(bundle: try bundle(collect), publication: self, manifest: facts)
      }
    }
    var report = BackupReport(published: published, bundle: collected.bundle)
    report.newlyUnread = collected.bundle.reports.flatMap(\.keptUnread).filter {
      !known.contains(Array($0.utf8))
    }
    return report
  }

  /// Collects a bundle that is not empty.
  private func bundle(_ collect: () throws -> BackupBundle) throws -> BackupBundle {
    let bundle = try collect()
    guard !bundle.sections.isEmpty else {
      try memory.refuseEmptied(state.directory.vault(vaultID))
      let leftOut = bundle.reports.flatMap(\.excluded).map { "\($0.what): \($0.reason)" }
      throw PublishError.nothingToBackUp(leftOut: leftOut)
    }
    return bundle
  }

  /// Runs something, and remembers that it made no archive because nothing is left of parts of the last one: the vault
  /// is in no order until an archive is made.
  private func notingEmptied<Made>(_ run: () throws -> Made) throws -> Made {
    do {
      return try run()
    } catch PublishError.emptied(let parts) {
      try state.change(vaultID) { $0.emptied = parts }
      throw PublishError.emptied(parts)
    }
  }
}

/// The bundle of a backup, with what its manifest states besides.
private struct CollectedContents: PublicationContents {
  let bundle: BackupBundle
  let publication: Publication
  /// The manifest's facts, apart from the records.
  let manifest: ManifestFacts

  var facts: CollectedFacts? {
    CollectedFacts(
      sources: bundle.reports.map(\.name), missing: bundle.reports.flatMap(\.missing),
      keptUnread: bundle.reports.flatMap(\.keptUnread),
      declinedKeys: bundle.reports.flatMap(\.declinedKeys),
      findings: bundle.findings, placedFiles: bundle.holdingCount.placedFileCount)
  }

  func write(
    to file: ArchiveFile, draft: ArchiveDraft, passing pass: inout HistoryPass?,
    progress: (BackupProgress) throws -> Void
  ) throws -> (archive: WrittenArchive, inventory: Inventory?) {
    let (memory, vaultID) = (publication.memory, publication.vaultID)
    let known = try publication.state.directory.vault(vaultID)
    var facts = manifest
    // Another machine's signer may have been accepted a moment ago.
    facts.signers = try publication.trust.of(vaultID).signers.union(known.signerKeys)
      .union([draft.signer?.publicKey].compactMap(\.self))
    facts.inventory = known.inventory
    var compared: (holdings: CountedHoldings, inventory: Inventory)?
    let written = try bundle.write(
      to: file, draft: draft, slots: publication.slots, facts: facts, passing: &pass,
      losing: { holdings in
        compared = memory.inventory(holdings, after: known).map { (holdings, $0) }
        return compared?.inventory.absent ?? []
      }, progress: progress)
    try bundle.fileAssembly.check(besides: bundle.incompleteFiles)
    guard var compared else { return (written, nil) }
    try memory.refuseEmptied(known, by: (written, compared.holdings, compared.inventory.losses))
    compared.inventory.archive = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    return (written, compared.inventory)
  }
}

/// The result of a backup: the published archive, whose facts are members of this value too, and the collected contents.
@dynamicMemberLookup
public struct BackupReport: Sendable {
  /// The archive and its places.
  public let published: PublishedArchive
  /// The contents, with the reports of its sources.
  public let bundle: BackupBundle
  /// Archives of the vault that another machine made since this machine's last one; nil if there are none.
  public internal(set) var otherMachine: OtherMachine?
  /// The vaults of others in the targets, if the archive is the first of a vault that begins beside them.
  public internal(set) var beside: [VaultID] = []
  /// The vault that this machine may be meant to continue instead of its own; nil if its owner chose.
  public internal(set) var undecided: VaultID?
  /// Whether another machine made the archive that has what is missing.
  public internal(set) var isLossElsewhere = false
  /// The files that no kind reads, and that this machine's last archive did not have so.
  public internal(set) var newlyUnread: [String] = []
  /// The sources that other archives of the vault have and this run leaves out.
  public internal(set) var leftOutSources: [String] = []

  /// Returns a fact of the published archive.
  public subscript<Fact>(dynamicMember fact: KeyPath<PublishedArchive, Fact>) -> Fact {
    published[keyPath: fact]
  }

  /// The things that earlier archives have and this one has not, and whose loss was not accepted.
  public var losses: [Absence] { published.inventory?.losses ?? [] }

  /// The files of earlier archives that are in another place now.
  public var moved: [FileMove] { published.inventory?.moved ?? [] }

  /// Whether every source was complete, nothing of the last archive is missing, and every target has the archive, its
  /// recovery files and the earlier archives that it needs.
  public var isComplete: Bool {
    losses.isEmpty && published.isComplete && published.copies.isComplete && otherMachine == nil
      && beside.isEmpty && undecided == nil && bundle.reports.allSatisfy(\.complete)
  }
}
