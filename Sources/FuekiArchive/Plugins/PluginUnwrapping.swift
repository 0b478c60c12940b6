internal import FuekiCrypto

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
