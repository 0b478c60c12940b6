import FuekiCompression
import FuekiCrypto

extension PassphraseProblem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .empty
    case .empty: .tooLong
    case .tooLong: .containsNUL
    case .containsNUL: .notText
    case .notText: nil
    }
  }
}

extension CryptoError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .unavailable
    case .unavailable: .outOfMemory
    case .outOfMemory: .derivationFailed
    case .derivationFailed: .interrupted
    case .interrupted: .notAuthentic
    case .notAuthentic: .invalidKey
    case .invalidKey: .invalidPoint
    case .invalidPoint: .invalidLength
    case .invalidLength: .invalidPassphrase(.empty)
    case .invalidPassphrase: nil
    }
  }

  static var everything: [Self] { all + PassphraseProblem.all.map(Self.invalidPassphrase) }
}

extension Bech32Error: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .wrongLength
    case .wrongLength: .invalidCharacter
    case .invalidCharacter: .mixedCase
    case .mixedCase: .noSeparator
    case .noSeparator: .wrongChecksum
    case .wrongChecksum: nil
    }
  }
}

extension AgeKeyError.Problem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .otherKind
    case .otherKind: .encoding(.wrongLength)
    case .encoding: .notOneKey
    case .notOneKey: nil
    }
  }
}

extension AgeKeyError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .recipient(.otherKind)
    case .recipient: .identity(line: 3, .notOneKey)
    case .identity: .encryptedFile
    case .encryptedFile: .noIdentity
    case .noIdentity: .crypto(.outOfMemory)
    case .crypto: nil
    }
  }

  static var everything: [Self] {
    all + Problem.all.map(Self.recipient) + Bech32Error.all.map { .identity(line: 3, .encoding($0)) }
      + CryptoError.everything.map(Self.crypto)
  }
}

extension SLIP39Error: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .wordCount(3)
    case .wordCount: .unknownWord(place: 3)
    case .unknownWord: .checksum
    case .checksum: .padding
    case .padding: .parameters
    case .parameters: .otherSet(share: 3)
    case .otherSet: .duplicateMember(share: 3)
    case .duplicateMember: .tooFew(have: 1, need: 2)
    case .tooFew: .tooFewGroups(have: 1, need: 2)
    case .tooFewGroups: .digest
    case .digest: .crypto(.invalidLength)
    case .crypto: nil
    }
  }
}

extension CompressionError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notOneFrame
    case .notOneFrame: .wrongLength
    case .wrongLength: .windowTooLarge(3)
    case .windowTooLarge: .contentTooLarge(3)
    case .contentTooLarge: .hasChecksum
    case .hasChecksum: .hasDictionary
    case .hasDictionary: .noContentSize
    case .noContentSize: .damaged
    case .damaged: .unavailable
    case .unavailable: nil
    }
  }
}
