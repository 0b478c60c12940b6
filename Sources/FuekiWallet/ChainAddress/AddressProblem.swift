internal import FuekiCrypto

/// What is wrong with an address.
public enum AddressProblem: Error, Hashable, Sendable {
  /// It has another number of characters or bytes than the chain's addresses.
  case wrongLength
  /// It has a character that the encoding has not.
  case invalidCharacter
  /// It mixes capitals and small letters where only one of them may stand.
  case mixedCase
  /// Its checksum does not hold: a character is wrong.
  case wrongChecksum
  /// Its checksum is of the other of Bech32 and Bech32m than its witness version needs.
  case wrongChecksumKind
  /// Its witness version or program is none that the chain has.
  case invalidWitnessProgram
  /// It is an address of another network.
  case otherNetwork
  /// It looks like none of the chain's addresses.
  case unrecognised

  /// One sentence for people, to stand after the address.
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
  /// What an encoding's error means for an address.
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
