internal import FuekiCrypto

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
