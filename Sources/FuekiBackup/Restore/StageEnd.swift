public import FuekiArchive

/// How a stage of a restore ended.
public enum StageEnd: Equatable, Sendable {
  /// It was done.
  case done
  /// The archive is damaged, and its intact parts are salvaged.
  case salvaged
  /// Records were read.
  ///
  /// Has their losses, and the results of deriving addresses again.
  case read(lost: StageLoss, proofs: ProofTally)
  /// The chains were asked, or were not.
  case resynced(ResyncOutcome)

  /// Whether the stage ended well, without further facts to report.
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
