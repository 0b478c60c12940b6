public import FuekiArchive
internal import FuekiCrypto

/// Irregularities in a folder of archives: missing or repeated numbers, and names that contradict the files.
///
/// They are no damage, but show that archives were removed, copied or renamed.
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

  /// Compares the archives in one or several targets.
  ///
  /// A stranger's archive fills no gap.
  public init(_ entries: [TargetEntry], _ ownerships: Ownerships) {
    var numbers: [VaultID: Set<UInt64>] = [:]
    for entry in entries {
      // Includes archives that count as a stranger's, because their seals are not the signed ones.
      if case .otherBytes(let other) = entry.conflict { contested.append((entry.path, other)) }
      guard let archive = entry.archive, ownerships[archive] != .stranger else { continue }
      numbers[archive.facts.vaultID, default: []].insert(archive.facts.sequence)
      if case .identical(let other) = entry.conflict { doubles.append((entry.path, other)) }
      if let named = ArchiveClaim.sequence(inName: entry.name), named != archive.facts.sequence {
        misnamed.append((entry.path, named, archive.facts.sequence))
      }
    }
    let claimed = entries.claimedNumbers(of: numbers.keys)
    for (vault, found) in numbers.sorted(by: { $0.key < $1.key }) {
      guard let first = found.min(), let last = found.max() else { continue }
      // What lies here damaged was not removed.
      let ordered = found.union((claimed[vault] ?? []).filter { first < $0 && $0 < last }).sorted()
      for (before, after) in zip(ordered, ordered.dropFirst()) where after - before > 1 {
        gaps.append(Gap(vault: vault, missing: before + 1...after - 1))
      }
    }
  }
}
