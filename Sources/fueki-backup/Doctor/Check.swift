internal import FuekiArchive
internal import FuekiCollectors
internal import FuekiSystem

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

extension Check {
  /// Makes checks in a copy of this process, so that no thread of theirs keeps the rights that this one gives up.
  ///
  /// - Throws: what the system refuses; ``Interrupted``.
  static func apart(_ checks: () -> [Check]) throws -> [Check] {
    var frame = ByteReader(
      try ForkedWork.answer {
        var frame = FrameWriter()
        for check in checks() {
          for text in [check.name, check.result.rawValue, check.detail] { frame.add(text) }
          frame.add(optional: check.remedy.map { Array($0.utf8) })
        }
        return frame.bytes
      })
    var made: [Check] = []
    while frame.remaining > 0 { made.append(try Check(from: &frame)) }
    return made
  }

  private init(from frame: inout ByteReader) throws {
    let (name, result) = (try frame.nextText(), Result(rawValue: try frame.nextText()))
    guard let result else { throw SystemError.ended(call: "read", path: "pipe") }
    self.init(
      name: name, result: result, detail: try frame.nextText(),
      remedy: try frame.nextOptional().map { String(decoding: $0, as: UTF8.self) })
  }
}
