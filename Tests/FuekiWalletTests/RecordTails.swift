import FoundationEssentials
import FuekiWallet
import SwiftProtobuf

/// A record's encoded fields without columns in the table.
///
/// A tail is a message by itself: `Transaction(serializedBytes: tail)` has its entries of field 15 in `extra`
/// and the rest in `unknownFields`.
extension Transaction {
  /// The encoded entries of field 15 and unknown fields; possibly empty.
  var tail: Data {
    get throws { try RecordTail.data(extra: extra, unknown: unknownFields.data) }
  }
}

extension Receipt {
  /// The encoded entries of field 15 and unknown fields; possibly empty.
  var tail: Data {
    get throws { try RecordTail.data(extra: extra, unknown: unknownFields.data) }
  }

  /// The encoded entries of field 4, which `Receipt(serializedBytes:)` decodes to `logs`.
  var logsOnWire: Data {
    get throws {
      guard !logs.isEmpty else { return Data() }
      var writer = WireWriter()
      for log in logs { writer.append(4, bytes: try log.serializedBytes() as [UInt8]) }
      return Data(writer.bytes)
    }
  }
}
