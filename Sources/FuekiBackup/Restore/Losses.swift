public import FuekiArchive
public import FuekiWallet

/// The selected contents that a damaged archive has lost.
public struct Losses: Sendable {
  /// Sections of which records are lost, the manifest among them, in order.
  public let sections: [SectionLoss]
  /// Scopes of which everything is lost: their index is damaged.
  public let scopes: [ArchiveScope]
  /// The key shares that are lost, as far as their descriptors are not.
  public let shares: [KeyShareDescriptor]

  /// Whether nothing is lost.
  public var isEmpty: Bool { sections.isEmpty && scopes.isEmpty }
}

/// Notes what is lost while the sections are read, each once or more often.
final class LossLedger {
  private var sections: [UInt16: SectionLoss] = [:]
  var scopes: [ArchiveScope] = []
  var shares: [KeyShareDescriptor] = []

  var losses: Losses {
    Losses(sections: sections.values.sorted { $0.section < $1.section }, scopes: scopes, shares: shares)
  }

  func note(_ loss: SectionLoss?) {
    guard let loss else { return }
    sections[loss.section] = loss
  }

  func loss(of section: Section) -> SectionLoss? { sections[section.rawValue] }

  /// How a stage ended that read a scope, and what its proofs came to.
  func end(of scope: ArchiveScope, _ proofs: ProofReport = .empty) -> StageEnd {
    let lost = sections.values.filter { scope.sectionIDs.contains($0.section) }
    let loss = StageLoss(
      scopes: scopes.filter { $0 == scope }, records: lost.reduce(0) { $0 + $1.lostRecords })
    return .read(lost: loss, proofs: proofs.tally)
  }
}
