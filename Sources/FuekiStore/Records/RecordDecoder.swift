internal import FoundationEssentials
internal import FuekiSQLite
internal import FuekiWallet
internal import SwiftProtobuf

/// Decodes records to the values of their table's columns, on any thread.
///
/// Nothing is copied: values are ranges of the block. A parent is represented by its id until
/// ``RecordBinding`` finds its row.
struct RecordDecoder: Sendable {
  let steps: RecordSteps
  private let unknownSlots: [String: Int]

  var table: StoreTable { steps.table }

  init(_ table: StoreTable, unknownColumns: [String] = []) {
    self.init(RecordSteps(table, unknownColumns: unknownColumns))
  }

  init(_ steps: RecordSteps) {
    self.steps = steps
    unknownSlots = Dictionary(
      steps.unknownColumns.enumerated().map { ($1, steps.extraSlot + 1 + $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Decodes the records at some ranges of a block.
  ///
  /// - Throws: ``WireError``, or SwiftProtobuf's error for an entry of a column unknown to this version.
  func decode(_ block: [UInt8], _ messages: [Range<Int>]) throws -> DecodedRecords {
    var records = DecodedRecords(block: block, width: steps.width, count: messages.count)
    for (place, message) in messages.enumerated() {
      try decode(message, of: block.span, at: place, into: &records)
    }
    return records
  }

  private func decode(
    _ message: Range<Int>, of block: Span<UInt8>, at place: Int, into records: inout DecodedRecords
  ) throws {
    let span = block.extracting(message)
    let base = message.lowerBound
    var reader = WireReader()
    while let field = try reader.next(in: span) {
      switch steps.target(of: field.number) {
      case .step(let step):
        guard try set(step, field, span, base, place, &records) else { fallthrough }
      case nil: records.append(field.range.moved(by: base), place, steps.extraSlot)
      case .list(let list):
        if case .content(let range) = field.value {
          records.lists.append(.init(record: place, list: list, id: range.moved(by: base)))
        } else {
          records.append(field.range.moved(by: base), place, steps.extraSlot)
        }
      case .tail:
        if case .content(let range) = field.value,
          try setUnknown(span.extracting(range), place, &records)
        {
          continue
        }
        records.append(field.range.moved(by: base), place, steps.extraSlot)
      }
    }
  }

  /// Stores a field in its column.
  ///
  /// - Returns: false if its wire type contradicts the schema, so that it is treated as unknown.
  @inline(__always)
  private func set(
    _ step: RecordSteps.Step, _ field: WireField, _ span: Span<UInt8>, _ base: Int, _ place: Int,
    _ records: inout DecodedRecords
  ) throws -> Bool {
    switch (step.kind, field.value) {
    case (.bytes, .content(let range)):
      records[place, step.slot] = SQLValue(range.moved(by: base), isText: false)
    case (.parent, .content(let range)):
      records[place, step.slot + 1] = SQLValue(range.moved(by: base), isText: false)
    case (.text, .content(let range)):
      guard span.extracting(range).isUTF8 else { throw WireError.invalidValue(field: field.number) }
      records[place, step.slot] = SQLValue(range.moved(by: base), isText: true)
    case (.number, .varint(let value)): records[place, step.slot] = .integer(Int64(bitPattern: value))
    case (.signed, .varint): records[place, step.slot] = .integer(try field.zigzag())
    case (.wire, .content): records.append(field.range.moved(by: base), place, step.slot)
    default: return false
    }
    return true
  }

  /// Stores an entry of field 15 in its column, if it is from a newer version's column.
  private func setUnknown(
    _ entry: Span<UInt8>, _ place: Int, _ records: inout DecodedRecords
  ) throws -> Bool {
    guard !unknownSlots.isEmpty else { return false }
    let entry = try Extra(serializedBytes: entry.copied())
    guard let slot = unknownSlots[entry.name] else { return false }
    switch entry.value {
    case .integer(let value): records[place, slot] = .integer(value)
    case .real(let value): records[place, slot] = .real(value)
    case .text(let value): records.set(Array(value.utf8), isText: true, place, slot)
    case .blob(let value): records.set([UInt8](value), isText: false, place, slot)
    case .json, nil: return false
    }
    return true
  }
}

extension Range<Int> {
  fileprivate func moved(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
