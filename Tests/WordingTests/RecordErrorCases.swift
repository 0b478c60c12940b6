import FuekiCrypto
import FuekiWallet

extension WireError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .truncated
    case .truncated: .varintNotMinimal
    case .varintNotMinimal: .invalidTag
    case .invalidTag: .wrongType(field: 3)
    case .wrongType: .repeated(field: 3)
    case .repeated: .invalidValue(field: 3)
    case .invalidValue: nil
    }
  }
}

extension FramingError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .truncated(offset: 3)
    case .truncated: .lengthNotMinimal(offset: 3)
    case .lengthNotMinimal: .tooLong(offset: 3)
    case .tooLong: nil
    }
  }
}

extension SecretRecordError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .malformed(.truncated)
    case .malformed: .missing(field: 3)
    case .missing: .outOfMemory
    case .outOfMemory: nil
    }
  }

  static var everything: [Self] { all + WireError.all.map(Self.malformed) }
}

extension ManifestError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .tooLong(byteCount: 3)
    case .tooLong: .unreachable(byteCount: 3)
    case .unreachable: .notEncodable
    case .notEncodable: nil
    }
  }
}

extension SelectionError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .unknown(name: "walets", nearest: "wallets")
    case .unknown: .manifestIsNeeded
    case .manifestIsNeeded: nil
    }
  }
}

extension AddressProblem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .wrongLength
    case .wrongLength: .invalidCharacter
    case .invalidCharacter: .mixedCase
    case .mixedCase: .wrongChecksum
    case .wrongChecksum: .wrongChecksumKind
    case .wrongChecksumKind: .invalidWitnessProgram
    case .invalidWitnessProgram: .otherNetwork
    case .otherNetwork: .unrecognised
    case .unrecognised: nil
    }
  }
}

extension DescriptorError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .tooLong
    case .tooLong: .invalidCharacter
    case .invalidCharacter: .noChecksum
    case .noChecksum: .wrongChecksum
    case .wrongChecksum: .syntax
    case .syntax: .unsupported(name: "musig")
    case .unsupported: .misplaced(name: "sh")
    case .misplaced: .invalidKey
    case .invalidKey: .privateKey
    case .privateKey: .uncompressedKey
    case .uncompressedKey: .invalidOrigin
    case .invalidOrigin: .invalidStep
    case .invalidStep: .hardenedStep
    case .hardenedStep: .invalidMultipath
    case .invalidMultipath: .invalidThreshold
    case .invalidThreshold: .invalidScript
    case .invalidScript: .address(.mixedCase)
    case .address: .noAddress
    case .noAddress: .otherNetwork
    case .otherNetwork: .noSuchBranch
    case .noSuchBranch: .noSuchIndex
    case .noSuchIndex: .crypto(.invalidKey)
    case .crypto: nil
    }
  }
}

extension ExtendedKeyError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notAKey
    case .notAKey: .wrongChecksum
    case .wrongChecksum: .unknownVersion
    case .unknownVersion: .privateKey
    case .privateKey: .invalidDepth
    case .invalidDepth: .invalidKey
    case .invalidKey: .hardenedStep
    case .hardenedStep: .noSuchChild
    case .noSuchChild: .tooDeep
    case .tooDeep: .seedLength
    case .seedLength: .crypto(.invalidKey)
    case .crypto: nil
    }
  }
}

extension JSONError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .tooLong(byteCount: 3)
    case .tooLong: .truncated(offset: 3)
    case .truncated: .unexpected(offset: 3)
    case .unexpected: .tooDeep(offset: 3)
    case .tooDeep: .invalidNumber(offset: 3)
    case .invalidNumber: .invalidText(offset: 3)
    case .invalidText: .repeatedName(offset: 3)
    case .repeatedName: .trailing(offset: 3)
    case .trailing: .tooManyValues(limit: 3)
    case .tooManyValues: nil
    }
  }
}
