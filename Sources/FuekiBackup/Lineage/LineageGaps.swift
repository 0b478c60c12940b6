internal import FuekiCrypto
public import FuekiArchive

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

/// Numbers of a vault's archives that a target lacks, up to the newest that is known.
public struct AbsentNumbers: Equatable, Sendable {
  /// Why they are not there, as far as this machine knows; by the names that scripts see.
  public enum Reason: String, Sendable {
    /// This machine wrote them to other targets, and never to this one.
    case neverWritten = "never-written"
    /// They were there.
    case removed
    /// This machine has no record of them.
    case unknown
  }

  /// The target's path.
  public let target: String
  /// The vault's id.
  public let vault: VaultID
  /// The numbers.
  public let numbers: ClosedRange<UInt64>
  /// Why they are not there.
  public let reason: Reason
}

/// Finds the numbers that targets lack, after the first archive in each.
public struct AbsenceSearch {
  private typealias Numbers = [VaultID: Set<UInt64>]

  /// The numbers of archives, and those that damaged files claim.
  private let found: [(target: Target, numbers: Numbers, claimed: Numbers)]
  private let states: [VaultID: VaultState]

  /// - Parameters:
  ///   - found: the contents of the targets.
  ///   - ownerships: the archives' owners. A stranger's archive fills no gap.
  ///   - states: this machine's states of the vaults.
  public init(
    _ found: [(target: Target, entries: [TargetEntry])], _ ownerships: Ownerships,
    _ states: [VaultID: VaultState]
  ) {
    self.states = states
    self.found = found.map { target, entries in
      var numbers: Numbers = [:]
      for case let archive? in entries.map(\.archive) where ownerships[archive] != .stranger {
        numbers[archive.facts.vaultID, default: []].insert(archive.facts.sequence)
      }
      return (target, numbers, entries.claimedNumbers(of: numbers.keys))
    }
  }

  /// The numbers, by target and vault.
  ///
  /// A number that another of the targets has is listed only if it was never written to this one.
  public var all: [AbsentNumbers] {
    found.flatMap { target, numbers, claimed in
      numbers.keys.sorted().flatMap { vault in
        all(in: target, of: vault, numbers[vault] ?? [], claimed[vault] ?? [])
      }
    }
  }

  private func all(
    in target: Target, of vault: VaultID, _ whole: Set<UInt64>, _ claimed: Set<UInt64>
  ) -> [AbsentNumbers] {
    let state = states[vault] ?? VaultState()
    let anywhere = found.reduce(into: Set<UInt64>()) { $0.formUnion($1.numbers[vault] ?? []) }
    let newest = max(anywhere.max() ?? 0, state.known?.sequence ?? 0)
    // What lies here damaged was not removed.
    let first = whole.min() ?? 0
    let here = whole.union(claimed.filter { first < $0 && $0 <= newest })
    // The number after the newest ends the last gap.
    let ends = here.sorted() + (newest < .max ? [newest + 1] : [])
    var absent: [AbsentNumbers] = []
    for (before, after) in zip(ends, ends.dropFirst()) where after > before && after - before > 1 {
      absent += Self.split(before + 1...after - 1, state.places, target, anywhere).map {
        AbsentNumbers(target: target.path, vault: vault, numbers: $0.numbers, reason: $0.reason)
      }
    }
    return absent
  }

  /// Cuts a range of missing numbers wherever the reason changes.
  private static func split(
    _ range: ClosedRange<UInt64>, _ places: ArchivePlaces?, _ target: Target, _ anywhere: Set<UInt64>
  ) -> [(numbers: ClosedRange<UInt64>, reason: AbsentNumbers.Reason)] {
    let present = anywhere.filter(range.contains)
    let starts = Set(
      (places?.boundaries(in: range) ?? [range.lowerBound])
        + present.flatMap { $0 < range.upperBound ? [$0, $0 + 1] : [$0] }
    ).sorted()
    var parts: [(numbers: ClosedRange<UInt64>, reason: AbsentNumbers.Reason)] = []
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] - 1 : range.upperBound
      let reason = places?.reason(toLack: start, in: target.place) ?? .unknown
      guard reason == .neverWritten || !present.contains(start) else { continue }
      if let last = parts.last, last.reason == reason, last.numbers.upperBound == start - 1 {
        parts[parts.count - 1].numbers = last.numbers.lowerBound...end
      } else {
        parts.append((start...end, reason))
      }
    }
    return parts
  }
}
