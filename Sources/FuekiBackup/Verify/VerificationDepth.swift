/// The depth of a verification.
public enum VerificationDepth: String, CaseIterable, Sendable {
  /// Sizes and header.
  case structure
  /// Every byte, with no key.
  case checksums
  /// With a secret: every tag, record and digest.
  case contents
}
