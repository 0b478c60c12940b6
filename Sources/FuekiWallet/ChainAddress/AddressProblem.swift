internal import FuekiCrypto

/// Why an address is invalid.
public enum AddressProblem: Error, Hashable, Sendable {
  /// Its number of characters or bytes is not that of the chain's addresses.
  case wrongLength
  /// It has a character outside the encoding's alphabet.
  case invalidCharacter
  /// It mixes upper and lower case where the encoding forbids it.
  case mixedCase
  /// Its checksum does not verify: a character is wrong.
  case wrongChecksum
  /// It uses Bech32 for a witness version that needs Bech32m, or the other way round.
  case wrongChecksumKind
  /// Its witness version or program does not exist on the chain.
  case invalidWitnessProgram
  /// It belongs to another network.
  case otherNetwork
  /// It resembles none of the chain's addresses.
  case unrecognised

  /// A predicate for people, which follows the address in a sentence.
  public var sentence: String {
    switch self {
    case .wrongLength: "has the wrong length for an address of its chain"
    case .invalidCharacter: "has a character that no address of its chain has"
    case .mixedCase: "mixes capital and small letters"
    case .wrongChecksum: "does not match its checksum: a character is wrong"
    case .wrongChecksumKind: "has the checksum of another witness version"
    case .invalidWitnessProgram: "has a witness program that its chain does not allow"
    case .otherNetwork: "belongs to another network"
    case .unrecognised: "looks like no address of its chain"
    }
  }
}

extension AddressProblem {
  /// Translates an encoding's error.
  init(_ error: Bech32Error) {
    self =
      switch error {
      case .wrongLength: .wrongLength
      case .invalidCharacter: .invalidCharacter
      case .mixedCase: .mixedCase
      case .noSeparator: .unrecognised
      case .wrongChecksum: .wrongChecksum
      }
  }
}
