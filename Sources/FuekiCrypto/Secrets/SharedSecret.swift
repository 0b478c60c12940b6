/// A secret with several holders, or one in an array, where a noncopyable value cannot live.
///
/// The bytes are wiped when the last holder lets go.
public final class SharedSecret: Sendable {
  /// The secret itself.
  public let bytes: SecretBytes

  /// Takes the secret over.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
