public import FuekiCrypto

/// The secret that wraps a slot's root keys, and the parameters to derive it again.
public struct WrappingSecret: Sendable {
  /// The encoded parameters of the slot.
  public let parameters: [UInt8]
  /// The input of the wrapping key's derivation.
  public let secret: SharedSecret
  /// Whether the slot withstands quantum computers, if its type does not tell.
  public let isForTheLongTerm: Bool?

  /// Creates the result of ``Recipient/wrap(_:)``.
  public init(parameters: [UInt8], secret: SharedSecret, isForTheLongTerm: Bool? = nil) {
    self.parameters = parameters
    self.secret = secret
    self.isForTheLongTerm = isForTheLongTerm
  }
}
