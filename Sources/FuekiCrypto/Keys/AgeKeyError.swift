/// Why a text is not a usable age key.
public enum AgeKeyError: Error, Equatable, Sendable {
  /// The recipient is invalid.
  case recipient(Problem)
  /// The line of an identity file, counted from 1, is neither a comment nor a usable identity.
  case identity(line: Int, Problem)
  /// The identity file is itself encrypted.
  case encryptedFile
  /// The identity file has no identity.
  case noIdentity
  /// Memory for a secret could not be allocated.
  case crypto(CryptoError)

  /// Why a single key is invalid.
  public enum Problem: Error, Equatable, Sendable {
    /// Its prefix is not supported here: a plugin's key, an SSH key, or no key.
    case otherKind
    /// It is mistyped or truncated.
    case encoding(Bech32Error)
    /// Its length is wrong for its kind, or its encoding is not canonical.
    case notOneKey
  }
}
