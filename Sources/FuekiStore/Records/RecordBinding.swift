internal import FuekiSQLite

/// Records whose parents' rows are known, as far as the parents are there: ready to be inserted.
struct BoundRecords: Sendable {
  let records: DecodedRecords

  fileprivate init(_ records: DecodedRecords) { self.records = records }

  var count: Int { records.count }
}

/// Joins decoded records to their parents' rows; works on any thread.
struct RecordBinding: Sendable {
  private let parents: [(slot: Int, table: StoreTable.Name)]

  init(_ steps: RecordSteps) {
    parents = steps.steps.compactMap { step in
      guard case .parent(let parent) = step.kind else { return nil }
      return (step.slot, parent)
    }
  }

  /// Puts rows in the place of the ids of those parents that have one; `row` finds it.
  func bind(
    _ decoded: DecodedRecords, row: ([UInt8], StoreTable.Name) throws -> Int64?
  ) throws -> BoundRecords {
    var records = decoded
    for (slot, parent) in parents {
      // Neighbours mostly have the same parent.
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
  /// Whether the bytes are the same ones.
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for i in indices where self[i] != other[i] { return false }
    return true
  }
}
