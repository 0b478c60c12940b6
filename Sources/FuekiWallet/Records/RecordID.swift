public import FoundationEssentials
internal import FuekiCrypto
internal import SwiftProtobuf

/// A record's id.
///
/// Most ids are text, which records hold packed, as ``PackedText`` says. Those of files and key shares are 16 bytes.
public struct RecordID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The id as records hold it: packed text, or 16 bytes.
  public let packed: Data

  /// Creates an id from a record's own bytes or a reference to it, such as a wallet's id in a transaction.
  public init(packed: Data) { self.packed = packed }

  /// Creates an id from its text.
  public init(_ text: String) { packed = PackedText.pack(text) }

  /// Creates an id from its text.
  public init(stringLiteral text: String) { self.init(text) }

  /// Returns a new id: a UUID in capitals.
  public static func random() -> RecordID { RecordID(UUID().uuidString) }

  /// The id's text; nil for bytes that are no packed text.
  public var text: String? { PackedText.text(packed) }

  /// The id's text, or its bytes in hexadecimal.
  public var description: String { text ?? Hex.encode(packed.span) }
}

extension SectionRecord {
  /// Returns a record with a new id, filled by a closure.
  ///
  /// A setting has its key for an id, which the closure sets.
  public static func new(_ fill: (inout Self) throws -> Void) rethrows -> Self {
    var record = Self()
    let id = RecordID.random().packed
    if case .packed = kind.idField?.value { record.id = id } else { record.id = Data(id.dropFirst()) }
    try fill(&record)
    return record
  }
}
