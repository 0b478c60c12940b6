import FuekiBackup
import FuekiCrypto

extension SigningKeyError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .malformed
    case .malformed: .newer("title")
    case .newer: .overLimit
    case .overLimit: .needsPassphrase
    case .needsPassphrase: .wrongPassphrase
    case .wrongPassphrase: .anotherKey
    case .anotherKey: .crypto(.outOfMemory)
    case .crypto: nil
    }
  }
}

extension SignedCheckpoint.Problem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .malformed
    case .malformed: .notAuthentic
    case .notAuthentic: .untrusted
    case .untrusted: nil
    }
  }
}

extension SignerList.Problem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noSigner(line: 3)
    case .noSigner: .empty
    case .empty: nil
    }
  }
}
