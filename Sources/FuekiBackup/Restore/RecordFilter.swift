internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Selects an archive's records by wallet or by single thing.
///
/// A wallet selected by its own id includes its holdings, its history and its keys. A wallet selected as a thing comes
/// without its keys, because each of them is a thing itself. Things without a wallet can only be selected as things.
final class RecordFilter: Sendable {
  /// Whether everything is chosen that is not withheld.
  private let choosesAll: Bool
  private let withheld: Withheld
  /// The shares that are withheld: those of withheld wallets, too.
  private let withheldShares: Set<[UInt8]>
  /// The wallets whose keys come with them.
  private let wallets: Set<[UInt8]>
  /// The wallets that are things.
  private let things: Set<[UInt8]>
  private let shares: Set<[UInt8]>
  private let keys: Set<[UInt8]>
  private let files: Set<OriginalFile.Key>
  private let archive: any UnlockedArchive
  /// Digests of the chosen transactions' ids, of which there may be a million; made for the receipts.
  private let transactions = Locked<Set<Digest>?>(nil)

  /// Returns a filter; nil if it would choose everything.
  ///
  /// Like ``init(_:without:in:)``.
  static func of(
    _ ids: [String], without withheld: Withheld = .none, in archive: any UnlockedArchive
  ) throws -> RecordFilter? {
    ids.isEmpty && withheld.isEmpty ? nil : try RecordFilter(ids, without: withheld, in: archive)
  }

  /// Finds wallets and things in an archive.
  ///
  /// - Parameters:
  ///   - ids: the wallets' ids in their text form, and things in the form of ``Holding/item``; empty for everything.
  ///   - withheld: the records that are not chosen in any case.
  ///   - archive: the archive.
  /// - Throws: ``RestoreError/noWallet(id:)`` and ``RestoreError/noItem(_:)`` for those missing from the archive;
  ///   errors from reading.
  init(_ ids: [String], without withheld: Withheld, in archive: any UnlockedArchive) throws {
    self.archive = archive
    self.withheld = withheld
    choosesAll = ids.isEmpty
    let items = Set(ids.filter(Holding.isItem))
    let walletIDs = ids.filter { !Holding.isItem($0) }
    var (wallets, things): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    var groupKeys: Set<[UInt8]> = []
    var withheldKeys: Set<[UInt8]> = []
    let wanted = Set(walletIDs.map(Self.spelling))
    var found: Set<Data> = []
    var foundItems: Set<String> = []
    for wallet: Wallet in try archive.records(of: .wallets) {
      let item = Holding.wallet(id: [UInt8](wallet.id), name: wallet.name).item
      if items.contains(item) {
        foundItems.insert(item)
        things.insert([UInt8](wallet.id))
      }
      if withheld.wallets.contains([UInt8](wallet.id)), !wallet.groupPublicKey.isEmpty {
        withheldKeys.insert([UInt8](wallet.groupPublicKey))
      }
      guard let id = PackedText.text(wallet.id).map(Self.spelling), wanted.contains(id) else { continue }
      found.insert(id)
      wallets.insert([UInt8](wallet.id))
      if !wallet.groupPublicKey.isEmpty { groupKeys.insert([UInt8](wallet.groupPublicKey)) }
    }
    if let missing = walletIDs.first(where: { !found.contains(Self.spelling($0)) }) {
      throw RestoreError.noWallet(id: missing)
    }
    var (shares, withheldShares): (Set<[UInt8]>, Set<[UInt8]>) = ([], withheld.shares)
    for descriptor: KeyShareDescriptor in try archive.records(of: .keyShareDescriptors) {
      let item = Holding.share(descriptor).item
      if Self.isOf(descriptor, withheld.wallets, withheldKeys) {
        withheldShares.insert([UInt8](descriptor.id))
      }
      guard items.contains(item) || Self.isOf(descriptor, wallets, groupKeys) else { continue }
      foundItems.insert(item)
      shares.insert([UInt8](descriptor.id))
    }
    let keys = try Self.keys(items, in: archive)
    let files = try Self.files(items, in: archive)
    foundItems.formUnion(keys.keys)
    foundItems.formUnion(files.items)
    (self.wallets, self.things, self.shares) = (wallets, things, shares)
    self.withheldShares = withheldShares
    (self.keys, self.files) = (Set(keys.values), files.keys)
    guard !(archive is SalvagedArchive) else { return }
    // Things that the secret does not open are reported by their scope.
    let visible = items.filter { archive.scopes.contains(.secrets) || !Holding.isSecret($0) }
    if let missing = visible.subtracting(foundItems).min() { throw RestoreError.noItem(missing) }
  }

  /// The chosen private keys: the thing, and the record's id.
  private static func keys(
    _ items: Set<String>, in archive: any UnlockedArchive
  ) throws -> [String: [UInt8]] {
    guard archive.scopes.contains(.secrets),
      items.contains(where: { Holding.section(ofItem: $0) == .privateKeys })
    else { return [:] }
    var found: [String: [UInt8]] = [:]
    _ = try archive.readSecretRecords(of: Section.privateKeys.rawValue) { message in
      let id = try field(1, of: message, in: .privateKeys) ?? []
      let item = Holding.privateKey(id: id, name: "", kind: "").item
      if items.contains(item) { found[item] = id }
    }
    return found
  }

  private static func files(
    _ items: Set<String>, in archive: any UnlockedArchive
  ) throws -> (items: Set<String>, keys: Set<OriginalFile.Key>) {
    let sections: Set<Section> = [.files, .secretFiles]
    guard items.contains(where: { Holding.section(ofItem: $0).map(sections.contains) ?? false }) else {
      return ([], [])
    }
    var all: [OriginalFile] = []
    try archive.forEachOriginalPart { part, _ in
      if part.offset == 0 { all.append(part.file) }
    }
    let chosen = all.chosen(by: items)
    return (Set(chosen.map(\.item)), Set(chosen.map(\.key)))
  }

  /// Returns the id's normal spelling: a UUID ignores upper and lower case, and any other id is literal.
  static func spelling(_ id: String) -> Data {
    let small = PackedText.pack(id.lowercased())
    return small.first == PackedText.Form.lowerCaseUUID.rawValue ? small : PackedText.pack(id)
  }

  /// Whether something of a section may be chosen.
  func mayChoose(_ section: Section) -> Bool {
    if !choosesAll, case .nothing = section.kind.belonging {
      files.contains { $0.section == section }
    } else {
      true
    }
  }

  /// Whether a key share is chosen.
  func choosesShare(_ id: [UInt8]) -> Bool {
    (choosesAll || shares.contains(id)) && !withheldShares.contains(id)
  }

  /// Prepares for a section, before its records are looked at on workers.
  func prepare(_ section: Section) throws {
    guard case .transaction = section.kind.belonging, transactions.withLock({ $0 == nil }) else { return }
    var chosen: Set<Digest> = []
    let lift = try archive.recordLift()
    _ = try archive.readRecords(of: Section.transactions.rawValue) { [self] block in
      let block = try lift?.apply(to: block, of: .transactions) ?? block
      return try block.messages.compactMap { range in
        let message = Array(block.bytes[range])
        guard try chooses(message.span, of: .transactions) else { return nil as Digest? }
        return SHA256.hash(try Self.field(1, of: message.span, in: .transactions) ?? [])
      }
    } body: {
      chosen.formUnion($0)
    }
    transactions.withLock { $0 = chosen }
  }

  /// Whether a record, as this version has it, is chosen; works on any thread.
  func chooses(_ message: Span<UInt8>, of section: Section) throws -> Bool {
    func value(_ number: UInt32) throws -> [UInt8] { try Self.field(number, of: message, in: section) ?? [] }
    switch section.kind.belonging {
    case .nothing where choosesAll: return try section != .files || !withheld.files.contains(value(1))
    case .nothing:
      guard !files.isEmpty, section == .files || section == .secretFiles else { return false }
      let (source, path) = (try value(2), try value(3))
      return files.contains(
        OriginalFile.Key(
          section: section, id: try value(1), source: String(decoding: source, as: UTF8.self), path: path))
    case .wallet(let field):
      let owner = try value(field)
      // Several wallets can have one key, which is kept with the first of them.
      guard section.scope != .secrets else {
        return try choosesAll || wallets.contains(owner) || keys.contains(value(1))
      }
      guard !withheld.wallets.contains(owner) else { return false }
      return choosesAll || wallets.contains(owner) || things.contains(owner)
    case .share(let field): return choosesShare(try value(field))
    case .transaction(let field):
      let digest = SHA256.hash(try value(field))
      return transactions.withLock { $0?.contains(digest) ?? false }
    }
  }

  private static func isOf(
    _ descriptor: KeyShareDescriptor, _ wallets: Set<[UInt8]>, _ groupKeys: Set<[UInt8]>
  ) -> Bool {
    // A share names one wallet, and signs for every one of its key.
    wallets.contains([UInt8](descriptor.walletID))
      || groupKeys.contains([UInt8](descriptor.groupPublicKey))
  }

  private static func field(_ number: UInt32, of message: Span<UInt8>, in section: Section) throws -> [UInt8]?
  {
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        if field.number == number { return try field.bytes(in: message) }
      }
    } catch {
      throw RecordsError.malformedRecord(section: section.name)
    }
    return nil
  }
}

/// The records that a restore leaves in the archive, by id.
struct Withheld: Sendable {
  private(set) var wallets: Set<[UInt8]> = []
  private(set) var shares: Set<[UInt8]> = []
  private(set) var files: Set<[UInt8]> = []

  /// Nothing.
  static let none = Withheld([])

  /// The records of proofs that are withheld.
  ///
  /// A wallet's key shares and its history stay with it. A private key always comes back.
  init(_ proofs: [Proof]) {
    for proof in proofs {
      shares.formUnion(proof.shares.map(\.id))
      switch proof.subject {
      case .wallet: wallets.insert(proof.id)
      case .keystore: files.insert(proof.id)
      case .keyShares, .privateKey: break
      }
    }
  }

  var isEmpty: Bool { wallets.isEmpty && shares.isEmpty && files.isEmpty }
}
