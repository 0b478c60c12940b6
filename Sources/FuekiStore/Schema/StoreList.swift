/// A repeated field of ids that queries use.
struct StoreList: Sendable {
  /// The table: `<owner>_row`, `position`, `<element>_id`.
  let table: String
  let owner: String
  let element: String
}
