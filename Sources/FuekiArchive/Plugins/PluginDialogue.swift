internal import FuekiCrypto
internal import FuekiSystem

/// The client's side of both state machines of the age-plugin protocol (C2SP), over a channel.
struct PluginDialogue {
  /// The limit of frames, more than any plugin needs.
  private static let frameLimit = 256

  private let program: String
  private let channel: any PluginChannel
  private let person: any PluginPerson
  /// The plugin's refusal, in its own words.
  private(set) var refusal: String?
  /// The plugin's question that went unanswered.
  private(set) var unanswered: String?

  init(_ name: String, _ machine: String, _ plugins: AgePlugins) throws(PluginFailure.Fault) {
    program = "age-plugin-\(name)"
    channel = try plugins.start(program, machine)
    person = plugins.person
  }

  /// The reason for the failure.
  var reason: PluginFailure.Fault? {
    // After an unanswered question a plugin usually refuses too, but with a less useful text.
    unanswered.map { .unanswered($0) } ?? refusal.map { .refused($0) }
  }

  /// Sends the first phase and answers the second.
  ///
  /// - Parameters:
  ///   - opening: the commands of the first phase, without its end.
  ///   - take: handles a command specific to the state machine; false if unknown.
  /// - Throws: the plugin's fault.
  mutating func run(
    _ opening: [PluginFrame], _ take: (PluginFrame) throws(PluginFailure.Fault) -> Bool
  ) throws(PluginFailure.Fault) {
    for frame in opening { try say(frame) }
    try say(frame("done"))
    let reader = try PluginFrameReader(channel)
    for _ in 0..<Self.frameLimit {
      let frame = try reader.next()
      if frame.command == "done" {
        guard frame.arguments.count == 1, frame.body.bytes.count == 0 else { throw .broke(.malformed) }
        // The plugin's further output does not matter, but it must end.
        _ = channel.finish()
        return
      }
      try say(try answer(to: frame, take))
    }
    throw .broke(.tooLong)
  }

  private mutating func answer(
    to frame: PluginFrame, _ take: (PluginFrame) throws(PluginFailure.Fault) -> Bool
  ) throws(PluginFailure.Fault) -> PluginFrame {
    switch frame.command {
    case "msg":
      return try self.frame(person.show(frame.text, of: program) ? "ok" : "fail")
    case "confirm":
      let words = frame.arguments.dropFirst().map(Self.text)
      guard 1...2 ~= words.count, let yes = words[0], words.count == 1 || words[1] != nil else {
        throw .broke(.malformed)
      }
      let no = words.count == 2 ? words[1] : nil
      guard let answer = person.confirm(frame.text, yes: yes, no: no, of: program) else {
        return try failed(frame)
      }
      return try self.frame("ok", [.label(answer ? "yes" : "no")])
    case "request-public":
      guard let answer = person.answer(frame.text, of: program) else { return try failed(frame) }
      return try self.frame("ok", body: Array(answer.utf8))
    case "request-secret":
      guard let answer = person.secret(frame.text, of: program) else { return try failed(frame) }
      return PluginFrame("ok", secret: answer)
    case "error":
      if refusal == nil { refusal = frame.text }
      return try self.frame("ok")
    default:
      return try self.frame(try take(frame) ? "ok" : "unsupported")
    }
  }

  private mutating func failed(_ frame: PluginFrame) throws(PluginFailure.Fault) -> PluginFrame {
    if Interruption.wasRequested {
      throw .system(SystemError(.interrupted, call: "read", path: program))
    }
    if unanswered == nil { unanswered = frame.text }
    return try self.frame("fail")
  }

  private func say(_ frame: PluginFrame) throws(PluginFailure.Fault) {
    let text: SharedSecret
    do throws(CryptoError) { text = try frame.encoded() } catch { throw .outOfMemory }
    try text.bytes.withBytes { (bytes) throws(PluginFailure.Fault) in try channel.write(bytes) }
  }

  private func frame(
    _ command: StaticString, _ arguments: [[UInt8]] = [], body: [UInt8] = []
  ) throws(PluginFailure.Fault) -> PluginFrame {
    do throws(CryptoError) {
      return try PluginFrame(command, arguments, body: body)
    } catch { throw .outOfMemory }
  }

  /// Decodes an argument in Base64; nil if it is invalid.
  private static func text(_ argument: [UInt8]) -> String? {
    var bytes = [UInt8](repeating: 0, count: argument.count)
    var span = bytes.mutableSpan
    guard let count = PluginBase64.decode(argument.span, into: &span, at: 0) else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
