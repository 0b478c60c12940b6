/// One check of `doctor`: its result and, for a problem, the advice.
struct Check: Encodable {
  /// How well something is.
  enum Result: String, Encodable {
    case ok
    case warning
    case failed
  }

  let name: String
  let result: Result
  let detail: String
  let remedy: String?

  static func ok(_ name: String, _ detail: String) -> Check {
    Check(name: name, result: .ok, detail: detail, remedy: nil)
  }

  static func warning(_ name: String, _ detail: String, remedy: String) -> Check {
    Check(name: name, result: .warning, detail: detail, remedy: remedy)
  }

  static func failed(_ name: String, _ detail: String, remedy: String) -> Check {
    Check(name: name, result: .failed, detail: detail, remedy: remedy)
  }

  /// A check that could not be made, as its error's own sentence and hint say.
  static func failed(_ name: String, _ error: any Error) -> Check {
    let failure = Failure(describing: error)
    return .failed(name, failure.message, remedy: failure.hint ?? failure.meaning ?? "see the message")
  }
}
