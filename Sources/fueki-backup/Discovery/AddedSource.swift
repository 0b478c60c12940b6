internal import FuekiSystem

/// A `[[source]]` that was written.
struct AddedSource: Encodable, Hashable {
  let kind: String
  let path: String

  static func == (one: AddedSource, other: AddedSource) -> Bool {
    one.kind == other.kind && ExactText(one.path) == ExactText(other.path)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(ExactText(path))
  }
}
