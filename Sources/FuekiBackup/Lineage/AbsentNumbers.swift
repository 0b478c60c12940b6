public import FuekiArchive
internal import FuekiCrypto

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
