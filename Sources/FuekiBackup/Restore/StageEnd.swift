public import FuekiArchive

/// How a stage of a restore ended.
public enum StageEnd: Equatable, Sendable {
  /// It was done.
  case done
  /// The archive is damaged, and what is whole in it is salvaged.
  case salvaged
  /// Records were read: what was lost of them, and what deriving addresses again came to.
  case read(lost: StageLoss, proofs: ProofTally)
  /// The chains were asked, or were not.
  case resynced(ResyncOutcome)

  /// Whether there is nothing to tell of the stage but that it ended well.
  public var isUneventful: Bool {
    switch self {
    case .done: true
    case .read(let lost, let proofs): lost == .none && proofs == ProofTally()
    case .salvaged, .resynced: false
    }
  }
}

/// A stage's losses from a damaged archive.
public struct StageLoss: Equatable, Sendable {
  /// Nothing is lost.
  public static let none = StageLoss(scopes: [], records: 0)

  /// Scopes of which everything is lost.
  public let scopes: [ArchiveScope]
  /// How many records are lost of others.
  public let records: UInt64

  /// Creates a loss.
  public init(scopes: [ArchiveScope], records: UInt64) {
    self.scopes = scopes
    self.records = records
  }
}
