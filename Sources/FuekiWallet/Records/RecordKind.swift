public import FoundationEssentials
public import SwiftProtobuf

/// A kind of record: everything that the program knows about it.
///
/// The store's tables, exports, validation, merges and upgrades all derive from it. A new field needs a line
/// in its kind's file, the schema, and a migration of the store. A new kind needs a file, its section's id,
/// and its line in ``Section/kind``.
public final class RecordKind: Sendable {
  /// The form of a record's message.
  public enum Form: Sendable {
    /// A message stored as a row and exported as a line.
    case record(any SectionRecord.Type)
    /// A message that is neither stored nor exported.
    case message(any SwiftProtobuf.Message.Type)
    /// A message with a secret, never copied to memory that is not wiped.
    ///
    /// The closure validates it.
    case secret(@Sendable (Span<UInt8>) throws(SecretRecordError) -> Bool)
  }

  /// The owner of a record, with which it is restored if only some wallets are.
  public enum Belonging: Sendable {
    /// Independent of any wallet.
    case nothing
    /// The wallet whose id is in a field.
    ///
    /// A wallet belongs to itself.
    case wallet(field: UInt32)
    /// The key share whose id is in a field.
    case share(field: UInt32)
    /// The transaction whose id is in a field.
    case transaction(field: UInt32)
  }

  /// Properties of some kinds.
  public struct Traits: OptionSet, Sendable {
    /// The properties as bits.
    public let rawValue: Int
    /// Creates a set of properties from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// There may be a million per user, so the store indexes only a part of each id.
    public static let abundant = Traits(rawValue: 1)
    /// Several records form one item, such as a file.
    ///
    /// Two items are equal only if all their parts are.
    public static let inParts = Traits(rawValue: 2)
  }

  /// The section that holds the records.
  public let section: Section
  /// The name on the command line, and the key in JSON documents.
  public let name: String
  /// The form of a record's message.
  public let form: Form
  /// The class with the rules for storing the records; nil for the manifest, which is the archive's own.
  let dataClass: DataClass?
  /// The owner of the records.
  public let belonging: Belonging
  /// Properties of some kinds.
  public let traits: Traits
  /// Upgrades from older schema versions.
  public let olderSpellings: [OlderSpelling]
  /// The fields in ascending number, without `extra`, which is field 15 of every record.
  public let fields: [RecordField]

  /// Creates a kind.
  ///
  /// The order of the fields has no meaning.
  init(
    _ section: Section, _ name: String, _ form: Form, in dataClass: DataClass?,
    belongingTo belonging: Belonging = .nothing, traits: Traits = [],
    olderSpellings: [OlderSpelling] = [], _ fields: [RecordField]
  ) {
    self.section = section
    self.name = name
    self.form = form
    self.dataClass = dataClass
    self.belonging = belonging
    self.traits = traits
    self.olderSpellings = olderSpellings
    self.fields = fields.sorted { $0.number < $1.number }
  }

  /// Returns the kind with its fields in another order, for tests that the order has no effect.
  package func listing(_ fields: [RecordField]) -> RecordKind {
    RecordKind(
      section, name, form, in: dataClass, belongingTo: belonging, traits: traits,
      olderSpellings: olderSpellings, fields)
  }
}

extension RecordKind {
  /// All kinds, in the order of their sections.
  public static let all = Section.allCases.map(\.kind)

  /// The number of `extra` in every record.
  public static let extraNumber: UInt32 = 15

  /// The field that identifies a record to people: `id`, or a setting's `key`.
  public var idField: RecordField? { fields.first { $0.number == 1 } }

  /// The field by which a store finds one record: its id, or the id of the record whose row it shares.
  package var identity: RecordField? {
    fields.first { if case .rowOf = $0.place { true } else { false } } ?? idField
  }

  /// Returns the field with a number.
  public func field(_ number: UInt32) -> RecordField? { fields.first { $0.number == number } }

  /// The type of the records, for kinds in the store.
  public var recordType: (any SectionRecord.Type)? {
    guard case .record(let type) = form else { return nil }
    return type
  }

  /// The type of the records' messages; nil for secrets.
  package var messageType: (any SwiftProtobuf.Message.Type)? {
    switch form {
    case .record(let type): type
    case .message(let type): type
    case .secret: nil
    }
  }

  /// The section whose row numbers these records share; nil if they have their own.
  public var rowParent: Section? {
    for field in fields {
      if case .rowOf(let section) = field.place { return section }
    }
    return nil
  }

  /// The store's tables for the records: none, one, or a second one for records without a parent's row.
  public var tables: [String] {
    guard recordType != nil else { return [] }
    let name = name.replacing("-", with: "_")
    return rowParent == nil ? [name] : [name, "unclaimed_\(name)"]
  }

  /// Re-encodes a record as SwiftProtobuf writes it.
  ///
  /// - Throws: SwiftProtobuf's error if the bytes are not such a record.
  public func respelled(_ message: [UInt8]) throws -> [UInt8] {
    guard let messageType else { return message }
    return try messageType.init(serializedBytes: message).serializedBytes()
  }
}

extension Section {
  /// The kind of the section's records.
  ///
  /// This is the only list of kinds.
  public var kind: RecordKind {
    switch self {
    case .manifest: .manifest
    case .wallets: .wallet
    case .assets: .asset
    case .contacts: .contact
    case .settings: .setting
    case .keyShareDescriptors: .keyShareDescriptor
    case .credentials: .credential
    case .files: .filePart
    case .transactions: .transaction
    case .receipts: .receipt
    case .credentialSharing: .credentialSharing
    case .idTokenSharing: .idTokenSharing
    case .users: .chatUser
    case .threads: .chatThread
    case .messages: .chatMessage
    case .keyShares: .keyShare
    case .privateKeys: .privateKey
    case .secretFiles: .secretFilePart
    }
  }
}

/// The kinds of records that consist of a secret.
///
/// Secret files are defined with the other files.
extension RecordKind {
  /// Key shares, each sealed a second time.
  static let keyShare = RecordKind(
    .keyShares, "key-shares",
    .secret { (try? KeyShare(serializedBytes: $0.copied()))?.id.count == PrivateKeyRecord.idByteCount },
    in: .keyShares, belongingTo: .share(field: 1),
    [.always(1, "id", .bytes), .always(2, "sealed", .omitted)])

  /// Private keys and seed phrases.
  static let privateKey = RecordKind(
    .privateKeys, "private-keys", .decoded(by: PrivateKeyRecord.init(decoding:)),
    in: .privateKeys, belongingTo: .wallet(field: 2),
    [
      .always(1, "id", .bytes), .optional(2, "wallet_id", .packed), .always(3, "kind", .text),
      .always(4, "name", .text), .always(5, "secret", .omitted), .optional(6, "created_at", .time),
    ])
}

extension RecordKind.Form {
  /// Returns the form of secrets with their own decoder.
  static func decoded<Record>(
    by decode: @escaping @Sendable (Span<UInt8>) throws(SecretRecordError) -> Record
  ) -> RecordKind.Form {
    .secret { (message) throws(SecretRecordError) in
      do throws(SecretRecordError) {
        _ = try decode(message)
        return true
      } catch {
        guard error != .outOfMemory else { throw error }
        return false
      }
    }
  }
}

/// A record of a bundle's section that the store also keeps.
public protocol SectionRecord: SwiftProtobuf.Message, Sendable {
  /// The kind of these records.
  static var kind: RecordKind { get }
  /// The record's own id, an opaque identifier.
  ///
  /// A setting's id is its key.
  var id: Data { get set }
  /// The id by which a store finds the record.
  var recordID: RecordID { get }
  /// The time of its last change if known, in microseconds since 1970.
  var lastChange: Int64? { get }
  /// An identity that is independent of ids; nil if there is none.
  var naturalKey: NaturalKey? { get }
  /// The name and address for payments; nil if the record is not a payee.
  var payee: (name: String, address: Data)? { get }
}

extension SectionRecord {
  /// The section of these records.
  public static var section: Section { kind.section }
  /// The record's own id.
  public var recordID: RecordID { RecordID(packed: id) }
  /// Nil: most records are identified by their ids alone.
  public var naturalKey: NaturalKey? { nil }
  /// Nil: not a payee.
  public var payee: (name: String, address: Data)? { nil }
}
