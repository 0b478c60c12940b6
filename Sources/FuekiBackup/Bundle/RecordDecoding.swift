package import FuekiArchive
package import FuekiWallet
package import SwiftProtobuf

extension RecordBlock {
  /// The block's records as messages.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` where one is not what its section holds.
  package func decoded<Record: SectionRecord>(as type: Record.Type) throws(RecordsError) -> [Record] {
    try decoded(as: type, in: Record.section)
  }

  /// The block's records as messages of a type that says no section.
  ///
  /// - Throws: As ``decoded(as:)``.
  package func decoded<Record: Message>(
    as _: Record.Type, in section: Section
  ) throws(RecordsError) -> [Record] {
    try messages.map { range throws(RecordsError) in
      guard let record = try? Record(serializedBytes: Array(bytes[range])) else {
        throw .malformedRecord(section: section.name)
      }
      return record
    }
  }
}
