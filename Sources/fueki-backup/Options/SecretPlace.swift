internal import ArgumentParser
internal import FuekiSystem

/// Where a secret comes from, as options name it: `file:PATH`, `command:COMMAND` or `fd:N`.
enum SecretPlace: Hashable {
  case file(ExactText)
  case command(ExactText)
  case descriptor(Int32)

  /// The three forms, as messages list them.
  static let forms = "file:PATH, command:COMMAND or fd:N"
  /// The beginnings of the three forms.
  static let schemes = ["file:", "command:", "fd:"]

  /// The file's path; nil for the other forms.
  var path: String? {
    if case .file(let path) = self { path.text } else { nil }
  }

  /// Whether a command prints the secret.
  var isCommand: Bool {
    if case .command = self { true } else { false }
  }

  /// The form of a word that follows `-p`: a path alone is a file's.
  static func form(of word: String) -> String {
    schemes.contains(where: word.hasPrefix) ? word : "file:\(word)"
  }

  /// The word without `file:` at its beginning.
  static func withoutScheme(_ word: String) -> String {
    word.hasPrefix("file:") ? String(word.dropFirst("file:".count)) : word
  }
}

extension SecretPlace: ExpressibleByArgument {
  init?(argument: String) {
    guard let scheme = Self.schemes.first(where: argument.hasPrefix) else { return nil }
    let rest = String(argument.dropFirst(scheme.count))
    guard !rest.isEmpty else { return nil }
    switch scheme {
    // The shell expands a tilde only at the beginning of a word.
    case "file:": self = .file(ExactText(HomePath.expanded(rest)))
    case "command:": self = .command(ExactText(rest))
    default:
      guard let number = Int32(rest), number >= 0 else { return nil }
      self = .descriptor(number)
    }
  }

  static var defaultCompletionKind: CompletionKind { .secretPlaces }
}
