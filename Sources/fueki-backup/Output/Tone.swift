/// The tone of a line: a verdict, or a warning.
///
/// Every meaning of a colour is also in the text.
enum Tone: Equatable, Sendable {
  case plain
  case good
  case doubtful
  case bad
  /// Only the first so many characters are bad, good or doubtful: a word like "warning:".
  indirect case mark(Tone, Int)

  /// The words that begin this program's own lines.
  ///
  /// Names from archives come after them.
  private static let marks: [(word: String, tone: Tone)] = [
    ("error:", .bad), ("warning:", .doubtful), ("PROBLEM:", .bad), ("MISSING:", .bad),
    ("LEFT IN THE ARCHIVE:", .doubtful), ("NOT BROUGHT BACK", .doubtful),
    ("Came back, and needs you:", .doubtful), ("DIFFERS", .bad), ("ok:", .good),
  ]

  init(ofLine line: String) {
    let text = line.drop { $0 == " " }
    guard let found = Self.marks.first(where: { text.hasPrefix($0.word) }) else {
      self = .plain
      return
    }
    self = .mark(found.tone, line.count - text.count + found.word.count)
  }

  /// The parameter of the terminal's "select graphic rendition" (ECMA-48, 8.3.117).
  var code: String? {
    switch self {
    case .plain: nil
    case .good: "32"
    case .doubtful: "33"
    case .bad: "31"
    case .mark(let tone, _): tone.code
    }
  }

  /// The number of the line's first characters to mark; nil for all.
  var markedCount: Int? { if case .mark(_, let count) = self { count } else { nil } }
}
