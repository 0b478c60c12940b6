/// Why a passphrase is refused.
public enum PassphraseProblem: Error, Hashable {
  /// It has no characters.
  case empty
  /// It is longer than 1024 bytes once normalised.
  case tooLong
  /// It contains U+0000.
  case containsNUL
  /// It is not UTF-8.
  case notText
}
