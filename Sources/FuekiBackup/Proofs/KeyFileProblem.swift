/// Why a file with a private key stays closed.
public enum KeyFileProblem: Error, Hashable, Sendable {
  /// No password was given.
  case noPassword
  /// Every given password is wrong.
  case wrongPassword
  /// Deriving its key would cost more than for any real file.
  case tooCostly
  /// Its cipher, or what makes its key of a password, is not computed here.
  case unknownScheme
  /// It cannot be read, and why.
  case damaged(String)
}
