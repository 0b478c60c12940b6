public import FuekiArchive
internal import FuekiCrypto

/// What does not fit together in a folder of archives: numbers that are missing or there twice, and names that say
/// otherwise than the files.
///
/// None of it is damage. It shows that somebody removed, copied or renamed something.
public struct LineageGaps: Sendable {
  /// Numbers that are missing between a vault's first and newest archive.
  public struct Gap: Equatable, Sendable {
    /// The vault's id.
    public let vault: VaultID
    /// The missing numbers.
    public let missing: ClosedRange<UInt64>
  }

  /// The numbers that are missing.
  public private(set) var gaps: [Gap] = []
  /// Files that hold the same archive as another one: their names.
  public private(set) var doubles: [(path: String, of: String)] = []
  /// Files that state the digest of another one and have other bytes: their names.
  public private(set) var contested: [(path: String, with: String)] = []
  /// Files whose names say another number than their headers.
  public private(set) var misnamed: [(path: String, named: UInt64, sequence: UInt64)] = []

  /// Whether everything fits.
  public var isEmpty: Bool { gaps.isEmpty && doubles.isEmpty && contested.isEmpty && misnamed.isEmpty }

  /// Compares what lies in one target or several; a stranger's archive fills no gap.
  public init(_ entries: [TargetEntry], _ ownerships: Ownerships) {
    var numbers: [VaultID: Set<UInt64>] = [:]
    for entry in entries {
      // Also one that counts as a stranger's: its seals are not those that were signed.
      if case .otherBytes(let other) = entry.conflict { contested.append((entry.path, other)) }
      guard let archive = entry.archive, ownerships[archive] != .stranger else { continue }
      numbers[archive.facts.vaultID, default: []].insert(archive.facts.sequence)
      if case .identical(let other) = entry.conflict { doubles.append((entry.path, other)) }
      if let named = ArchiveClaim.sequence(inName: entry.name), named != archive.facts.sequence {
        misnamed.append((entry.path, named, archive.facts.sequence))
      }
    }
    for (vault, found) in numbers.sorted(by: { $0.key < $1.key }) {
      let ordered = found.sorted()
      for (before, after) in zip(ordered, ordered.dropFirst()) where after - before > 1 {
        gaps.append(Gap(vault: vault, missing: before + 1...after - 1))
      }
    }
  }
}
