internal import FuekiArchive

/// Whether an archive stays sealed when quantum computers come, and which slots undo it.
struct LongTerm {
  /// The numbers of the slots that undo it, from 1.
  let weak: [Int]
  /// Whether all of these are plugins', of which nothing in an archive tells.
  private let isUnknown: Bool

  /// Of each slot, whether it can stand in an archive that is sealed for the long term.
  init(_ slots: [Bool]) {
    weak = slots.indices.filter { !slots[$0] }.map { $0 + 1 }
    isUnknown = false
  }

  init(_ slots: [SlotSummary]) {
    let weak = slots.filter { !$0.isForTheLongTerm }
    self.weak = weak.map(\.number)
    isUnknown = weak.allSatisfy { $0.type == .agePlugin }
  }

  var isSealed: Bool { weak.isEmpty }

  /// `yes`, or in few words which slots are not.
  var short: String {
    guard !isSealed else { return "yes" }
    let named = weak.prefix(3).map(String.init).joined(separator: ", ")
    return "\(isUnknown ? "unknown of" : "not") slot \(named)\(weak.count > 3 ? " …" : "")"
  }

  /// `yes`, or which slots are not.
  var sentence: String {
    guard !isSealed else { return "yes" }
    let numbers = weak.map(String.init).joined(separator: ", ")
    if isUnknown { return "unknown: an age plugin made slot \(numbers), and the archive does not say how" }
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
