/// A `[[source]]` that was written.
struct AddedSource: Encodable {
  let kind: String
  let path: String
}
