/// A secret with several owners, or in an array, which noncopyable values do not allow.
///
/// The bytes are wiped when the last owner releases them.
public final class SharedSecret: Sendable {
  /// The secret.
  public let bytes: SecretBytes

  /// Takes ownership of the secret.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
