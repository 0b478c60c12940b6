internal import FuekiSystem

/// The user's answers as the equivalent options, which a guided run prints at its end.
///
/// A secret appears as the option that reads it from a file, never as itself.
enum Replay {
  private static let noted = Locked<[String]>([])

  /// Records an answer.
  ///
  /// A corrected answer is recorded only once it is accepted.
  static func note(_ words: String...) { noted.withLock { $0 += words } }

  /// All of them, in the order of the questions.
  static var words: [String] { noted.withLock { $0 } }

  /// Returns the user's words, without those that a guided run adds itself.
  ///
  /// - Parameters:
  ///   - arguments: those of the command, without its name.
  ///   - folder: the folder given by the user.
  ///   - options: the options to replace, each with or without a value.
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
