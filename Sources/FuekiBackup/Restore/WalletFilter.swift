internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet
internal import Synchronization

/// Chooses, of an archive's records, those of some wallets: the wallets, what they hold, what they did, and their keys.
///
/// What belongs to no wallet is not chosen.
final class WalletFilter: Sendable {
  private let wallets: Set<[UInt8]>
  private let shares: Set<[UInt8]>
  private let archive: any UnlockedArchive
  /// Digests of the chosen transactions' ids, of which there may be a million; made for the receipts.
  private let transactions = Mutex<Set<Digest>?>(nil)

  /// Looks for the wallets in an archive, by their ids as people read them.
  ///
  /// - Throws: ``RestoreError/noWallet(id:)`` for an id that the archive's wallets have not.
  init(_ ids: [String], in archive: any UnlockedArchive) throws {
    self.archive = archive
    var wallets: Set<[UInt8]> = []
    var groupKeys: Set<[UInt8]> = []
    let wanted = Set(ids.map(Self.spelling))
    var found: Set<Data> = []
    for wallet: Wallet in try archive.records(of: .wallets) {
      guard let id = PackedText.text(wallet.id).map(Self.spelling), wanted.contains(id) else { continue }
      found.insert(id)
      wallets.insert([UInt8](wallet.id))
      if !wallet.groupPublicKey.isEmpty { groupKeys.insert([UInt8](wallet.groupPublicKey)) }
    }
    if let missing = ids.first(where: { !found.contains(Self.spelling($0)) }) {
      throw RestoreError.noWallet(id: missing)
    }
    var shares: Set<[UInt8]> = []
    for descriptor: KeyShareDescriptor in try archive.records(of: .keyShareDescriptors)
    where Self.isOf(descriptor, wallets, groupKeys) {
      shares.insert([UInt8](descriptor.id))
    }
    self.wallets = wallets
    self.shares = shares
  }

  /// A UUID is the same one in capitals and in small letters; any other id is what it says.
  static func spelling(_ id: String) -> Data {
    let small = PackedText.pack(id.lowercased())
    return small.first == PackedText.Form.lowerCaseUUID.rawValue ? small : PackedText.pack(id)
  }

  /// Whether something of a section may be chosen.
  func mayChoose(_ section: Section) -> Bool {
    if case .nothing = section.kind.belonging { false } else { true }
  }

  /// Whether a key share is chosen.
  func choosesShare(_ id: [UInt8]) -> Bool { shares.contains(id) }

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
    case .nothing: return false
    case .wallet(let field): return try wallets.contains(value(field))
    case .share(let field): return try shares.contains(value(field))
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
