public import FuekiArchive
public import FuekiWallet

/// What a damaged archive could not give of what was asked for.
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

  /// How a stage that read these scopes ended, and what its proofs came to.
  func sentence(_ scopes: [ArchiveScope], _ proofs: ProofReport) -> String {
    [sentence(scopes), proofs.sentence].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// How a stage that read these scopes ended.
  func sentence(_ scopes: [ArchiveScope]) -> String {
    let lost = sections.values.filter { loss in scopes.contains { $0.sectionIDs.contains(loss.section) } }
    let records = lost.reduce(0) { $0 + $1.lostRecords }
    let whole = self.scopes.filter(scopes.contains).map { "the \($0.name) is lost" }
    let parts = whole + (records > 0 ? ["\(records) records are lost"] : [])
    return parts.isEmpty ? "done" : "in part: \(parts.joined(separator: ", "))"
  }
}
