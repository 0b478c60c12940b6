internal import Synchronization

/// What a person has answered, as the options that would have said it: a guided run prints them at its end.
///
/// A secret stands there as the option that reads it from a file, never as itself.
enum Replay {
  private static let noted = Mutex<[String]>([])

  /// Notes an answer; one that is given again, because it was wrong, is noted where it is taken.
  static func note(_ words: String...) { noted.withLock { $0 += words } }

  /// All of them, in the order of the questions.
  static var words: [String] { noted.withLock { $0 } }

  /// The words that a person typed, without what a guided run says itself.
  ///
  /// - Parameters:
  ///   - arguments: those of the command, without its name.
  ///   - folder: the folder that was named.
  ///   - options: the options, each with a value or without, that are said anew.
  /// - Returns: the others, in their order.
  static func kept(
    _ arguments: [String], without folder: String?, _ options: [(name: String, hasValue: Bool)]
  ) -> [String] {
    var kept: [String] = []
    var isValue = false
    var rest = folder
    for word in arguments {
      if isValue {
        isValue = false
      } else if let option = options.first(where: { $0.name == word }) {
        isValue = option.hasValue
      } else if options.contains(where: { $0.hasValue && word.hasPrefix("\($0.name)=") }) {
        continue
      } else if word == rest {
        rest = nil
      } else {
        kept.append(word)
      }
    }
    return kept
  }
}
