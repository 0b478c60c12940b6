internal import FuekiSQLite

/// Records joined to their existing parents' rows, ready for insertion.
struct BoundRecords: Sendable {
  let records: DecodedRecords

  fileprivate init(_ records: DecodedRecords) { self.records = records }

  var count: Int { records.count }
}

/// Joins decoded records to their parents' rows, on any thread.
struct RecordBinding: Sendable {
  private let parents: [(slot: Int, table: StoreTable.Name)]

  init(_ steps: RecordSteps) {
    parents = steps.steps.compactMap { step in
      guard case .parent(let parent) = step.kind else { return nil }
      return (step.slot, parent)
    }
  }

  /// Replaces parents' ids with their rows, if `row` finds them.
  func bind(
    _ decoded: DecodedRecords, row: ([UInt8], StoreTable.Name) throws -> Int64?
  ) throws -> BoundRecords {
    var records = decoded
    for (slot, parent) in parents {
      // Adjacent records mostly have the same parent.
      var last: (id: [UInt8], row: Int64?) = ([], nil)
      for record in 0..<records.count {
        guard let range = records[record, slot + 1].range else { continue }
        if !records.bytes.span.extracting(range).isEqual(to: last.id.span) || range.isEmpty {
          let id = Array(records.bytes[range])
          last = (id, try row(id, parent))
        }
        guard let row = last.row else { continue }
        records[record, slot] = .integer(row)
        records[record, slot + 1] = .null
      }
    }
    return BoundRecords(records)
  }
}

extension Span<UInt8> {
  /// Whether both have equal bytes.
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for i in indices where self[i] != other[i] { return false }
    return true
  }
}
