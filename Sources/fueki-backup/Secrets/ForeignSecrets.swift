internal import FuekiSystem

/// A command that seals or signs with secrets from files.
protocol SealingCommand {
  /// The risks that the user accepts.
  var consents: Consents { get }
}

/// Files with secrets that another user can change: that user decides what opens the next archive, or what signs.
enum ForeignSecrets {
  private enum Treatment {
    case warn
    case refuse
    case accept
  }

  private struct State {
    var treatment = Treatment.warn
    var warned: Set<ExactText> = []
  }

  private static let state = Locked(State())

  /// From now on, refuses such files, unless the user accepts them; before, a warning is printed.
  static func refuse(unlessIn consents: Consents) {
    state.withLock { $0.treatment = consents.contains(.foreignSecret) ? .accept : .refuse }
  }

  /// Checks a file that was opened.
  ///
  /// - Throws: ``CommandError/foreignSecret(path:_:)`` where something is sealed with it, and system errors.
  static func check(_ file: borrowing File, _ path: String) throws {
    let treatment = state.withLock(\.treatment)
    guard treatment != .accept, let hand = try file.foreignHand() else { return }
    guard treatment == .warn else { throw CommandError.foreignSecret(path: path, hand) }
    guard state.withLock({ $0.warned.insert(ExactText(path)).inserted }) else { return }
    Console(isJSON: false, isQuiet: false, isVerbose: false)
      .warning("\(hand.sentence(path)), so \"create\" seals nothing with it: \(hand.remedy)")
  }
}
