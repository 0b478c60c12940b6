public import FuekiCrypto

/// Who an archive is sealed to: makes slots, and opens none.
///
/// As age has it. A type of slot is one file with its recipient, its ``Identity`` and its ``SlotKind``, and a line
/// in ``SlotKind/all``.
public protocol Recipient: Sendable {
  /// The type of the slots that are made for it.
  var type: SlotType { get }
  /// Its public side as a line of text; nil where only a secret tells who it is.
  var text: String? { get }
  /// What a slot's derivation costs; nil where nothing is derived from a passphrase.
  var cost: Argon2id.Cost? { get }
  /// Whether quantum computers do not open what is sealed to it, as far as that is known before.
  var isForTheLongTerm: Bool { get }
  /// What opens its slots, where whoever seals has that: a passphrase; nil of a public key.
  var opener: UnlockingSecrets? { get }
  /// The digest of an archive that the opener was found to open; nil where it was tried on none.
  var openedArchive: Digest? { get }

  /// Draws what is random in a slot's parameters, and derives the secret that goes with them.
  ///
  /// - Throws: ``CryptoError``; ``PluginFailure`` where another program does it.
  func wrap(_ randomness: RandomSource) throws -> WrappingSecret
}

extension Recipient {
  /// As its type is.
  public var isForTheLongTerm: Bool { type.isForTheLongTerm }
  /// Nothing: who seals to a key need not have what opens it.
  public var opener: UnlockingSecrets? { nil }
  /// None: it was not tried.
  public var openedArchive: Digest? { nil }
}

/// The secret that wraps a slot's root keys, and the parameters that lead to it again.
public struct WrappingSecret: Sendable {
  /// As they stand in the slot.
  public let parameters: [UInt8]
  /// What the wrapping key is derived from.
  public let secret: SharedSecret
  /// Whether quantum computers do not open the slot, where its type does not say so.
  public let isForTheLongTerm: Bool?

  /// What ``Recipient/wrap(_:)`` drew and derived.
  public init(parameters: [UInt8], secret: SharedSecret, isForTheLongTerm: Bool? = nil) {
    self.parameters = parameters
    self.secret = secret
    self.isForTheLongTerm = isForTheLongTerm
  }
}

/// A recipient as age writes it, of whatever kind.
public enum RecipientText {
  /// Reads a public key, all in small letters or all in capitals, or a plugin's recipient in small letters.
  ///
  /// - Parameters:
  ///   - text: `age1…`.
  ///   - plugins: how a plugin's program is run when a slot is made for it.
  /// - Returns: who slots can be made for.
  /// - Throws: ``AgeKeyError/recipient(_:)``, or ``CryptoError`` for a key that nobody could open anything with.
  public static func read(
    _ text: String, plugins: AgePlugins = .unattended
  ) throws -> any Recipient {
    if let plugin = try AgePluginRecipient(text) { return PluginRecipient(plugin, plugins) }
    let named = try AgeKey.recipient(text)
    for kind in SlotKind.all {
      guard case .key(named.form, let recipient) = kind.holder else { continue }
      return try recipient(named.key)
    }
    throw AgeKeyError.recipient(.otherKind)
  }
}
