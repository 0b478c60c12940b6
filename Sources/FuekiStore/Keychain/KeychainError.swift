public import FuekiBackup
public import FuekiCrypto
public import FuekiSystem

/// What stops the use of a keychain.
public enum KeychainError: Error, Equatable, Sendable {
  /// There is no keychain.
  case notThere(path: String)
  /// There is one already.
  case alreadyThere(path: String)
  /// The file is not a keychain, or its bytes are not as they were written.
  case damaged(path: String)
  /// A newer version of the program wrote it.
  case newer(version: UInt16, path: String)
  /// Its slots ask for something that was not given: a passphrase or a key file.
  case missingSecret
  /// No slot opens with what was given; the file itself is whole.
  case wrongSecret
  /// A slot asks for a derivation beyond the limits, or the file is beyond its own.
  case overLimit(path: String)
  /// Another program changed it since it was read.
  case changedMeanwhile(path: String)
  /// Nothing would open it, or more slots than it may have.
  case slotCount(Int)
  /// A secret cannot be kept: no memory for it, or beyond the limits.
  case crypto(CryptoError)
  /// The system refused a file operation.
  case system(SystemError)

  /// The same for a backup, where it is a matter of the keychain and not of the system.
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
