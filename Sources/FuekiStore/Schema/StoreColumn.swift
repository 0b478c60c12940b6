internal import FuekiWallet

/// A column of the store and its fields of a record.
struct StoreColumn: Sendable {
  /// The encoding of a field in the column.
  enum Content: Sendable {
    /// `bytes` of implicit presence; packed text if the schema states it.
    case bytes
    /// `optional bytes`.
    case optionalBytes
    /// `string` of implicit presence.
    case text
    /// `optional string`.
    case optionalText
    /// `uint32`, `uint64`, `int32` or `bool` of implicit presence, as 64 bits.
    case number
    /// The same, but optional.
    case optionalNumber
    /// `optional sint64`: microseconds, or seconds in credentials, since 1970.
    case optionalSigned
    /// The record's parent: `<name>_row` if the parent is in the store, else `<name>_id`.
    case parent(StoreTable.Name)
    /// Several encoded fields.
    case wire([UInt32])
    /// A repeated field of ids, in a separate table.
    case list(StoreList)
  }

  let name: String
  /// The field's number in the record; 0 if the content states the fields.
  let field: UInt32
  let content: Content

  init(_ name: String, _ field: UInt32, _ content: Content) {
    self.name = name
    self.field = field
    self.content = content
  }

  /// The database columns, with their types.
  var declarations: [(name: String, type: String)] {
    switch content {
    case .bytes, .optionalBytes, .wire: [(name, "BLOB")]
    case .text, .optionalText: [(name, "TEXT")]
    case .number, .optionalNumber, .optionalSigned: [(name, "INTEGER")]
    case .parent: [("\(name)_row", "INTEGER"), ("\(name)_id", "BLOB")]
    case .list: []
    }
  }
}
