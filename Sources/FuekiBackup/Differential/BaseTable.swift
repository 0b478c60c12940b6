internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
public import FuekiSystem

/// This machine's table of a full archive, to make differential archives without opening it.
///
/// Each record of its history has a key and an identity, which identifies a removed record.
struct BaseTable: Sendable {
  /// The archive.
  let base: BaseReference
  /// When it was made, in seconds since 1970.
  let created: UInt64
  /// Its length in bytes.
  let byteCount: UInt64
  /// The recipients of the base.
  let slots: SlotNote
  /// The keying of its record keys.
  let keying: RecordKeying
  /// The keys of each section's records, ascending.
  let sections: [UInt16: [RecordKey]]
  /// Reads the identities.
  let names: IdentityNames

  /// How many records it may have: beyond that its table would be no small thing to keep any more.
  static let mostRecords = 4_194_304

  /// - Throws: ``FullNeeded`` where an archive with this base is more than a quarter of it.
  func checkLength(of archive: WrittenArchive) throws(FullNeeded) {
    guard archive.byteCount <= byteCount / 4 else { throw FullNeeded(reason: .tooLarge) }
  }

  /// The keys of a section's records, ascending.
  func keys(of section: UInt16) -> [RecordKey] { sections[section] ?? [] }
}

/// The table of an archive that has just been made, on its way into its file.
///
/// The keys and identities are held once, as bytes, and given in pieces: the file is never in memory as a whole.
struct BaseTableDraft {
  private static let pieceBytes = 1 << 20

  private let head: [UInt8]
  private let sections: [PassedRecords]

  /// Prepares the table; nil if it would exceed the limit on records.
  init?(_ pass: HistoryPass, of archive: WrittenArchive, slots: SlotNote) {
    let outcomes = pass.outcomes.filter { $0.count > 0 }.sorted { $0.id < $1.id }
    guard outcomes.reduce(0, { $0 + $1.count }) <= BaseTable.mostRecords else { return nil }
    var head = BaseTableFile.magic + archive.digest.bytes
    head.append(littleEndian: archive.facts.sequence)
    head.append(littleEndian: archive.facts.created)
    head.append(littleEndian: archive.byteCount)
    head += slots.digest.bytes + pass.keying.secret
    head.append(littleEndian: UInt16(outcomes.count))
    var sections: [PassedRecords] = []
    for outcome in outcomes {
      guard let records = outcome.records else { return nil }
      head.append(littleEndian: outcome.id)
      head.append(littleEndian: UInt64(records.count))
      head.append(littleEndian: UInt64(records.nameByteCount))
      sections.append(records)
    }
    self.head = head
    self.sections = sections
  }

  /// Writes the file's bytes, in order.
  ///
  /// - Throws: errors from `give`.
  func forEachPiece(_ give: (Span<UInt8>) throws(SystemError) -> Void) throws(SystemError) {
    var hash = SHA256()
    var piece = head
    for records in sections {
      for column in [PassedRecords.Column.keys, .names] {
        for part in 0..<PassedRecords.partCount {
          records.append(column, of: part, to: &piece)
          guard piece.count >= Self.pieceBytes else { continue }
          hash.update(piece.span)
          try give(piece.span)
          piece.removeAll(keepingCapacity: true)
        }
      }
    }
    hash.update(piece.span)
    hash.finalize().append(to: &piece)
    try give(piece.span)
  }
}

/// The file of a base's table: a head, then each section's keys and identities, then SHA-256 of all that.
enum BaseTableFile {
  static let magic = Array("FKBASE2\n".utf8)
  // The magic, digest, sequence, time, length, slots, secret, number of sections.
  static let headBytes = 8 + 32 + 8 + 8 + 8 + 32 + RecordKeying.secretByteCount + 2
  // Its id, number of records, bytes of identities.
  static let sectionHeadBytes = 2 + 8 + 8
  static let digestBytes = 32

  /// Reads a table, and checks all of it.
  ///
  /// - Returns: nil if the file is damaged.
  /// - Throws: `SystemError` if it cannot be read.
  static func read(_ file: consuming File) throws(SystemError) -> BaseTable? {
    let file = OpenTable(file)
    let size = try file.file.size()
    var reader = TableReader(file)
    guard size >= UInt64(headBytes + digestBytes), let head = try reader.next(headBytes).flatMap(Head.init)
    else { return nil }
    var heads: [SectionHead] = []
    var left = size - UInt64(headBytes + digestBytes)
    for _ in 0..<head.sectionCount {
      guard let head = try reader.next(sectionHeadBytes).flatMap(SectionHead.init) else { return nil }
      // No count is believed that the file has no bytes for.
      guard left >= UInt64(sectionHeadBytes), head.records <= left / UInt64(RecordKey.byteCount),
        head.names <= left
      else {
        return nil
      }
      let needed = UInt64(sectionHeadBytes) + head.records * UInt64(RecordKey.byteCount) + head.names
      guard needed <= left, heads.last.map({ $0.id < head.id }) ?? true else { return nil }
      left -= needed
      heads.append(head)
    }
    guard left == 0 else { return nil }
    var sections: [UInt16: [RecordKey]] = [:]
    var places: [UInt16: Range<UInt64>] = [:]
    for head in heads {
      guard let keys = try reader.keys(Int(head.records)) else { return nil }
      sections[head.id] = keys
      places[head.id] = reader.offset..<reader.offset + head.names
      guard try reader.skip(Int(head.names)) else { return nil }
    }
    guard try reader.holds() else { return nil }
    let regions = places
    return BaseTable(
      base: head.base, created: head.created, byteCount: head.byteCount, slots: head.slots,
      keying: head.keying, sections: sections,
      names: IdentityNames { section, wanted in
        try regions[section].map { try file.names(wanted, in: $0) } ?? (wanted.isEmpty ? [] : nil)
      })
  }
}

extension BaseTableFile {
  /// The head of a file.
  private struct Head {
    let base: BaseReference
    let created: UInt64
    let byteCount: UInt64
    let slots: SlotNote
    let keying: RecordKeying
    let sectionCount: UInt16

    /// Reads a head; nil if malformed.
    init?(_ bytes: [UInt8]) {
      var reader = ByteReader(bytes)
      do throws(ByteReader.Exhausted) {
        guard try reader.bytes(magic.count) == magic,
          let digest = Digest(bytes: try reader.bytes(Digest.byteCount))
        else { return nil }
        base = BaseReference(digest: digest, sequence: try reader.u64())
        created = try reader.u64()
        byteCount = try reader.u64()
        guard let slots = Digest(bytes: try reader.bytes(Digest.byteCount)) else { return nil }
        self.slots = SlotNote(digest: slots)
        keying = RecordKeying(secret: try reader.bytes(RecordKeying.secretByteCount))
        sectionCount = try reader.u16()
      } catch { return nil }
    }
  }

  /// A section's head, which precedes the keys of all sections.
  private struct SectionHead {
    let id: UInt16
    let records: UInt64
    let names: UInt64

    /// Reads a section head; nil if truncated.
    init?(_ bytes: [UInt8]) {
      var reader = ByteReader(bytes)
      do throws(ByteReader.Exhausted) {
        id = try reader.u16()
        records = try reader.u64()
        names = try reader.u64()
      } catch { return nil }
    }
  }
}

/// A summary of an archive's recipients, as far as it needs no secret.
///
/// Two archives with the same summary open with the same keys and guardians. A passphrase may differ.
struct SlotNote: Equatable, Sendable {
  let digest: Digest

  init(digest: Digest) { self.digest = digest }

  init(_ slots: [NewSlot]) {
    let notes = slots.map { slot in
      "\(slot.type.rawValue) \(slot.mask.scopes.map(\.rawValue)) \(slot.recipient.text ?? "")\n"
    }
    digest = SHA256.hash(Array("fueki slots\n".utf8), Array(notes.sorted().joined().utf8))
  }
}

extension StateDirectory {
  private static func baseFile(_ vault: VaultID) -> String { "base-\(vault.hex).table" }

  /// Returns the table of a vault's last full archive, as a base for differential ones.
  ///
  /// - Throws: ``FullNeeded`` if there is none, or it is damaged.
  func baseTable(of vault: VaultID) throws -> BaseTable {
    do {
      let file = try File.open(path + "/" + Self.baseFile(vault), symbolicLinks: .refuse)
      guard let table = try BaseTableFile.read(file) else { throw FullNeeded(reason: .damagedTable) }
      guard !table.sections.allSatisfy(\.value.isEmpty) else { throw FullNeeded(reason: .noHistory) }
      return table
    } catch let error as SystemError where error.isNotFound {
      throw FullNeeded(reason: .noTable)
    }
  }

  fileprivate func keep(baseTable table: BaseTableDraft, of vault: VaultID) throws {
    try write(as: Self.baseFile(vault)) { (give) throws(SystemError) in try table.forEachPiece(give) }
  }

  fileprivate func removeBaseTable(of vault: VaultID) throws {
    let folder = try Directory.open(path)
    let name = Self.baseFile(vault)
    folder.removeAbandoned(of: name)
    guard try folder.contains(name) else { return }
    try folder.remove(name)
    try folder.sync()
  }
}

extension LockedState {
  /// Keeps the file of the table of a full archive that was published, in place of the one before, durably, and where
  /// that archive was found whole.
  func keep(baseTable table: BaseTableDraft, _ note: VaultState.Base, of vault: VaultID) throws {
    try directory.keep(baseTable: table, of: vault)
    try keep(note, of: vault)
  }

  /// Records where and when a vault's base was found intact.
  func keep(_ note: VaultState.Base, of vault: VaultID) throws {
    var state = try directory.vault(vault)
    state.base = note
    try keep(state, of: vault)
  }

  /// Forgets a missing base, and its table.
  func forgetBase(of vault: VaultID) throws {
    var state = try directory.vault(vault)
    try directory.removeBaseTable(of: vault)
    state.base = nil
    try keep(state, of: vault)
  }
}

extension VaultState {
  /// The full archive that the next differential ones are made from.
  public struct Base: Codable, Equatable, Sendable {
    /// Its digest, in hex.
    public let digest: String
    /// When its bytes were last found whole, in seconds since 1970, by the place of the target.
    public var verified: [ExactText: Int64] = [:]
    /// The digest, in hex, of the newest archive that was made from it: a passphrase that opens that one opens it, too.
    var opensAlike: String?
    /// For each of its slots, whether it withstands quantum computers, as known when it was made.
    public var slotsForTheLongTerm: [Bool]?
  }
}
