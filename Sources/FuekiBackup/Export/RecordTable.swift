package import FuekiArchive
package import FuekiWallet

/// How a section's records become lines.
package struct RecordTable: Sendable {
  private let kind: RecordKind
  private let shape: RecordShape

  /// The table of a kind of the store's records.
  package init(_ kind: RecordKind) {
    self.kind = kind
    shape = RecordShape(kind.fields)
  }

  /// The table of a section; nil for the manifest and for secrets, which are not lines.
  package static func of(_ section: Section) -> RecordTable? { all[section] }

  private static let all = Dictionary(
    uniqueKeysWithValues: RecordKind.all.filter { $0.recordType != nil }.map { ($0.section, RecordTable($0)) }
  )

  /// The members that a record can have, in order, and those that say where a file's part went.
  var columns: [String] {
    let fields = shape.fields.filter { field in if case .left = field.kind { false } else { true } }
    let places = kind.traits.contains(.inParts) ? ["file", "content"] : []
    return fields.map(\.name.text) + ["extra", "unknown_fields"] + places
  }

  /// A block's records as lines, one object each.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  package func lines(of block: RecordBlock) throws -> ExportedLines {
    // Text is about twice as long as its packed form.
    var writer = JSONLineWriter(reserving: 3 * block.bytes.count)
    do {
      for message in block.messages {
        try RecordTranscoder.write(block.bytes.span.extracting(message), as: shape, to: &writer)
        writer.endLine()
      }
    } catch {
      return try respelledLines(of: block)
    }
    return ExportedLines(bytes: writer.bytes, count: block.messages.count)
  }

  /// The members of one record, in an object that is left open.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  func openObject(_ message: [UInt8]) throws -> JSONLineWriter {
    do {
      return try openObject(asSpelled: message)
    } catch {
      return try malformed { try openObject(asSpelled: try kind.respelled(message)) }
    }
  }

  private func openObject(asSpelled message: [UInt8]) throws -> JSONLineWriter {
    var writer = JSONLineWriter(reserving: 512)
    writer.beginObject()
    try RecordTranscoder.writeMembers(message.span, as: shape, to: &writer)
    return writer
  }

  /// The lines of another writer's block: SwiftProtobuf accepts spellings that the transcoder does not.
  private func respelledLines(of block: RecordBlock) throws -> ExportedLines {
    try malformed {
      var writer = JSONLineWriter(reserving: 3 * block.bytes.count)
      for message in block.messages {
        let respelled = try kind.respelled(Array(block.bytes[message]))
        try RecordTranscoder.write(respelled.span, as: shape, to: &writer)
        writer.endLine()
      }
      return ExportedLines(bytes: writer.bytes, count: block.messages.count)
    }
  }

  private func malformed<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw RecordsError.malformedRecord(section: kind.name) }
  }
}

/// Some records of a section, each a line.
package struct ExportedLines: Sendable {
  /// The lines.
  package let bytes: [UInt8]
  /// How many they are.
  let count: Int
}
