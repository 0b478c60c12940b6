/// A column that a version of the store added to one before it, as its migration has it: frozen with it.
struct StoreAddition: Sendable {
  /// The version that has it first.
  let version: Int
  let table: String
  let column: String
  let type: String
}
