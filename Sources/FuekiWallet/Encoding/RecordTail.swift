public import FoundationEssentials
internal import SwiftProtobuf

/// What a table has no column for, as it is on the wire.
///
/// Being fields, a tail is a message by itself: `Transaction(serializedBytes: tail)` has its entries of field 15
/// in `extra` and the rest in `unknownFields`.
extension Transaction {
  /// The entries of field 15 and the fields that this version does not know; empty if there are none.
  public var tail: Data {
    get throws { try RecordTail.data(extra: extra, unknown: unknownFields.data) }
  }
}

extension Receipt {
  /// The entries of field 15 and the fields that this version does not know; empty if there are none.
  public var tail: Data {
    get throws { try RecordTail.data(extra: extra, unknown: unknownFields.data) }
  }

  /// The entries of field 4; `Receipt(serializedBytes:)` has them in `logs` again.
  public var logsOnWire: Data {
    get throws {
      guard !logs.isEmpty else { return Data() }
      var writer = WireWriter()
      for log in logs { writer.append(4, bytes: try log.serializedBytes() as [UInt8]) }
      return Data(writer.bytes)
    }
  }
}

enum RecordTail {
  static func data(extra: [Extra], unknown: Data) throws -> Data {
    guard !extra.isEmpty else { return unknown }
    var writer = WireWriter()
    for entry in extra { writer.append(15, bytes: try entry.serializedBytes() as [UInt8]) }
    writer.append(raw: unknown)
    return Data(writer.bytes)
  }
}
