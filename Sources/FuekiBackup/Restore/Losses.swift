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

/// Records losses while the sections are read, once or several times each.
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

  /// Returns the end of a stage that read a scope, with the results of its proofs.
  func end(of scope: ArchiveScope, _ proofs: ProofReport = .empty) -> StageEnd {
    let lost = sections.values.filter { scope.sectionIDs.contains($0.section) }
    let loss = StageLoss(
      scopes: scopes.filter { $0 == scope }, records: lost.reduce(0) { $0 + $1.lostRecords })
    return .read(lost: loss, proofs: proofs.tally)
  }
}
