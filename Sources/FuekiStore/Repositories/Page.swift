public import FuekiWallet

/// Some of a query's records.
public struct Page<Record: SectionRecord>: Sendable {
  /// The records, in the query's order.
  public let records: [Record]
  /// Where the next page begins; nil after the last one.
  public let next: PageCursor?

  init(_ records: [Record], next: PageCursor?) {
    self.records = records
    self.next = next
  }
}

/// A place between two records of a query.
///
/// It stays in place if records are added or removed: the next page repeats none and leaves out none. A cursor has a
/// meaning only for the query that it came from.
public struct PageCursor: Hashable, Sendable, LosslessStringConvertible {
  /// The stretch of the query, from 0.
  let stretch: Int
  /// The time or position of the record before; 0 if its stretch is not ordered by it.
  let value: Int64
  /// The row of the record before.
  let row: Int64

  init(stretch: Int, value: Int64, row: Int64) {
    self.stretch = stretch
    self.value = value
    self.row = row
  }

  /// Reads a cursor's text; nil for another text.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let stretch = Int(parts[0]), stretch >= 0, let value = Int64(parts[1]),
      let row = Int64(parts[2])
    else { return nil }
    self.init(stretch: stretch, value: value, row: row)
    guard self.description == description else { return nil }
  }

  /// The cursor's text: three numbers.
  public var description: String { "\(stretch).\(value).\(row)" }
}
