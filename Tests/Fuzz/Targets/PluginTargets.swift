internal import ArchiveSupport
internal import FuekiArchive
internal import FuekiCrypto

extension FuzzTarget {
  private static let identity = Array("AGE-PLUGIN-FUEKITEST-1PKC2Q5UKNA4JR2JNF03XUYSMQYQQRX82Y2".utf8)

  /// An age plugin's output, as stored in a slot.
  static let stanzas = FuzzTarget("stanzas") { bytes in
    guard let again = PluginParameters.encodedAgain(bytes) else { return }
    precondition(again == bytes, "a plugin's stanzas encode to other bytes")
  }

  /// An age plugin's messages to a writer and to a reader.
  static let plugin = FuzzTarget("plugin") { bytes in
    let plugins = AgePlugins { (_, _) in RecordedPlugin(bytes) }
    let recipient = try AgePluginRecipient("age1fuekitest1pkc2q5ukna4jr2jnf03xuysmqyqqqnymsu")
    guard let recipient else { preconditionFailure("the recipient is one") }
    if let parameters = try? PluginRecipient(recipient, plugins).wrap(.system).parameters {
      precondition(PluginParameters.encodedAgain(parameters) == parameters, "stanzas that no slot may keep")
    }
    let line = try SecretBytes(copying: identity.span)
    guard let identity = try AgeKey.identities(in: line).plugins.first else {
      preconditionFailure("the identity is one")
    }
    let slot: [UInt8] = [1, 1, 1, 0, 0x61, 0, 0]
    let keys = try PluginIdentity(identity, plugins).fileKeys(of: [slot, slot])
    precondition(keys.count <= 2 && keys.allSatisfy { $0.count == 16 }, "a plugin's file key has 16 bytes")
  }
}
