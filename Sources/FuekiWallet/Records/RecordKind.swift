public import SwiftProtobuf

/// A kind of record: everything that the program knows of it, in one place.
///
/// The store's tables, the lines of an export, the judgement of what was read, merges and older spellings all follow it.
/// A new field is one line in its kind's file, besides the schema's and a migration of the store; a new kind is a file,
/// its section's id, and its line in ``Section/kind``.
public final class RecordKind: Sendable {
  /// What a record's message is.
  public enum Form: Sendable {
    /// A message that the store keeps as a row, and an export as a line.
    case record(any SectionRecord.Type)
    /// A message that neither of them has.
    case message(any SwiftProtobuf.Message.Type)
    /// One of a secret, of which nothing is made that would not be wiped; the closure says whether it is well formed.
    case secret(@Sendable (Span<UInt8>) throws(SecretRecordError) -> Bool)
  }

  /// What a record belongs to, so that it goes with it where only some wallets are restored.
  public enum Belonging: Sendable {
    /// To no wallet.
    case nothing
    /// To the wallet whose id is in a field; a wallet belongs to itself.
    case wallet(field: UInt32)
    /// To the key share whose id is in a field.
    case share(field: UInt32)
    /// To the transaction whose id is in a field.
    case transaction(field: UInt32)
  }

  /// Facts that are true of some kinds only.
  public struct Traits: OptionSet, Sendable {
    /// The facts, a bit each.
    public let rawValue: Int
    /// Makes a set of facts of their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A person may have a million: the store's index holds a part of each id.
    public static let abundant = Traits(rawValue: 1)
    /// Several records are one thing, which is the same as another only if all of its parts are: a file.
    public static let inParts = Traits(rawValue: 2)
  }

  /// The section that holds the records.
  public let section: Section
  /// The name that people type and that JSON documents have as a key.
  public let name: String
  /// What a record's message is.
  public let form: Form
  /// What decides where the records may go; nil for the manifest, which is the archive's own.
  public let dataClass: DataClass?
  /// What the records belong to.
  public let belonging: Belonging
  /// Facts that are true of some kinds only.
  public let traits: Traits
  /// The number of the field that tells one record from another, where archives are compared record by record.
  ///
  /// See fueki-archive(5): it is 1, and 2 of a receipt, which is its transaction's.
  public let identityNumber: UInt32
  /// What this version makes of records of older versions of the schema.
  public let olderSpellings: [OlderSpelling]
  /// The fields but `extra`, which every record has as field 15; by ascending number.
  public let fields: [RecordField]

  /// Describes a kind; the order of the fields means nothing.
  init(
    _ section: Section, _ name: String, _ form: Form, in dataClass: DataClass?,
    belongingTo belonging: Belonging = .nothing, traits: Traits = [], identity: UInt32 = 1,
    olderSpellings: [OlderSpelling] = [], _ fields: [RecordField]
  ) {
    self.section = section
    self.name = name
    self.form = form
    self.dataClass = dataClass
    self.belonging = belonging
    self.traits = traits
    identityNumber = identity
    self.olderSpellings = olderSpellings
    self.fields = fields.sorted { $0.number < $1.number }
  }

  /// The same kind with its fields listed in another order; for tests, which show that nothing changes.
  package func listing(_ fields: [RecordField]) -> RecordKind {
    RecordKind(
      section, name, form, in: dataClass, belongingTo: belonging, traits: traits, identity: identityNumber,
      olderSpellings: olderSpellings, fields)
  }
}

extension RecordKind {
  /// All kinds, in the order of their sections.
  public static let all = Section.allCases.map(\.kind)

  /// The number of `extra` in every record.
  public static let extraNumber: UInt32 = 15

  /// The field that tells people which record it is: `id`, or a setting's `key`.
  public var idField: RecordField? { fields.first { $0.number == 1 } }

  /// The field of a number.
  public func field(_ number: UInt32) -> RecordField? { fields.first { $0.number == number } }

  /// The type of the records, of kinds that the store has.
  public var recordType: (any SectionRecord.Type)? {
    guard case .record(let type) = form else { return nil }
    return type
  }

  /// The type of the records' messages; nil of secrets.
  public var messageType: (any SwiftProtobuf.Message.Type)? {
    switch form {
    case .record(let type): type
    case .message(let type): type
    case .secret: nil
    }
  }

  /// The section whose records' rows these records have; nil of most, which have rows of their own.
  public var rowParent: Section? {
    for field in fields {
      if case .rowOf(let section) = field.place { return section }
    }
    return nil
  }

  /// The tables of the store that hold the records: none, one, or a second one for those that have no parent's row.
  public var tables: [String] {
    guard recordType != nil else { return [] }
    let name = name.replacing("-", with: "_")
    return rowParent == nil ? [name] : [name, "unclaimed_\(name)"]
  }

  /// The same record in the spelling that SwiftProtobuf writes.
  ///
  /// - Throws: SwiftProtobuf's error where the bytes are no such record.
  public func respelled(_ message: [UInt8]) throws -> [UInt8] {
    guard let messageType else { return message }
    return try messageType.init(serializedBytes: message).serializedBytes()
  }
}

extension Section {
  /// What is known of the section's records: the one list of kinds.
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
