internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// The steps before inserting a block that need no database: decoding, parents' rows, parameters.
struct RecordPreparation: Sendable {
  private let decoder: RecordDecoder
  private let binding: RecordBinding
  private let parents: [StoreTable.Name: [[UInt8]: Int64]]
  private let check: RecordCheck

  init(_ decoder: RecordDecoder, parents: [StoreTable.Name: [[UInt8]: Int64]]) {
    self.decoder = decoder
    binding = RecordBinding(decoder.steps)
    self.parents = parents
    check = RecordCheck(decoder.table.section)
  }

  /// Prepares the records at some ranges of a block.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  func prepare(_ bytes: [UInt8], _ messages: [Range<Int>]) throws -> BoundRecords {
    // Data kept unchanged, such as `extra`, is checked too, because a later backup copies it to its archive.
    guard messages.allSatisfy({ check.isStrict(bytes.span.extracting($0)) }) else {
      return try prepareLeniently(bytes, messages)
    }
    do {
      return try bind(try decoder.decode(bytes, messages))
    } catch let error where error is WireError || error is BinaryDecodingError {
      return try prepareLeniently(bytes, messages)
    }
  }

  private func bind(_ records: DecodedRecords) throws -> BoundRecords {
    try binding.bind(records) { id, parent in parents[parent]?[id] }
  }

  /// Prepares a block of another writer: SwiftProtobuf accepts encodings that the strict reader refuses.
  private func prepareLeniently(_ bytes: [UInt8], _ messages: [Range<Int>]) throws -> BoundRecords {
    var respelled: [UInt8] = []
    var ranges: [Range<Int>] = []
    do {
      for message in messages {
        let start = respelled.count
        respelled += try decoder.table.respell(Array(bytes[message]))
        ranges.append(start..<respelled.count)
      }
      return try bind(try decoder.decode(respelled, ranges))
    } catch {
      throw RecordsError.malformedRecord(section: decoder.table.section.name)
    }
  }
}
