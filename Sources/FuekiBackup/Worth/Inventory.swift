internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
public import FuekiSystem
public import FuekiWallet

/// A thing of worth that an earlier archive has whole, and the newest has not.
public struct Absence: Codable, Hashable, Sendable {
  /// What is in the place of a file that is gone.
  package enum Replacement: String, Codable, Sendable {
    /// A wallet with another key.
    case key
    /// A file of another machine, with other contents.
    case contents
  }

  /// The thing.
  public fileprivate(set) var holding: Holding
  /// The newest archive that has it whole.
  public let last: VaultState.Link
  /// Whether a run requested it and did not find it; false if its section was merely not requested since.
  public var isLoss: Bool
  /// Whether the owner accepted the loss.
  public var isAccepted: Bool
  /// What is in the place of the file; nil if nothing is, and for other things.
  package fileprivate(set) var replaced: Replacement?
  /// True if another machine made the archives since: a file in the place of this one is another file.
  private var isOthers: Bool?

  /// The absence of a thing.
  package init(
    holding: Holding, last: VaultState.Link, isLoss: Bool, isAccepted: Bool, replaced: Replacement? = nil
  ) {
    (self.holding, self.last, self.isLoss, self.isAccepted) = (holding, last, isLoss, isAccepted)
    self.replaced = replaced
  }

  /// Whether the thing is a wallet's file in whose place there is another.
  public var isReplaced: Bool { replaced != nil }

  /// The absence in an archive that has these things whole, made by another machine or not; nil if it has the thing.
  fileprivate func compared(with present: HoldingIndex, of isOthers: Bool) -> Absence? {
    var absence = self
    if isOthers { absence.isOthers = true }
    guard let now = present[holding] else { return absence }
    if now.hasTwin ?? false { return nil }
    if holding.isReplaced(by: now) {
      absence.replaced = replaced ?? .key
    } else if replaced != nil || absence.isOthers ?? false && holding.content != nil {
      guard holding.kind == .file, !holding.hasContent(of: now), !holding.hasKey(of: now) else { return nil }
      absence.replaced = replaced ?? .contents
    } else {
      return nil
    }
    return absence
  }
}

/// The things of worth in a vault's archives, as far as this machine knows.
///
/// Each run compares its contents with this, so that every loss is reported.
public struct Inventory: Codable, Equatable, Sendable {
  /// The archive that has the things in ``present``.
  public internal(set) var archive: VaultState.Link
  /// The things that the archive has whole, by name.
  public let present: [Holding]
  /// The things that it has not, and an earlier one has.
  public let absent: [Absence]
  /// The key that signed the archive, in hex; nil if this machine made or restored it, and if nobody signed it.
  var maker: String?
  /// The files of earlier archives that it has in another place; empty for an inventory from a state.
  public private(set) var moved: [FileMove] = []

  private enum CodingKeys: CodingKey {
    case archive, present, absent, maker
  }

  /// The losses that the owner has not accepted.
  public var losses: [Absence] { absent.filter { $0.isLoss && !$0.isAccepted } }

  /// The things that only an earlier archive has, by that archive's digest in hex; accepted losses are not among
  /// them.
  var onlyIn: [String: [Absence]] {
    Dictionary(grouping: absent.filter { !$0.isAccepted }, by: \.last.digest)
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
  ///   - isOthers: whether another machine made the archive before. Then a file is the same only with the same bytes or the
  ///     same key: each machine has its own in one place.
  ///   - sections: the requested sections. Things of other sections stay remembered, and are no losses.
  ///   - acceptance: the losses that the owner accepts.
  init(
    of archive: VaultState.Link, by maker: String? = nil, whole: [Holding], after before: Inventory?,
    isOthers: Bool, comparing sections: Set<Section>, accepting acceptance: LossAcceptance
  ) {
    (self.archive, self.maker) = (archive, maker)
    let earlierOnes = HoldingIndex(before?.present ?? [])
    // A key that is unknown tonight, for lack of a password, is taken for the last one known.
    present = whole.map { holding in
      var holding = holding
      holding.fileKey = holding.fileKey ?? earlierOnes[holding]?.fileKey
      holding.isWatchOnly = holding.isWatchOnly ?? earlierOnes[holding]?.isWatchOnly
      return holding
    }
    let now = HoldingIndex(present)
    let last = (before?.present ?? []).compactMap { holding in
      before.map { Absence(holding: holding, last: $0.archive, isLoss: false, isAccepted: false) }
    }
    let left = ((before?.absent ?? []) + last).compactMap { $0.compared(with: now, of: isOthers) }
    let moves = FileMoves(to: present, since: earlierOnes)
    moved = left.compactMap { absence in absence.isAccepted ? nil : moves[absence.holding] }
    absent = left.filter { moves[$0.holding] == nil }.map { absence in
      var absence = absence
      absence.isLoss =
        absence.isLoss || Section(rawValue: absence.holding.section).map(sections.contains) ?? false
      absence.isAccepted = absence.isAccepted || absence.isLoss && acceptance.covers(absence.holding)
      return absence
    }
  }

  /// The inventory of an archive that says itself what earlier ones have.
  init(of archive: VaultState.Link, by maker: String?, present: [Holding], absent: [Absence]) {
    (self.archive, self.maker, self.present, self.absent) = (archive, maker, present, absent)
  }

  /// The same, with the things that this machine knows of earlier archives and that are in this one no more.
  public func following(_ before: Inventory?) -> Inventory {
    let compared = Inventory(
      of: archive, by: maker, whole: present, after: before,
      isOthers: maker != nil && maker != before?.maker, comparing: Set(Section.allCases),
      accepting: LossAcceptance())
    let stated = Dictionary(grouping: absent, by: \.holding.key).mapValues { Set($0.map(\.last)) }
    // Of a file that two machines have in one place, each version is a loss of its own.
    let others = compared.absent.filter { absence in
      stated[absence.holding.key].map { absence.replaced == .contents && !$0.contains(absence.last) } ?? true
    }
    // Things that this machine lists individually are not counted as well.
    let known = Set(others.filter { $0.holding.kind != .more }.map(\.last.digest))
    return Inventory(
      of: archive, by: maker, present: present,
      absent: absent.filter { $0.holding.kind != .more || !known.contains($0.last.digest) }
        .map { before?.described($0) ?? $0 } + others)
  }

  /// Whether another machine than the owner of a key made the archive.
  func isOthers(than signer: Ed25519.PublicKey?) -> Bool { maker != nil && maker != signer?.hex }

  /// The same absence, with the key and the bytes of the file that is gone: an archive states only its name.
  ///
  /// What an owner gave up on another machine is not given up here, if this machine's last archive has it.
  private func described(_ absence: Absence) -> Absence {
    var absence = absence
    let key = absence.holding.key
    if archive == absence.last, let own = present.first(where: { $0.key == key }) {
      absence.holding = own
      if maker == nil { absence.isAccepted = false }
    } else if let known = absent.first(where: { $0.holding.key == key && $0.last == absence.last }) {
      absence.holding = known.holding
    }
    return absence
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

/// Finds files of earlier archives in other places.
///
/// A file with the same bytes is the same file. So is a new file with the same key, which its program saved after it was
/// renamed; an older file with that key may be another wallet of one seed, with fewer keys.
struct FileMoves {
  private let before: HoldingIndex
  private var byContent: [String: [Holding]] = [:]
  private var byKey: [String: [Holding]] = [:]

  /// - Parameters:
  ///   - present: the files of the new archive.
  ///   - before: the things of the last one.
  init(to present: [Holding], since before: HoldingIndex) {
    self.before = before
    let files = present.filter { $0.kind == .file }
    let new = files.filter { before[$0] == nil }
    for file in new + files.filter({ before[$0] != nil }) {
      if let content = file.content { byContent[content, default: []].append(file) }
    }
    for file in new { if let key = file.fileKey { byKey[key, default: []].append(file) } }
  }

  /// Where a file that is not in its place any more is now; nil if it is gone.
  subscript(absent: Holding) -> FileMove? {
    let same = absent.content.flatMap { byContent[$0] }?
      .first { absent.hasContent(of: $0) && $0.key != absent.key }
    let saved = absent.fileKey.flatMap { byKey[$0] }?.first { absent.hasKey(of: $0) && $0.key != absent.key }
    return (same ?? saved).map {
      FileMove(from: absent.name, to: $0.name, isCopy: before[$0].map(absent.hasContent) ?? false)
    }
  }
}

/// The things of an archive, by what identifies them.
///
/// A file in the same place is the same file, also if another version of this program takes it for another program's.
struct HoldingIndex {
  private let byKey: [Holding.Key: Holding]
  private let byPlace: [ExactText: Holding]

  init(_ holdings: [Holding]) {
    byKey = Dictionary(holdings.map { ($0.key, $0) }) { first, _ in first }
    byPlace = Dictionary(holdings.compactMap { holding in holding.place.map { ($0, holding) } }) { first, _ in
      first
    }
  }

  /// The thing of this archive that an archive's thing is; nil if there is none.
  subscript(holding: Holding) -> Holding? { byKey[holding.key] ?? holding.place.flatMap { byPlace[$0] } }
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

/// An original file that is in another place than before.
public struct FileMove: Hashable, Sendable {
  /// Its name in the earlier archive.
  public let from: ExactText
  /// Its present name.
  public let to: ExactText
  /// Whether the last archive already had the present file: one of two copies is gone.
  public let isCopy: Bool
}
