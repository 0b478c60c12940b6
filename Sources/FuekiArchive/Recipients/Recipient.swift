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

  /// Draws what is random in a slot's parameters, and derives the secret that goes with them.
  func wrap(_ randomness: RandomSource) throws(CryptoError) -> WrappingSecret
}

/// The secret that wraps a slot's root keys, and the parameters that lead to it again.
public struct WrappingSecret: Sendable {
  /// As they stand in the slot.
  public let parameters: [UInt8]
  /// What the wrapping key is derived from.
  public let secret: SharedSecret

  /// What ``Recipient/wrap(_:)`` drew and derived.
  public init(parameters: [UInt8], secret: SharedSecret) {
    self.parameters = parameters
    self.secret = secret
  }
}

/// A recipient as age writes it, of whatever kind.
public enum RecipientText {
  /// Reads a public key, all in small letters or all in capitals.
  ///
  /// - Throws: ``AgeKeyError/recipient(_:)``, or ``CryptoError`` for a key that nobody could open anything with.
  public static func read(_ text: String) throws -> any Recipient {
    let named = try AgeKey.recipient(text)
    for kind in SlotKind.all {
      guard case .key(named.form, let recipient) = kind.holder else { continue }
      return try recipient(named.key)
    }
    throw AgeKeyError.recipient(.otherKind)
  }
}
