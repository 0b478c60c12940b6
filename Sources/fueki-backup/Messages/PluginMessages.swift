internal import FuekiArchive
internal import FuekiSystem

extension PluginFailure {
  /// The fault, in one sentence, with the plugin's own words in quotes.
  var sentence: String {
    switch fault {
    case .notInstalled: "\(program) is not in any folder of PATH"
    case .system(let error): "\(program): \(error.sentence)"
    case .ended(let ending, let errors):
      "\(program) \(ending?.sentence ?? "ended") before it was done"
        + (errors.isEmpty ? "" : ", and last wrote \(TerminalText.quoted(errors))")
    case .timedOut: "\(program) did not finish in time"
    case .broke(let breach): "\(program) breaks the age-plugin protocol: \(breach.sentence)"
    case .refused(let message): "\(program) refuses: \(TerminalText.quoted(message))"
    case .unanswered(let question):
      "\(program) asks \(TerminalText.quoted(question)), but there is no terminal to answer on"
    case .noKey: "\(program) gave no key"
    case .wrongKey: "the key from \(program) does not open this archive"
    case .outOfMemory: "not enough memory for what \(program) says"
    }
  }

  /// The advice for it.
  var hint: String? {
    switch fault {
    case .notInstalled: "install the plugin. Only folders of PATH that begin with / are searched"
    case .unanswered: "run this at a terminal"
    case .timedOut, .noKey: "is the device plugged in?"
    case .system, .ended, .broke, .refused, .wrongKey, .outOfMemory: nil
    }
  }
}

extension PluginFailure.Breach {
  /// How, in a few words.
  var sentence: String {
    switch self {
    case .malformed: "a line is not part of a stanza"
    case .tooLong: "it says more than the limits allow"
    case .outOfPlace: "a command appears where it has no meaning"
    case .stanzas: "its stanzas do not fit in a slot"
    }
  }
}
