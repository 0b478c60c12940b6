internal import FuekiSystem
public import FuekiCrypto

extension SlotType {
  /// A file key wrapped by an age plugin, usually with a key in hardware.
  public static let agePlugin = SlotType(rawValue: 7)
}

extension SlotKind {
  /// Type 7: age stanzas created by a plugin.
  static let agePlugin = SlotKind(
    // Only the plugin knows whether its stanzas withstand quantum computers.
    type: .agePlugin, name: "age-plugin", isForTheLongTerm: false, holder: .plugin,
    advice: SlotAdvice(
      opener: "an age plugin’s identity, with its hardware key", note: "where the device is, and its PIN",
      option: "--identity F, an age plugin’s identity file", asksForPassphrase: false),
    facts: { PluginParameters($0) == nil ? nil : SlotFacts() },
    identities: { given in given.plugins })
}

/// A recipient of an age plugin, whose program runs each time that a slot is created.
public struct PluginRecipient: Recipient {
  let target: PluginWrapping.Target
  let plugins: AgePlugins
  /// Whether the user states that the plugin's stanzas withstand quantum computers.
  public private(set) var isForTheLongTerm = false

  /// Creates a recipient from a plugin's recipient and a way to run its program.
  public init(_ recipient: AgePluginRecipient, _ plugins: AgePlugins) {
    target = .recipient(recipient)
    self.plugins = plugins
  }

  init(again identity: AgePluginIdentity, _ plugins: AgePlugins) {
    target = .identity(identity)
    self.plugins = plugins
  }

  /// Always ``SlotType/agePlugin``.
  public var type: SlotType { .agePlugin }
  /// Nil: no passphrase is involved.
  public var cost: Argon2id.Cost? { nil }
  /// Nil if only an identity is known.
  public var text: String? {
    if case .recipient(let recipient) = target { recipient.text } else { nil }
  }

  /// Returns the recipient with the user's statement that its stanzas withstand quantum computers.
  public func declaredForTheLongTerm() -> PluginRecipient {
    var declared = self
    declared.isForTheLongTerm = true
    return declared
  }

  /// Draws a file key, which the plugin wraps.
  ///
  /// - Throws: ``PluginFailure``, ``CryptoError``.
  public func wrap(_ randomness: RandomSource) throws -> WrappingSecret {
    let fileKey = try randomness.secret(PluginUnwrapping.fileKeyByteCount)
    let wrapped = try PluginWrapping(fileKey, to: target, plugins)
    return WrappingSecret(
      parameters: wrapped.parameters.encoded, secret: fileKey,
      isForTheLongTerm: isForTheLongTerm || wrapped.isPostQuantum)
  }
}

/// A plugin's identity with a cache of its file keys, so that a hardware key is touched once per archive.
public final class PluginIdentity: Identity, Sendable {
  private let identity: AgePluginIdentity
  private let plugins: AgePlugins
  private let known = Locked<[[[UInt8]]: Result<PluginUnwrapping.Keys, PluginFailure.Fault>]>([:])

  /// Creates an identity from a plugin's identity and a way to run its program.
  public init(_ identity: AgePluginIdentity, _ plugins: AgePlugins) {
    self.identity = identity
    self.plugins = plugins
  }

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    let keys: PluginUnwrapping.Keys
    do throws(PluginFailure.Fault) {
      keys = try self.keys(of: slot).get()
    } catch {
      if case .system(let error) = error, error.isInterrupted { throw .unreadable(error) }
      throw failure(error)
    }
    guard let key = keys.keys[slot.peer] else { throw failure(keys.fault) }
    return UnwrappingSecret(
      secret: key, again: PluginRecipient(again: identity, plugins), otherwise: failure(.wrongKey))
  }

  /// Requests the file keys of slots' parameters from the plugin.
  ///
  /// - Throws: ``PluginFailure/Fault``.
  /// - Returns: the keys that the plugin returned, in the slots' order.
  package func fileKeys(of slots: [[UInt8]]) throws -> [[UInt8]] {
    let parameters = slots.compactMap { PluginParameters($0) }
    let found = try PluginUnwrapping.keys(of: parameters, with: identity, plugins)
    return found.keys.sorted { $0.key < $1.key }.map { _, key in
      key.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
  }

  private func failure(_ fault: PluginFailure.Fault) -> ArchiveError {
    .pluginFailed(PluginFailure(program: "age-plugin-\(identity.name)", fault: fault))
  }

  private func keys(of slot: SlotPlace) -> Result<PluginUnwrapping.Keys, PluginFailure.Fault> {
    if let found = known.withLock({ $0[slot.peers] }) { return found }
    let found = Result { () throws(PluginFailure.Fault) in
      let parameters = slot.peers.compactMap { PluginParameters($0) }
      guard parameters.count == slot.peers.count else { throw .broke(.stanzas) }
      return try PluginUnwrapping.keys(of: parameters, with: identity, plugins)
    }
    known.withLock { $0[slot.peers] = found }
    return found
  }
}

/// An age stanza as stored in a slot of type 7 (fueki-archive(5), SLOTS).
struct PluginStanza: Equatable, Sendable {
  static let argumentLimit = 16
  static let argumentBytes = 1...2048
  static let bodyBytes = 0...4096

  /// The first is the stanza's type.
  let arguments: [[UInt8]]
  let body: [UInt8]

  /// Nil if a slot may not hold it.
  init?(arguments: [[UInt8]], body: [UInt8]) {
    guard 1...Self.argumentLimit ~= arguments.count, Self.bodyBytes ~= body.count,
      arguments.allSatisfy(Self.isArgument)
    else { return nil }
    self.arguments = arguments
    self.body = body
  }

  static func isArgument(_ bytes: [UInt8]) -> Bool {
    argumentBytes ~= bytes.count && bytes.allSatisfy { 0x21...0x7e ~= $0 }
  }
}

/// Parameters of slot type 7: a plugin's stanzas for one file key.
package struct PluginParameters: Equatable, Sendable {
  static let stanzaCounts = 1...4
  static let mostBytes = 16_384

  let stanzas: [PluginStanza]

  init?(_ stanzas: [PluginStanza]) {
    guard Self.stanzaCounts ~= stanzas.count else { return nil }
    self.stanzas = stanzas
    guard encoded.count <= Self.mostBytes else { return nil }
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes else { return nil }
    var reader = ByteReader(bytes)
    var stanzas: [PluginStanza] = []
    do {
      let count = Int(try reader.u8())
      guard Self.stanzaCounts ~= count else { return nil }
      for _ in 0..<count {
        var arguments: [[UInt8]] = []
        for _ in 0..<(try reader.u8()) { arguments.append(try reader.bytes(Int(try reader.u16()))) }
        let body = try reader.bytes(Int(try reader.u16()))
        guard let stanza = PluginStanza(arguments: arguments, body: body) else { return nil }
        stanzas.append(stanza)
      }
      try reader.finish()
    } catch { return nil }
    self.stanzas = stanzas
  }

  var encoded: [UInt8] {
    var bytes = [UInt8(stanzas.count)]
    for stanza in stanzas {
      bytes.append(UInt8(stanza.arguments.count))
      for argument in stanza.arguments {
        bytes.append(littleEndian: UInt16(argument.count))
        bytes += argument
      }
      bytes.append(littleEndian: UInt16(stanza.body.count))
      bytes += stanza.body
    }
    return bytes
  }
}

extension PluginParameters {
  /// Returns a slot's parameters re-encoded; nil if they are invalid.
  package static func encodedAgain(_ bytes: [UInt8]) -> [UInt8]? { PluginParameters(bytes)?.encoded }
}
