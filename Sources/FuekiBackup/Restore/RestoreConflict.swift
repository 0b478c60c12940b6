internal import FuekiCrypto
public import FuekiWallet

/// A record that is there already, and that the archive has otherwise.
public struct RestoreConflict: Equatable, Sendable {
  /// The resolution of a conflict.
  public enum Resolution: String, Sendable {
    /// Nothing: the restore changes nothing.
    case none
    /// The existing record is kept.
    case kept
    /// The archive's took its place.
    case replaced
    /// The existing record is kept, with the more advanced sync state.
    case advanced
    /// The archive's record was added under another name and id.
    case renamed
  }

  /// An address of a contact or wallet that differs from the archive's: a payment would go to another recipient.
  public struct Address: Equatable, Sendable {
    /// The name of the existing contact or wallet.
    public let name: String
    /// The address that is there.
    public let there: String
    /// The archive's.
    public let archived: String

    /// Describes two addresses.
    public init(name: String, there: String, archived: String) {
      self.name = name
      self.there = there
      self.archived = archived
    }
  }

  /// The record's section.
  public let section: Section
  /// Its id as people read it; a setting's key, or a file's path.
  public let id: String
  /// The names of the fields that differ, without their values except for ``address``.
  public let fields: [String]
  /// The resolution of the conflict.
  public let resolution: Resolution
  /// Both addresses, where they differ.
  public let address: Address?

  /// Describes a conflict.
  public init(
    section: Section, id: String, fields: [String], resolution: Resolution, address: Address? = nil
  ) {
    self.section = section
    self.id = id
    self.fields = fields
    self.resolution = resolution
    self.address = address
  }
}

/// The handling of an existing record that differs.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Changes nothing at all, and lists every such record.
  case fail
  /// Keeps the existing record.
  case skip
  /// Uses the record changed last; keeps the existing one if the times do not decide.
  case newer
  /// Takes the archive's.
  case replace
  /// Keeps the existing record, and adds the archive's wallets and contacts next to it under other names.
  case rename
}

/// The names of the fields in which two records differ: enough to explain a conflict, without the values.
package enum RecordFields {
  /// Returns the fields whose bytes differ in two encoded records of a section, by ascending number.
  ///
  /// A field unknown to this version appears as its number, an entry of `extra` as its name.
  package static func differing(
    _ a: Span<UInt8>, _ b: Span<UInt8>, in section: Section
  ) throws(WireError) -> [String] {
    let (a, b) = (try digests(a), try digests(b))
    let numbers = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }
    return numbers.sorted().map { name(of: $0, in: section) }
  }

  /// Returns a digest of each field's raw bytes, with repeated ones together, so that no file's content is kept.
  private static func digests(_ message: Span<UInt8>) throws(WireError) -> [UInt32: [Digest]] {
    var fields: [UInt32: [Digest]] = [:]
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      fields[field.number, default: []].append(SHA256.hash(message.extracting(field.range)))
    }
    return fields
  }

  private static func name(of number: UInt32, in section: Section) -> String {
    if number == RecordKind.extraNumber { return "extra" }
    return section.kind.field(number)?.name ?? "field \(number)"
  }
}

/// A new contact with the name of an existing one, but another address.
public struct Namesake: Equatable, Sendable {
  /// The new contact's id as people read it.
  public let id: String
  /// The name and address of the existing contact, and the address of the new one.
  public let address: RestoreConflict.Address

  /// Describes a contact.
  public init(id: String, address: RestoreConflict.Address) {
    self.id = id
    self.address = address
  }
}

/// The result of a merge, or its preview.
public struct MergeReport: Equatable, Sendable {
  /// How many records of each section.
  public var counts: [Section: MergeCounts] = [:]
  /// Every record that differs.
  public var conflicts: [RestoreConflict] = []
  /// Every new contact that may be confused with an existing one.
  public var namesakes: [Namesake] = []
  /// The place of the earlier data directory; nil if nothing was changed.
  public var previous: String?

  /// Nothing yet.
  public init() {}

  /// Whether the data directory stays as it is.
  public var changesNothing: Bool {
    counts.values.allSatisfy { $0.added == 0 }
      && conflicts.allSatisfy { $0.resolution == .none || $0.resolution == .kept }
  }
}

/// How many records of a section a merge took, and how.
public struct MergeCounts: Equatable, Sendable {
  /// New ones.
  public var added: UInt64 = 0
  /// Those that were there, just so.
  public var equal: UInt64 = 0
  /// Those that were there and differed, whatever was done about them.
  public var differing: UInt64 = 0

  /// None yet.
  public init() {}

  /// All of them.
  public var all: UInt64 { added + equal + differing }
}
