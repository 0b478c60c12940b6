internal import FuekiArchive

extension FuzzTarget {
  /// The header's slots field.
  static let slots = FuzzTarget("slots") { bytes in
    let slots = try Slot.decodeAll(bytes)
    guard slots.allSatisfy(\.type.isKnown) else { return }
    precondition(slots.flatMap(\.encoded) == bytes, "slots encode to other bytes")
  }
}
