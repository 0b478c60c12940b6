/// An age private key.
public struct AgeIdentity: Sendable {
  /// The kind of key.
  public let form: AgeKeyForm
  /// The key's bytes: 32 if read by ``AgeKey/identities(in:)``.
  public let key: SharedSecret

  /// Creates an identity from a key of another source.
  public init(_ form: AgeKeyForm, _ key: SharedSecret) {
    self.form = form
    self.key = key
  }

  /// An X25519 private key.
  public static func x25519(_ key: SharedSecret) -> AgeIdentity { AgeIdentity(.x25519, key) }
}
