internal import FuekiBackup
public import FuekiWallet
internal import SwiftProtobuf

extension WalletStore {
  /// Inserts many new records in one transaction.
  ///
  /// Indices are updated meanwhile. For a new store of a million records use ``StoreBuilder``.
  public func bulkLoad<Record: SectionRecord>(_ records: [Record]) throws {
    var block: [UInt8] = []
    for record in records { try RecordFraming.append(try record.serializedBytes() as [UInt8], to: &block) }
    try bulkLoad(framed: block, of: Record.section)
  }

  /// Inserts many framed records, each preceded by its length.
  public func bulkLoad(framed block: [UInt8], of section: Section) throws {
    guard let table = StoreTable.of(section) else { return }
    var messages: [Range<Int>] = []
    var offset = 0
    while let message = try RecordFraming.next(in: block.span, at: &offset) { messages.append(message) }
    let records = try RecordDecoder(table).decode(block, messages)
    try write { database in
      if table.name == .receipts {
        let placer = try ReceiptPlacer(in: database)
        for place in 0..<records.count {
          try placer.place(records, place, at: try placer.row(ofTransaction: records.transaction(place)))
        }
      } else {
        try RecordInserter(table, parents: ParentRows(looksUp: true), in: database).insert(records)
      }
      try ParentClaims.settle(in: database)
    }
  }
}
