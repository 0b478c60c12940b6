public import FuekiBackup
public import FuekiCrypto
public import FuekiSystem

/// Why a keychain cannot be used.
public enum KeychainError: Error, Equatable, Sendable {
  /// There is no keychain.
  case notThere(path: String)
  /// There already is one.
  case alreadyThere(path: String)
  /// The file is not a keychain, or its bytes were altered.
  case damaged(path: String)
  /// It was written by a newer version of the program.
  case newer(version: UInt16, path: String)
  /// Its slots need a passphrase or key file that was not given.
  case missingSecret
  /// No slot opens with the given secrets.
  ///
  /// The file itself is intact.
  case wrongSecret
  /// A slot's derivation exceeds the limits, or the file exceeds its own.
  case overLimit(path: String)
  /// Another program changed it since it was read.
  case changedMeanwhile(path: String)
  /// There are no slots, or more than allowed.
  case slotCount(Int)
  /// A secret cannot be kept: no memory, or beyond the limits.
  case crypto(CryptoError)
  /// The system refused a file operation.
  case system(SystemError)

  /// The error as a collector's, if it concerns the keychain rather than the system.
  public var problem: CollectError.KeychainProblem? {
    switch self {
    case .notThere: .notThere
    case .damaged, .overLimit: .damaged
    case .newer: .newer
    case .missingSecret: .missingSecret
    case .wrongSecret: .wrongSecret
    case .alreadyThere, .changedMeanwhile, .slotCount, .crypto, .system: nil
    }
  }
}
