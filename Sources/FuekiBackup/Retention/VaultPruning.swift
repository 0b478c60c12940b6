internal import FuekiArchive
internal import FuekiCrypto

/// Decides for one vault's archives in one target.
struct VaultPruning {
  /// The files of one archive: equal but for their names, unless one was damaged.
  private struct Copies {
    /// The file that stands for the archive.
    var entry: TargetEntry
    var others: [TargetEntry]
  }

  let id: VaultID
  private var archives: [Copies]
  private let rules: RetentionRules
  private let known: VaultState.Link?
  /// The names of the things that only an archive has, by its digest in hex.
  private let onlyIn: [String: [String]]
  private let now: Int64

  init(
    id: VaultID, entries: [TargetEntry], rules: RetentionRules, known: VaultState.Link?,
    onlyIn: [String: [String]], now: Int64
  ) {
    self.id = id
    self.rules = rules
    self.known = known
    self.onlyIn = onlyIn
    self.now = now
    let groups = Dictionary(grouping: entries) { $0.archive?.statedDigest }.values
    archives = groups.compactMap { files in
      guard let first = files.first(where: { !$0.isSecondCopy }) ?? files.first else { return nil }
      return Copies(entry: first, others: files.filter { $0.name != first.name }.sorted { $0.name < $1.name })
    }
    archives.sort { a, b in
      let (x, y) = (a.entry.dated, b.entry.dated)
      return (x.sequence, x.created, a.entry.name) > (y.sequence, y.created, b.entry.name)
    }
  }

  /// Rules first; then what no rule may give up.
  func plan(_ progress: (String) throws -> Void) throws -> PrunePlan.Vault {
    var archives = archives
    var reasons = rules.reasons(toKeep: archives.map(\.entry.dated), now: now)
    let future = archives.count { $0.entry.dated.isFutureDated(now: now) }
    let isClockBehind = 2 * future > archives.count
    if isClockBehind { for index in reasons.indices { reasons[index].append(.clockIsBehind) } }
    let verified = try newestVerified(&archives, progress)
    if let verified {
      reasons[verified].append(.newestVerified)
    } else {
      for index in reasons.indices { reasons[index].append(.noneVerifies) }
    }
    // Among what is mine: a stranger's of the same number keeps nothing.
    let numbers = Dictionary(grouping: archives, by: \.entry.dated.sequence)
    for (index, copies) in archives.enumerated() where numbers[copies.entry.dated.sequence]?.count ?? 0 > 1 {
      reasons[index].append(.fork)
    }
    keepKnown(archives, &reasons)
    keepOnlyOnes(archives, &reasons)
    keepOpeners(archives, &reasons)
    keepBases(archives, &reasons)

    var vault = PrunePlan.Vault(id: id)
    vault.isClockBehind = isClockBehind
    vault.verified = verified.map { archives[$0].entry }
    for (index, copies) in archives.enumerated() {
      guard reasons[index].isEmpty else {
        try keep(copies, reasons[index], in: &vault, progress)
        continue
      }
      vault.removed += ([copies.entry] + copies.others).map { .init(entry: $0, copyOf: nil) }
    }
    vault.removed.reverse()
    return vault
  }

  /// Second files of an archive that stays go, once one of its files is known to be whole.
  private func keep(
    _ copies: Copies, _ reasons: [KeepReason], in vault: inout PrunePlan.Vault,
    _ progress: (String) throws -> Void
  ) throws {
    var copies = copies
    let isFuture = copies.entry.dated.isFutureDated(now: now)
    let isKnownWhole = vault.verified?.name == copies.entry.name
    let isWhole = try copies.others.isEmpty || isKnownWhole || putWholeFirst(&copies, progress)
    vault.kept.append(.init(entry: copies.entry, reasons: reasons, isFutureDated: isFuture))
    for other in copies.others {
      if isWhole {
        vault.removed.append(.init(entry: other, copyOf: copies.entry.name))
      } else {
        vault.kept.append(.init(entry: other, reasons: reasons, isFutureDated: isFuture))
      }
    }
  }

  /// The newest archive that has a file every byte of which is right; that file then stands for it.
  private func newestVerified(_ archives: inout [Copies], _ progress: (String) throws -> Void) throws -> Int?
  {
    for index in archives.indices where try putWholeFirst(&archives[index], progress) {
      guard let base = archives[index].entry.archive?.facts.base else { return index }
      // What differs from an archive is of no use without it.
      let place = archives.firstIndex { $0.entry.archive?.statedDigest == base.digest }
      if let place, try putWholeFirst(&archives[place], progress) { return index }
    }
    return nil
  }

  private func putWholeFirst(
    _ copies: inout Copies, _ progress: (String) throws -> Void
  ) throws -> Bool {
    let files = [copies.entry] + copies.others
    for file in files where try file.verifies(progress) {
      copies = Copies(entry: file, others: files.filter { $0.name != file.name })
      return true
    }
    return false
  }

  /// Keeps the newest archive that this machine knows, whatever newer ones the vault's signers made elsewhere.
  private func keepKnown(_ archives: [Copies], _ reasons: inout [[KeepReason]]) {
    let index = archives.firstIndex { $0.entry.archive?.statedDigest.hex == known?.digest }
    guard let index, reasons[index].isEmpty else { return }
    reasons[index].append(.newestKnown)
  }

  /// Keeps the archives that alone have things whose loss was not accepted.
  private func keepOnlyOnes(_ archives: [Copies], _ reasons: inout [[KeepReason]]) {
    for (index, copies) in archives.enumerated() {
      guard let digest = copies.entry.archive?.statedDigest, let names = onlyIn[digest.hex] else { continue }
      reasons[index].append(.onlyOneWith(names))
    }
  }

  /// Keeps the base of every differential archive that stays.
  private func keepBases(_ archives: [Copies], _ reasons: inout [[KeepReason]]) {
    let needed = Set(
      archives.indices.filter { !reasons[$0].isEmpty }.compactMap {
        archives[$0].entry.archive?.facts.base?.digest
      })
    for (index, copies) in archives.enumerated() {
      guard let digest = copies.entry.archive?.statedDigest, needed.contains(digest) else { continue }
      reasons[index].append(.base)
    }
  }

  /// Keeps the newest archive with most slots of each kind that the kept ones lack.
  ///
  /// Without a secret nobody can say which key a slot is of, but for the guardians' public tags: so kinds are
  /// counted, and an archive that two recipients open is not given up for ones that one opens.
  private func keepOpeners(_ archives: [Copies], _ reasons: inout [[KeepReason]]) {
    let openers = archives.map { OpenerCount($0.entry.archive?.slots ?? []) }
    for kind in Set(openers.flatMap { $0.counts.keys }).sorted() {
      let most = openers.map { $0.counts[kind] ?? 0 }.max() ?? 0
      let holders = openers.indices.filter { openers[$0].counts[kind] == most }
      guard let newest = holders.first, holders.allSatisfy({ reasons[$0].isEmpty }) else { continue }
      reasons[newest].append(.onlyOneOpenedBy(kind))
    }
  }
}

/// How many slots of each kind an archive has, as far as that is public.
struct OpenerCount {
  private(set) var counts: [String: Int] = [:]

  init(_ slots: [SlotSummary]) {
    for slot in slots {
      var kind = slot.type.name
      if let guardians = slot.guardians {
        kind +=
          " \(guardians.identifier) (\(guardians.shareTags.map { Hex.encode($0) }.joined(separator: " ")))"
      }
      counts[kind, default: 0] += 1
    }
  }
}

extension TargetEntry {
  fileprivate var isSecondCopy: Bool {
    if case .identical = conflict { true } else { false }
  }
}
