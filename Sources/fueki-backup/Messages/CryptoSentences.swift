internal import FuekiCrypto
internal import FuekiWallet

extension CryptoError {
  /// The cryptographic error, in a few words.
  var sentence: String {
    switch self {
    case .unavailable: "the cryptographic library cannot be started, or lacks an algorithm"
    case .outOfMemory: "there is not enough memory for a secret or for deriving a key"
    case .derivationFailed: "no key can be derived at this cost"
    case .interrupted: "interrupted"
    case .notAuthentic: "sealed bytes do not open: another key sealed them, or they were altered"
    case .invalidKey: "the algorithm does not allow this key"
    case .invalidPoint: "the algorithm does not allow this public key"
    case .invalidLength: "the algorithm does not allow this length"
    case .invalidPassphrase(let problem): "not a valid passphrase: \(problem.sentence)"
    }
  }
}

extension Bech32Error {
  /// The fault of a text, in a few words.
  var sentence: String {
    switch self {
    case .wrongLength: "it has the wrong length"
    case .invalidCharacter: "it has a character that is not allowed"
    case .mixedCase: "it mixes capital and small letters"
    case .noSeparator: "there is no 1 between its two parts"
    case .wrongChecksum: "it does not match its checksum: a character is wrong"
    }
  }
}

extension ExtendedKeyError {
  /// The fault of an extended key, in a few words.
  var sentence: String {
    switch self {
    case .notAKey: "not an extended key"
    case .wrongChecksum: "the extended key does not match its checksum: a character is wrong"
    case .unknownVersion: "not an extended key of a known kind"
    case .privateKey: "the extended key is private"
    case .invalidDepth: "the extended key contradicts itself"
    case .invalidKey: "the extended key holds no key"
    case .hardenedStep: "only the private key has this child"
    case .noSuchChild: "the extended key has no such child"
    case .tooDeep: "a derivation path has at most 255 steps"
    case .seedLength: "a seed has 16 to 64 bytes"
    case .crypto(let error): error.sentence
    }
  }
}
