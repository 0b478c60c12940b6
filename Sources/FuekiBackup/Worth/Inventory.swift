internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
public import FuekiSystem
public import FuekiWallet

/// The things of worth in a vault's archives, as far as this machine knows.
///
/// Each run compares its contents with this, so that every loss is reported.
public struct Inventory: Codable, Equatable, Sendable {
  /// The archive that has the things in ``present``.
  public internal(set) var archive: VaultState.Link
  /// The things that the archive has whole, by name.
  public private(set) var present: [Holding]
  /// The things that it has not, and an earlier one has.
  public private(set) var absent: [Absence]
  /// The key that signed the archive, in hex; nil if this machine made or restored it, and if nobody signed it.
  private(set) var maker: String?
  /// The files of earlier archives that it has in another place; empty for an inventory from a state.
  public private(set) var moved: [FileMove] = []

  private enum CodingKeys: CodingKey {
    case archive, present, absent, maker
  }

  /// The things that this machine's last archive had, whoever has made one since.
  func own(in last: VaultState.Link?) -> [Holding] {
    let gone = absent.filter { $0.last == last && $0.holding.maker == nil && !$0.isAccepted }.map(\.holding)
    return present.filter { $0.maker == nil } + (maker == nil ? [] : gone)
  }

  /// The losses that the owner has not accepted.
  public var losses: [Absence] { absent.filter { $0.isLoss && !$0.isAccepted } }

  /// The things that only an earlier archive has, by that archive's digest in hex; accepted losses are not among
  /// them.
  ///
  /// - Parameter machines: the signers of other machines. What one of them has, only its own owner gives up there.
  /// - Returns: the things.
  func onlyIn(beside machines: Set<Ed25519.PublicKey> = []) -> [String: [Absence]] {
    let names = Set(machines.map(\.hex))
    let kept = absent.filter { absence in
      !absence.isAccepted || absence.holding.maker.map(names.contains) ?? false && absence.isReleased == nil
    }
    return Dictionary(grouping: kept, by: \.last.digest)
  }
}

extension Inventory {
  /// Creates the inventory of the next archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - maker: the key of another machine that signed it, in hex; nil if this one makes it.
  ///   - whole: the things that it holds completely.
  ///   - before: the inventory before; nil if unknown, and then nothing is missed.
  ///   - sections: the requested sections. Things of other sections stay remembered, and are no losses.
  ///   - acceptance: the losses that the owner accepts.
  init(
    of archive: VaultState.Link, by maker: String? = nil, whole: [Holding], after before: Inventory?,
    comparing sections: Set<Section>, accepting acceptance: LossAcceptance
  ) {
    (self.archive, self.maker) = (archive, maker)
    let earlierOnes = HoldingIndex(before?.present ?? [])
    let gone = (before?.absent ?? []).sorted { $0.last.sequence > $1.last.sequence }.map(\.holding)
    let ownOnes = HoldingIndex(gone.filter { $0.maker == nil })
    present = whole.map { $0.continuing(earlierOnes[$0], own: ownOnes[$0]) }
    let now = HoldingIndex(present)
    let last = (before?.present ?? []).compactMap { holding in
      before.map { Absence(holding: holding, last: $0.archive, isLoss: false, isAccepted: false) }
    }
    let left = ((before?.absent ?? []) + last).compactMap { $0.compared(with: now) }
    let moves = FileMoves(to: present, since: earlierOnes)
    // A name that is accepted is that of what was listed: what goes missing tonight, in the same place, was not.
    let listed = Set(
      (before?.losses ?? []).filter { acceptance.covers($0.holding) }.map {
        Place(of: $0.holding, in: $0.last)
      })
    let listedKeys = Set(listed.map(\.key))
    moved = left.compactMap { absence in absence.isAccepted ? nil : moves[absence.holding] }
    absent = left.filter { moves[$0.holding] == nil }.map { absence in
      var absence = absence
      absence.isLoss =
        absence.isLoss || Section(rawValue: absence.holding.section).map(sections.contains) ?? false
      let isMeant =
        acceptance.coversAll || !listedKeys.contains(absence.holding.key)
        || listed.contains(Place(of: absence.holding, in: absence.last))
      absence.isAccepted =
        absence.isAccepted || absence.isLoss && isMeant && acceptance.covers(absence.holding)
      return absence
    }
  }

  /// A thing in an archive.
  private struct Place: Hashable {
    let key: Holding.Key
    let last: VaultState.Link

    init(of holding: Holding, in last: VaultState.Link) { (key, self.last) = (holding.key, last) }
  }

  /// The inventory of an archive that says itself what earlier ones have.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - maker: the key that signed it, in hex; nil if nobody did.
  ///   - present: the things that it has whole.
  ///   - absent: those that it states.
  init(of archive: VaultState.Link, by maker: String?, present: [Holding], absent: [Absence]) {
    (self.archive, self.maker) = (archive, maker)
    self.present = present.map { $0.of(maker) }
    self.absent = absent.map { absence in
      var absence = absence
      (absence.holding.maker, absence.isHearsay) = (Holding.anybody, true)
      return absence
    }
  }

  /// The same, with the things that this machine knows of earlier archives and that are in this one no more.
  public func following(_ before: Inventory?) -> Inventory {
    var next = Inventory(
      of: archive, by: maker, whole: present, after: before, comparing: Set(Section.allCases),
      accepting: LossAcceptance())
    let stated = absent.map { $0.described(by: before, statedBy: maker) }
    let others = next.absent.filter { absence in !stated.contains { absence.isCovered(by: $0) } }
    let told = stated.filter { absence in !others.contains { absence.isCovered(by: $0) } }
    // Things that this machine lists individually are not counted as well.
    let known = Set(others.filter { $0.holding.kind != .more }.map(\.last.digest))
    next.absent = told.filter { $0.holding.kind != .more || !known.contains($0.last.digest) } + others
    next.moved = []
    return next
  }

  /// The same, where what archives signed by these keys have is this machine's.
  ///
  /// - Parameters:
  ///   - keys: this machine's keys.
  ///   - tookOver: the keys of machines in whose place it is, in hex, each with the number of the archive up to which.
  ///   - archives: the vault's archives, whose signatures tell whose the things are that a manifest states.
  /// - Returns: the inventory.
  func claimed(
    by keys: Set<Ed25519.PublicKey>, _ tookOver: [String: UInt64] = [:], among archives: [StoredArchive] = []
  ) -> Inventory {
    let names = Set(keys.map(\.hex))
    func owner(_ maker: String?, of number: UInt64) -> String? {
      maker.flatMap { names.contains($0) || number <= tookOver[$0] ?? 0 ? nil : $0 }
    }
    let told = Set(absent.filter { $0.holding.maker == Holding.anybody }.map(\.last.digest))
    let made = archives.filter { told.contains($0.statedDigest.hex) }
    let makers = Dictionary(grouping: made, by: \.statedDigest.hex).compactMapValues {
      $0.compactMap(\.maker).min()
    }
    var next = self
    next.maker = owner(maker, of: archive.sequence)
    next.present = present.map { $0.of(owner($0.maker, of: archive.sequence)) }
    for place in absent.indices {
      let (maker, last) = (absent[place].holding.maker, absent[place].last)
      let known = maker == Holding.anybody ? makers[last.digest] ?? maker : maker
      next.absent[place].holding.maker = owner(known == Holding.nobody ? nil : known, of: last.sequence)
    }
    return next
  }

  /// Notes that what the archive has is on this machine now.
  mutating func takeOver() {
    maker = nil
    present = present.map { $0.of(nil) }
  }
}

/// The losses that an owner accepts.
public struct LossAcceptance: Equatable, Sendable {
  /// Every loss.
  public var coversAll = false
  /// Whether an empty folder may be on a new disk, which has none of this machine's archives.
  public var coversNewDisk = false
  /// The names of the things whose loss is accepted.
  public var names: Set<ExactText> = []

  /// None.
  public init() {}

  /// Returns whether a thing's loss is accepted.
  public func covers(_ holding: Holding) -> Bool {
    coversAll || names.contains(holding.name) || names.contains(ExactText(holding.id))
  }

  /// Whether it accepts a loss that was not accepted before.
  func changes(_ inventory: Inventory?) -> Bool { inventory?.losses.contains { covers($0.holding) } ?? false }

  /// Returns the names that match no missing thing, in order.
  public func unmatched(in inventory: Inventory?) -> [String] {
    let missing = (inventory?.absent ?? []).filter(\.isLoss).flatMap {
      [$0.holding.name, ExactText($0.holding.id)]
    }
    return names.subtracting(missing).sorted().map(\.text)
  }
}

extension UnlockedArchive {
  /// The things of worth in an archive that is open, and those that it says earlier ones have.
  ///
  /// Things in a scope that the secret does not open are not among them.
  ///
  /// - Parameters:
  ///   - manifest: the archive's manifest.
  ///   - note: is called for each original file.
  /// - Returns: the inventory.
  /// - Throws: ``RecordsError``, and what reading throws.
  public func inventory(
    _ manifest: Manifest, noting note: (OriginalFile) -> Void = { _ in }
  ) throws -> Inventory {
    let count = HoldingCount()
    try forEachRecord(of: .wallets) { (wallet: Wallet) in
      count.note(.wallet(id: [UInt8](wallet.id), name: wallet.name))
    }
    try forEachOriginalPart { part, content in
      if part.offset == 0 { note(part.file) }
      count.note(part, content)
    }
    if scopes.contains(.secrets) { try countKeys(count) }
    return Inventory(
      of: VaultState.Link(sequence: facts.sequence, digest: digest), by: facts.signer?.hex,
      present: count.holdings(manifest.findings).whole, absent: manifest.losses)
  }

  private func countKeys(_ count: HoldingCount) throws {
    _ = try readSecretRecords(of: Section.privateKeys.rawValue) { message in
      try count.note(message: message, of: .privateKeys)
    }
    var ids: Set<Data> = []
    _ = try readSecretRecords(of: Section.keyShares.rawValue) { message in
      var reader = WireReader()
      while let field = try reader.next(in: message) {
        if field.number == 1 { ids.insert(Data(try field.bytes(in: message))) }
      }
    }
    try forEachRecord(of: .keyShareDescriptors) { (descriptor: KeyShareDescriptor) in
      if ids.contains(descriptor.id) { count.note(.share(descriptor)) }
    }
  }
}

extension StoredArchive {
  /// The key that signed the archive, in hex, ``Holding/nobody`` for an unsigned one; nil if that is not proven.
  fileprivate var maker: String? {
    guard let signer = facts.signer else { return provenDigest == nil ? nil : Holding.nobody }
    return isSigned(byOneOf: [signer]) ? signer.hex : nil
  }
}
