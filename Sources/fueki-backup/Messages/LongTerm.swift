internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// The slots of one file that a quantum computer of a later day may open.
struct WeakSlots {
  /// Their numbers, from 1.
  let numbers: [Int]
  /// Whether all of these are plugins', of which nothing in an archive tells.
  let isUnknown: Bool

  /// Creates the summary from each slot's suitability for long-term archives.
  init(_ slots: [Bool]) {
    numbers = slots.indices.filter { !slots[$0] }.map { $0 + 1 }
    isUnknown = false
  }

  init(_ slots: [SlotSummary]) {
    let weak = slots.filter { !$0.isForTheLongTerm }
    numbers = weak.map(\.number)
    isUnknown = !weak.isEmpty && weak.allSatisfy { $0.type == .agePlugin }
  }

  fileprivate var answer: LongTerm.Answer { numbers.isEmpty ? .yes : isUnknown ? .unknown : .no }
  fileprivate var named: String {
    (numbers.count == 1 ? "slot " : "slots ") + numbers.map(String.init).joined(separator: ", ")
  }
}

/// Whether an archive stays sealed when quantum computers come, and which slots undo it: of a differential archive its
/// base's slots do, too, for most of the history is there.
package struct LongTerm {
  enum Answer {
    case yes
    case no
    case unknown
  }

  /// The file that a differential archive's history builds on.
  enum Base {
    case here(WeakSlots)
    /// No file with its digest is at hand, or its header cannot be read.
    case notHere(BaseReference)

    fileprivate var answer: Answer {
      switch self {
      case .here(let slots): slots.answer
      case .notHere: .unknown
      }
    }
  }

  /// The archive's own slots that undo it.
  let weak: WeakSlots
  /// Nil of a full archive.
  let base: Base?

  /// Creates the summary from the suitability of each slot, and of each of the base's slots if there is a base.
  package init(_ slots: [Bool], base: [Bool]? = nil) {
    weak = WeakSlots(slots)
    self.base = base.map { .here(WeakSlots($0)) }
  }

  /// A full archive's.
  init(_ slots: [SlotSummary]) {
    weak = WeakSlots(slots)
    base = nil
  }

  /// Creates the summary of any archive, with its base if it has one.
  init(_ archive: StoredArchive, base find: (BaseReference) -> StoredArchive?) {
    weak = WeakSlots(archive.slots)
    base = archive.facts.base.map { reference in
      find(reference).map { .here(WeakSlots($0.slots)) } ?? .notHere(reference)
    }
  }

  var answer: Answer {
    let answers = [weak.answer, base?.answer ?? .yes]
    return answers.contains(.no) ? .no : answers.contains(.unknown) ? .unknown : .yes
  }

  /// `yes`, or the exceptions in a few words.
  package var short: String {
    switch answer {
    case .yes: return "yes"
    case .no where weak.answer != .no: return "not its base"
    case .unknown where weak.answer == .yes: return "unknown of its base"
    case .no, .unknown:
      let named = weak.numbers.prefix(3).map(String.init).joined(separator: ", ")
      return "\(answer == .no ? "not" : "unknown of") slot \(named)\(weak.numbers.count > 3 ? " …" : "")"
    }
  }

  /// `yes`, or which slots are not.
  package var sentence: String {
    switch answer {
    case .yes: "yes"
    case .no: "no: \(reason)"
    case .unknown: "unknown: \(reason)"
    }
  }

  /// The reason for an answer other than `yes`.
  var reason: String {
    let answer = answer
    var reasons: [String] = []
    if weak.answer == answer {
      reasons.append(
        weak.isUnknown
          ? "an age plugin made \(weak.named), and the archive does not say how"
          : "\(weak.named) \(weak.numbers.count == 1 ? "is" : "are") not")
    }
    if let base, base.answer == answer {
      switch base {
      case .here(let slots) where slots.isUnknown:
        reasons.append("an age plugin made \(slots.named) of its base, which does not say how")
      case .here(let slots):
        reasons.append("\(slots.named) of its base \(slots.numbers.count == 1 ? "is" : "are") not")
      case .notHere(let reference): reasons.append("its base is not here: \(reference.sentence)")
      }
    }
    return reasons.joined(separator: "; ")
  }
}

extension LongTerm {
  /// The same in JSON.
  var document: Members {
    let ofBase: [Int]? = if case .here(let slots) = base { slots.numbers } else { nil }
    return [
      "sealed": answer == .yes, "weakSlots": weak.numbers, "baseWeakSlots": ofBase,
      "unknown": answer == .unknown ? reason : nil,
    ]
  }
}
