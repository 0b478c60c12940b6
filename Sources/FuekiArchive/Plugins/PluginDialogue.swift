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

/// A two-way connection to a plugin.
package protocol PluginChannel: AnyObject {
  /// Waits for bytes; returns 0 at the end of the output.
  func read(into buffer: inout MutableSpan<UInt8>) throws(PluginFailure.Fault) -> Int
  func write(_ bytes: Span<UInt8>) throws(PluginFailure.Fault)
  /// Returns how the plugin ended, after the end of its output.
  func finish() -> PluginFailure.Fault
}

/// The state machine `recipient-v1`, which sends a file key and receives stanzas.
struct PluginWrapping {
  /// The recipient of the wrapped key.
  enum Target: Sendable {
    case recipient(AgePluginRecipient)
    /// The holder of an identity, when a slot is created again.
    case identity(AgePluginIdentity)

    var name: String {
      switch self {
      case .recipient(let recipient): recipient.name
      case .identity(let identity): identity.name
      }
    }
  }

  let parameters: PluginParameters
  /// Whether the plugin states that its stanzas withstand quantum computers.
  let isPostQuantum: Bool

  init(_ fileKey: SharedSecret, to target: Target, _ plugins: AgePlugins) throws(PluginFailure) {
    let program = "age-plugin-\(target.name)"
    do throws(PluginFailure.Fault) {
      try self.init(of: fileKey, to: target, plugins)
    } catch { throw PluginFailure(program: program, fault: error) }
  }

  private init(
    of fileKey: SharedSecret, to target: Target, _ plugins: AgePlugins
  ) throws(PluginFailure.Fault) {
    var dialogue = try PluginDialogue(target.name, "recipient-v1", plugins)
    let opening: [PluginFrame]
    do throws(CryptoError) {
      let target =
        switch target {
        case .recipient(let recipient): try PluginFrame("add-recipient", [Array(recipient.text.utf8)])
        case .identity(let identity): try PluginFrame("add-identity", [identity.argument])
        }
      opening = [
        target, PluginFrame("wrap-file-key", secret: fileKey), try PluginFrame("extension-labels"),
      ]
    } catch { throw .outOfMemory }

    var stanzas: [PluginStanza] = []
    var labels: [[UInt8]]?
    try dialogue.run(opening) { (frame) throws(PluginFailure.Fault) in
      switch frame.command {
      case "recipient-stanza":
        guard frame.arguments.count > 2, frame.arguments[1] == .label("0") else { throw .broke(.outOfPlace) }
        let stanza = PluginStanza(arguments: Array(frame.arguments.dropFirst(2)), body: frame.publicBody)
        guard let stanza, stanzas.count < PluginParameters.stanzaCounts.upperBound else {
          throw .broke(.stanzas)
        }
        stanzas.append(stanza)
      case "labels":
        let given = Array(frame.arguments.dropFirst())
        guard labels == nil, Set(given).count == given.count else { throw .broke(.outOfPlace) }
        labels = given
      default: return false
      }
      return true
    }
    if dialogue.refusal != nil, let reason = dialogue.reason { throw reason }
    guard !stanzas.isEmpty else { throw dialogue.reason ?? .noKey }
    guard let parameters = PluginParameters(stanzas) else { throw .broke(.stanzas) }
    self.parameters = parameters
    isPostQuantum = labels?.contains(.label("postquantum")) ?? false
  }
}

extension AgePluginIdentity {
  /// The identity as an argument of a command.
  ///
  /// It may itself be a key, so it is only sent over a pipe.
  var argument: [UInt8] { text.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}

/// The state machine `identity-v1`, which sends the stanzas of several slots and receives file keys.
enum PluginUnwrapping {
  /// A plugin's file keys.
  struct Keys: Sendable {
    /// The keys by the slot's index among those sent, from 0.
    let keys: [Int: SharedSecret]
    /// Why there are no more keys.
    let fault: PluginFailure.Fault
  }

  static let fileKeyByteCount = 16

  /// Requests the file keys of all slots in one session.
  static func keys(
    of slots: [PluginParameters], with identity: AgePluginIdentity, _ plugins: AgePlugins
  ) throws(PluginFailure.Fault) -> Keys {
    var dialogue = try PluginDialogue(identity.name, "identity-v1", plugins)
    var opening: [PluginFrame] = []
    do throws(CryptoError) {
      opening.append(try PluginFrame("add-identity", [identity.argument]))
      for (index, slot) in slots.enumerated() {
        for stanza in slot.stanzas {
          opening.append(
            try PluginFrame(
              "recipient-stanza", [Array("\(index)".utf8)] + stanza.arguments, body: stanza.body))
        }
      }
    } catch { throw .outOfMemory }

    var keys: [Int: SharedSecret] = [:]
    var hasWrongLength = false
    try dialogue.run(opening) { (frame) throws(PluginFailure.Fault) in
      guard frame.command == "file-key" else { return false }
      let index = frame.arguments.count == 2 ? Int(String(decoding: frame.arguments[1], as: UTF8.self)) : nil
      guard let index, slots.indices.contains(index), frame.arguments[1] == Array("\(index)".utf8),
        keys[index] == nil
      else { throw .broke(.outOfPlace) }
      guard frame.body.bytes.count == fileKeyByteCount else {
        hasWrongLength = true
        return true
      }
      keys[index] = frame.body
      return true
    }
    return Keys(keys: keys, fault: dialogue.reason ?? (hasWrongLength ? .wrongKey : .noKey))
  }
}
