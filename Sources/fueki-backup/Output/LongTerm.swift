internal import FuekiArchive

/// Whether an archive stays sealed when quantum computers come, and which slots undo it.
struct LongTerm {
  /// The numbers of the slots that undo it, from 1.
  let weak: [Int]

  init(_ types: [SlotType]) {
    weak = types.enumerated().filter { !$0.element.isForTheLongTerm }.map { $0.offset + 1 }
  }

  init(_ slots: [SlotSummary]) { self.init(slots.map(\.type)) }

  var isSealed: Bool { weak.isEmpty }

  /// `yes`, or in few words which slots are not.
  var short: String {
    guard !isSealed else { return "yes" }
    let named = weak.prefix(3).map(String.init).joined(separator: ", ")
    return "not slot \(named)\(weak.count > 3 ? " …" : "")"
  }

  /// `yes`, or which slots are not.
  var sentence: String {
    guard !isSealed else { return "yes" }
    let numbers = weak.map(String.init).joined(separator: ", ")
    return weak.count == 1 ? "no: slot \(numbers) is not" : "no: slots \(numbers) are not"
  }
}

/// The same in a JSON document.
struct LongTermDocument: Encodable {
  let sealed: Bool
  let weakSlots: [Int]

  enum CodingKeys: String, CodingKey {
    case sealed
    case weakSlots = "weak_slots"
  }

  init(_ longTerm: LongTerm) {
    sealed = longTerm.isSealed
    weakSlots = longTerm.weak
  }
}
