internal import FuekiArchive
internal import FuekiCrypto

/// Decides for one vault's archives in one target.
struct VaultPruning {
  let id: VaultID
  /// Newest first.
  private let archives: [ArchiveFiles]
  private let rules: RetentionRules
  private let known: VaultState.Link?
  /// The things that only an archive has, by its digest in hex.
  private let onlyIn: [String: [Absence]]
  private let witness: SealWitness
  /// The signers of the machines that make the vault's archives.
  private let signers: Set<Ed25519.PublicKey>
  /// The machines whose place this one took: the number of the archive that it continued, by its signer in hex.
  private let tookOver: [String: UInt64]
  private let now: Int64
  /// Whether every byte of a file is as it was written, by the names of the files that were read.
  private var wholeness: [String: Bool] = [:]

  init(
    id: VaultID, archives: [ArchiveFiles], rules: RetentionRules, known: VaultState.Link?,
    onlyIn: [String: [Absence]], witness: SealWitness, signers: Set<Ed25519.PublicKey>,
    tookOver: [String: UInt64],
    now: Int64
  ) {
    (self.signers, self.tookOver) = (signers, tookOver)
    self.id = id
    self.rules = rules
    self.known = known
    self.onlyIn = onlyIn
    self.witness = witness
    self.now = now
    self.archives = archives.sorted { a, b in
      let (x, y) = (a.entry.dated, b.entry.dated)
      return (x.sequence, x.created, a.entry.name) > (y.sequence, y.created, b.entry.name)
    }
  }

  /// Applies the rules first, then keeps what no rule may give up.
  mutating func plan(_ progress: (String) throws -> Void) throws -> PrunePlan.Vault {
    var vault = PrunePlan.Vault(id: id)
    var reasons = rules.reasons(toKeep: archives.map(\.entry.dated), now: now)
    let future = archives.count { $0.entry.dated.isFutureDated(now: now) }
    vault.isClockBehind = 2 * future > archives.count
    if vault.isClockBehind { for index in reasons.indices { reasons[index].append(.clockIsBehind) } }
    try keepNewest(&reasons, &vault, progress)
    // Only among the user's archives: a stranger's with the same number keeps nothing.
    let numbers = Dictionary(grouping: archives, by: \.entry.dated.sequence)
    for (index, archive) in archives.enumerated() {
      if numbers[archive.entry.dated.sequence]?.count ?? 0 > 1 { reasons[index].append(.fork) }
      guard archive.isDisputed else { continue }
      reasons[index].append(.otherBytes)
      vault.disputed.append(archive.entry)
    }
    keepKnown(archives, &reasons)
    try keepMachines(&reasons, progress)
    keepOnlyOnes(archives, &reasons)
    keepOpeners(archives, &reasons)
    keepBases(archives, &reasons)

    for (index, archive) in archives.enumerated() {
      guard reasons[index].isEmpty else {
        for files in archive.equal { try keep(files, reasons[index], in: &vault, progress) }
        continue
      }
      vault.removed += archive.all.map { .init(entry: $0, original: nil) }
    }
    vault.removed.reverse()
    return vault
  }

  /// Keeps one of several equal files; the others go once that one is known to be whole.
  private mutating func keep(
    _ files: EqualFiles, _ reasons: [KeepReason], in vault: inout PrunePlan.Vault,
    _ progress: (String) throws -> Void
  ) throws {
    let isFuture = files.stays.dated.isFutureDated(now: now)
    vault.kept.append(.init(entry: files.stays, reasons: reasons, isFutureDated: isFuture))
    guard !files.others.isEmpty else { return }
    let isWhole = try isWhole(files.stays, progress)
    for other in files.others {
      if isWhole, files.mayGo(other) {
        vault.removed.append(.init(entry: other, original: files.stays))
      } else {
        vault.kept.append(
          .init(entry: other, reasons: reasons + [.equal(to: files.stays.name)], isFutureDated: isFuture))
      }
    }
  }

  // MARK: the newest that verifies

  /// The result of reading an archive's files.
  private enum Finding {
    /// This file is whole, and this machine knows its seals.
    case proven(TargetEntry)
    /// A file is whole, and nothing vouches for its seals.
    case unproven
    /// No file is whole.
    case damaged
  }

  /// Keeps the newest archive that is whole and has proven seals, and the newest unproven one if that is newer; all
  /// archives if none is proven.
  private mutating func keepNewest(
    _ reasons: inout [[KeepReason]], _ vault: inout PrunePlan.Vault, _ progress: (String) throws -> Void
  ) throws {
    var unproven: Int?
    search: for index in archives.indices {
      switch try finding(index, isUnprovenWanted: unproven == nil, progress) {
      case .proven(let file):
        vault.verified = file
        reasons[index].append(.newestVerified)
        break search
      case .unproven where unproven == nil: unproven = index
      case .unproven, .damaged: continue
      }
    }
    if let unproven {
      vault.unproven = archives[unproven].entry
      reasons[unproven].append(.newestUnproven)
    }
    guard vault.verified == nil else { return }
    for index in reasons.indices { reasons[index].append(unproven == nil ? .noneVerifies : .noneProven) }
  }

  /// A differential archive is of no use without its base: the worse finding of the two counts.
  private mutating func finding(
    _ index: Int, isUnprovenWanted: Bool, _ progress: (String) throws -> Void
  ) throws -> Finding {
    let own = try finding(archives[index], isUnprovenWanted, progress)
    guard let base = archives[index].entry.archive?.facts.base else { return own }
    if case .damaged = own { return .damaged }
    guard let place = archives.firstIndex(where: { $0.entry.archive?.statedDigest == base.digest }) else {
      return .damaged
    }
    switch try finding(archives[place], isUnprovenWanted, progress) {
    case .proven: return own
    case .unproven: return .unproven
    case .damaged: return .damaged
    }
  }

  private mutating func finding(
    _ archive: ArchiveFiles, _ isUnprovenWanted: Bool, _ progress: (String) throws -> Void
  ) throws -> Finding {
    let files = archive.equal.map(\.stays)
    for file in files where file.archive.map(witness.vouches) ?? false {
      if try isWhole(file, progress) { return .proven(file) }
    }
    guard isUnprovenWanted else { return .damaged }
    for file in files where try isWhole(file, progress) { return .unproven }
    return .damaged
  }

  private mutating func isWhole(
    _ file: TargetEntry, _ progress: (String) throws -> Void
  ) throws -> Bool {
    if let known = wholeness[file.name] { return known }
    let isWhole = try file.verifies(progress)
    wholeness[file.name] = isWhole
    return isWhole
  }

  // MARK: what no rule may give up

  /// Keeps the newest archive that this machine knows, and all that other machines made since: what they alone have, this
  /// machine does not know.
  private func keepKnown(_ archives: [ArchiveFiles], _ reasons: inout [[KeepReason]]) {
    guard let known else { return }
    for (index, archive) in archives.enumerated() where reasons[index].isEmpty {
      if archive.entry.archive?.statedDigest.hex == known.digest {
        reasons[index].append(.newestKnown)
      } else if archive.entry.dated.sequence > known.sequence {
        reasons[index].append(.newerThanKnown)
      }
    }
  }

  /// Keeps the newest whole archive of each signer, unless this machine took over what it has.
  private mutating func keepMachines(
    _ reasons: inout [[KeepReason]], _ progress: (String) throws -> Void
  ) throws {
    let makers = archives.map(maker)
    // One machine's newest whole archive stays anyway.
    guard Set(makers.compactMap(\.self)).count > 1 || makers.contains(nil) else { return }
    var done: Set<Ed25519.PublicKey> = []
    for (index, maker) in makers.enumerated() {
      guard let maker, !done.contains(maker),
        archives[index].entry.dated.sequence > tookOver[maker.hex] ?? 0
      else {
        continue
      }
      if case .damaged = try finding(index, isUnprovenWanted: true, progress) { continue }
      done.insert(maker)
      if reasons[index].isEmpty { reasons[index].append(.newestOf(signer: maker)) }
    }
  }

  /// The machine that made an archive, as its valid signature tells; nil without one.
  private func maker(_ archive: ArchiveFiles) -> Ed25519.PublicKey? {
    archive.equal.lazy.compactMap(\.stays.archive).compactMap { stored in
      stored.facts.signer.flatMap { signers.contains($0) && stored.isSigned(byOneOf: [$0]) ? $0 : nil }
    }.first
  }

  /// Keeps the archives that alone have things whose loss was not accepted.
  private func keepOnlyOnes(_ archives: [ArchiveFiles], _ reasons: inout [[KeepReason]]) {
    for (index, archive) in archives.enumerated() {
      guard let digest = archive.entry.archive?.statedDigest, let things = onlyIn[digest.hex] else {
        continue
      }
      reasons[index].append(.onlyOneWith(things))
    }
  }

  /// Keeps the base of every differential archive that stays.
  private func keepBases(_ archives: [ArchiveFiles], _ reasons: inout [[KeepReason]]) {
    let needed = Set(
      archives.indices.filter { !reasons[$0].isEmpty }.compactMap {
        archives[$0].entry.archive?.facts.base?.digest
      })
    for (index, archive) in archives.enumerated() {
      guard let digest = archive.entry.archive?.statedDigest, needed.contains(digest) else { continue }
      reasons[index].append(.base)
    }
  }

  /// Keeps the newest archive with most slots of each kind that the kept ones lack.
  ///
  /// Without a secret, only guardians' public tags show which key a slot is for. So the kinds are counted, and an
  /// archive that two recipients open is not removed in favour of ones that only one opens.
  private func keepOpeners(_ archives: [ArchiveFiles], _ reasons: inout [[KeepReason]]) {
    let openers = archives.map { OpenerCount($0.entry.archive?.slots ?? []) }
    for kind in Set(openers.flatMap { $0.counts.keys }).sorted() {
      let most = openers.map { $0.counts[kind] ?? 0 }.max() ?? 0
      let holders = openers.indices.filter { openers[$0].counts[kind] == most }
      // A copy that no key opens has the same slots: an archive with proven seals counts before it.
      let proven = holders.filter { archives[$0].contains(where: witness.vouches) }
      let counting = proven.isEmpty ? holders : proven
      guard let newest = counting.first, counting.allSatisfy({ reasons[$0].isEmpty }) else { continue }
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
