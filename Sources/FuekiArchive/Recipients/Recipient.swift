public import FuekiCrypto

/// A recipient of sealed archives, like a recipient in age: it creates slots and opens none.
///
/// A type of slot is one file with its recipient, its ``Identity`` and its ``SlotKind``, and a line in
/// ``SlotKind/all``.
public protocol Recipient: Sendable {
  /// The type of its slots.
  var type: SlotType { get }
  /// Its public part as a line of text; nil if only a secret identifies it.
  var text: String? { get }
  /// The cost of a slot's derivation; nil if no passphrase is involved.
  var cost: Argon2id.Cost? { get }
  /// Whether its slots withstand quantum computers, as far as known in advance.
  var isForTheLongTerm: Bool { get }
  /// The secrets that open its slots if the writer has them, such as a passphrase; nil for a public key.
  var opener: UnlockingSecrets? { get }
  /// The digest of an archive that the opener has opened; nil if it was not tried.
  var openedArchive: Digest? { get }

  /// Draws the random parts of a slot's parameters, and derives the matching secret.
  ///
  /// - Throws: ``CryptoError``; ``PluginFailure`` if another program does it.
  func wrap(_ randomness: RandomSource) throws -> WrappingSecret
}

extension Recipient {
  /// Defaults to the type's property.
  public var isForTheLongTerm: Bool { type.isForTheLongTerm }
  /// Nil: the writer need not have the secret that opens the slot.
  public var opener: UnlockingSecrets? { nil }
  /// Nil: it was not tried.
  public var openedArchive: Digest? { nil }
}

/// A recipient of any kind in age's text format.
public enum RecipientText {
  /// Reads a public key in all lower or all upper case, or a plugin's recipient in lower case.
  ///
  /// - Parameters:
  ///   - text: `age1…`.
  ///   - plugins: runs a plugin's program when a slot is created.
  /// - Returns: a recipient.
  /// - Throws: ``AgeKeyError/recipient(_:)``, or ``CryptoError`` for a key whose slots could never be opened.
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
