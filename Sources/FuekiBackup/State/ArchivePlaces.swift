internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The archives of a vault, by number, that this machine wrote to or found in each target.
///
/// An archive missing from a target was either never written there, or it was removed.
public struct ArchivePlaces: Codable, Equatable, Sendable {
  /// The first number that this machine recorded as written; it may have written earlier ones anywhere.
  private var since: UInt64
  /// By the target's place.
  private var numbers: [ExactText: SequenceSet] = [:]
  /// Archives with private keys that were made for targets that only their owner sees.
  private var confined = SequenceSet()
  /// Archives with private keys that were made for targets which others can see, by those targets' places.
  private var allowed: [ExactText: SequenceSet] = [:]

  /// Nothing was recorded before an archive of this number.
  init(since: UInt64) { self.since = since }

  mutating func insert(_ sequence: UInt64, in place: ExactText) {
    numbers[place, default: SequenceSet()].insert(sequence)
  }

  mutating func confine(_ sequence: UInt64) { confined.insert(sequence) }

  /// Records that an archive with private keys was made for targets that others can see.
  mutating func allow(_ sequence: UInt64, in places: [ExactText]) {
    for place in places { allowed[place, default: SequenceSet()].insert(sequence) }
  }

  /// Whether an archive may go to a target that others can see: it has no private keys, or it was made for that target.
  func mayLeave(_ sequence: UInt64, to place: ExactText) -> Bool {
    guard !confined.contains(sequence) else { return false }
    guard allowed.values.contains(where: { $0.contains(sequence) }) else { return true }
    return allowed[place]?.contains(sequence) ?? false
  }

  /// Whether any archive of the vault was ever in a target, as far as this machine knows.
  func has(anyIn place: ExactText) -> Bool { numbers[place] != nil }

  /// Why a target lacks an archive of this number.
  func reason(toLack sequence: UInt64, in place: ExactText) -> AbsentNumbers.Reason {
    if numbers[place]?.contains(sequence) ?? false { return .removed }
    let isElsewhere = numbers.values.contains { $0.contains(sequence) }
    return isElsewhere && sequence >= since ? .neverWritten : .unknown
  }

  /// The numbers in a range at which the reason may change, in order; the first is the range's first.
  func boundaries(in range: ClosedRange<UInt64>) -> [UInt64] {
    let changes = numbers.values.flatMap(\.boundaries) + [since]
    return Set(changes.filter(range.contains) + [range.lowerBound]).sorted()
  }
}

/// A set of numbers that mostly follow one another, kept as ranges.
struct SequenceSet: Codable, Equatable, Sendable {
  /// First and last number of each range, ascending.
  private var ranges: [[UInt64]] = []

  init() {}

  /// Adds a number.
  mutating func insert(_ number: UInt64) {
    guard !contains(number) else { return }
    var merged: [[UInt64]] = []
    for range in (ranges + [[number, number]]).sorted(by: { ($0.first ?? 0) < ($1.first ?? 0) }) {
      guard let first = range.first, let last = range.last else { continue }
      if let before = merged.last?.last, first == 0 || first - 1 <= before {
        merged[merged.count - 1][1] = max(before, last)
      } else {
        merged.append([first, last])
      }
    }
    ranges = merged
  }

  /// Whether it has a number.
  func contains(_ number: UInt64) -> Bool {
    ranges.contains { range in
      guard let first = range.first, let last = range.last else { return false }
      return first <= number && number <= last
    }
  }

  /// Each range's first number, and the one after its last.
  fileprivate var boundaries: [UInt64] {
    ranges.flatMap { range in
      [range.first, range.last.flatMap { $0 < .max ? $0 + 1 : nil }].compactMap(\.self)
    }
  }
}

extension LockedState {
  /// Records the archives that were found in targets; a stranger's is passed over.
  func note(
    _ found: [(target: Target, entries: [TargetEntry])], _ ownerships: Ownerships, of vault: VaultID
  ) throws {
    let own = found.flatMap { target, entries in
      entries.compactMap(\.archive).filter {
        $0.facts.vaultID == vault && ownerships[$0] == .mine
      }.map { (target.place, $0.facts.sequence) }
    }
    guard let newest = own.map(\.1).max() else { return }
    let known = try directory.vault(vault).known?.sequence ?? 0
    try notePlaces(of: vault, since: max(known, newest).addingReportingOverflow(1).partialValue) { places in
      for (place, sequence) in own { places.insert(sequence, in: place) }
    }
  }

  /// Records the places of a new archive.
  ///
  /// - Parameters:
  ///   - written: the archive.
  ///   - paths: its files.
  ///   - targets: all intended targets. Private keys in it stay in these, and in local ones.
  /// - Throws: errors from reading and writing the state.
  func note(_ written: WrittenArchive, in paths: [String], to targets: [Target]) throws {
    let seen = targets.filter(\.isSeenByOthers).map(\.place)
    let hasPrivateKeys = [Section.privateKeys, .secretFiles].contains {
      written.recordCounts[$0.rawValue] ?? 0 > 0
    }
    let sequence = written.facts.sequence
    try notePlaces(of: written.facts.vaultID, since: sequence) { places in
      for path in paths { places.insert(sequence, in: Target(holding: path).place) }
      guard hasPrivateKeys else { return }
      if seen.isEmpty { places.confine(sequence) } else { places.allow(sequence, in: seen) }
    }
  }

  /// Records a copy.
  func note(_ link: VaultState.Link, in target: Target, of vault: VaultID) throws {
    let known = try directory.vault(vault).known?.sequence ?? 0
    try notePlaces(of: vault, since: max(known, link.sequence)) { $0.insert(link.sequence, in: target.place) }
  }

  private func notePlaces(
    of vault: VaultID, since: UInt64, _ change: (inout ArchivePlaces) -> Void
  ) throws {
    var state = try directory.vault(vault)
    var places = state.places ?? ArchivePlaces(since: since)
    change(&places)
    guard places != state.places else { return }
    state.places = places
    try keep(state, of: vault)
  }
}
