public import FoundationEssentials
public import SwiftProtobuf

/// A record of a bundle's section that the store also keeps.
public protocol SectionRecord: SwiftProtobuf.Message, Sendable {
  /// The kind of these records.
  static var kind: RecordKind { get }
  /// The record's own id, an opaque identifier.
  ///
  /// A setting's id is its key.
  var id: Data { get set }
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
  /// Nil: most records are identified by their ids alone.
  public var naturalKey: NaturalKey? { nil }
  /// Nil: not a payee.
  public var payee: (name: String, address: Data)? { nil }
}
