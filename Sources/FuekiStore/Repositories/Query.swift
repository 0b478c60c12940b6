public import FuekiWallet
internal import FoundationEssentials

/// The records of a kind that a repository returns, and their order.
///
/// A query names look-ups of its kind, each of which has an index: a history of a million records is never searched
/// record by record. Records selected by a look-up come newest first if they have times that queries use, namely
/// transactions and messages, parts of a file by offset, and credentials selected by their expiry by that. Others come in
/// the order of their addition.
public struct Query<Record: SectionRecord>: Hashable, Sendable {
  /// What each record must fulfil.
  private(set) var conditions: [QueryCondition]
  /// Whether the order is not the usual one.
  private(set) var isReversed = false

  init(_ conditions: [QueryCondition]) { self.conditions = conditions }

  /// All records.
  public static var all: Self { Self([]) }

  /// The records of both queries, in this one's order.
  public func and(_ other: Self) -> Self {
    var both = self
    both.conditions += other.conditions
    return both
  }

  /// The same records in the opposite order.
  public func reversed() -> Self {
    var reversed = self
    reversed.isReversed.toggle()
    return reversed
  }
}

/// A condition of a query.
struct QueryCondition: Hashable, Sendable {
  /// A look-up of a field.
  struct LookUp: Hashable, Sendable {
    /// The field's name.
    let field: String
    let value: Value
  }

  enum Value: Hashable, Sendable {
    case bytes(Data)
    case text(String)
    case below(Int64)
    /// The word that is the field's look-up.
    case word

    /// An id in a field of text.
    ///
    /// Bytes that are no packed text equal no text.
    static func text(of id: RecordID) -> Value { id.text.map(Value.text) ?? .bytes(id.packed) }
  }

  /// At least one of them selects the record.
  let alternatives: [LookUp]

  init(_ alternatives: LookUp...) { self.alternatives = alternatives }
}

extension Query {
  /// The records whose field has a text or word, or a lower number.
  static func by(_ field: String, _ value: QueryCondition.Value) -> Self {
    Self([QueryCondition(.init(field: field, value: value))])
  }

  /// The records whose field has an id: their own, their parent's, or one of a list.
  static func by(_ field: String, _ id: RecordID) -> Self { by(field, .bytes(id.packed)) }

  /// The record with an id: several if it is in parts, or if a source had several with one id.
  package static func one(_ id: RecordID) -> Self {
    let field = Record.kind.identity
    if case .text = field?.value { return by(field?.name ?? "", .text(of: id)) }
    return by(field?.name ?? "", id)
  }
}
