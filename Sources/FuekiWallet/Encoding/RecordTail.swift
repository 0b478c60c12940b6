package import FoundationEssentials
internal import SwiftProtobuf

/// A record's encoded fields without columns in the table.
///
/// A tail is a message by itself, with the entries of field 15 and the unknown fields.
package enum RecordTail {
  package static func data(extra: [Extra], unknown: Data) throws -> Data {
    guard !extra.isEmpty else { return unknown }
    var writer = WireWriter()
    for entry in extra { writer.append(15, bytes: try entry.serializedBytes() as [UInt8]) }
    writer.append(raw: unknown)
    return Data(writer.bytes)
  }
}
