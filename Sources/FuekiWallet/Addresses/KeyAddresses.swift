public import FuekiCrypto

/// The addresses of one public key itself, without derivation.
public struct KeyAddresses: Sendable {
  /// The address on Ethereum and compatible chains; nil for curves other than secp256k1.
  public let evm: EVMAddress?
  /// The hash in addresses of Bitcoin's networks.
  ///
  /// Nil for curves other than secp256k1, or if the system's cryptographic library cannot compute it.
  let keyHash: [UInt8]?
  /// The address on Solana, which is the key itself; nil for curves other than Ed25519.
  public let solana: String?

  /// Computes the addresses of a compressed public key.
  ///
  /// Only secp256k1 and Ed25519 keys have any.
  ///
  /// - Throws: ``CryptoError/invalidPoint`` if the bytes are not a point of the curve.
  public init(of key: [UInt8], on curve: Curve) throws(CryptoError) {
    guard CurvePoint.isValid(key, on: curve) else { throw .invalidPoint }
    switch curve {
    case .secp256k1:
      let coordinates = try CurvePoint.uncompressedSecp256k1(key)
      evm = EVMAddress(bytes: Array(Keccak256.hash(coordinates.span).bytes.suffix(20)))
      keyHash = try? Hash160.hash(key)
      solana = nil
    case .ed25519:
      evm = nil
      keyHash = nil
      solana = Base58.encode(key)
    case .p256, .ristretto255, .stark:
      evm = nil
      keyHash = nil
      solana = nil
    }
  }

  /// Returns the network's native segregated witness address (P2WPKH), if it has one, and its P2PKH address.
  public func bitcoin(on network: BitcoinNetwork) -> [String] {
    guard let keyHash else { return [] }
    let segwit = network.readablePart.flatMap { part in
      SegwitAddress(readablePart: part, version: 0, program: keyHash)?.text
    }
    return [segwit, Base58Check.encode([network.keyHashVersion] + keyHash)].compactMap(\.self)
  }

  /// Whether an address, as a wallet stores it, is one of the key's.
  public func contains(_ address: String, family: ChainFamily, chainID: String) -> Bool {
    switch family {
    case .evm: (try? EVMAddress(address)).map { $0 == evm } ?? false
    case .bitcoin:
      BitcoinNetwork.named(chainID).map { network in
        // QR codes have segregated witness addresses in upper case.
        let text = (try? SegwitAddress(address))?.text ?? address
        return bitcoin(on: network).contains(text)
      } ?? false
    case .other: address == solana
    }
  }
}

/// A family of chains with the same address format.
public enum ChainFamily: Hashable, Sendable {
  /// Ethereum and compatible chains; `chain_id` is a decimal number.
  case evm
  /// Bitcoin and chains with its address formats; `chain_id` is a network's name.
  case bitcoin
  /// Any other family, whose addresses are not checked.
  case other(String)

  /// Reads the text of a record's `chain_family`.
  public init(_ text: String) {
    switch text {
    case "evm": self = .evm
    case "bitcoin": self = .bitcoin
    default: self = .other(text)
    }
  }

  /// The text of a record's `chain_family`.
  public var name: String {
    switch self {
    case .evm: "evm"
    case .bitcoin: "bitcoin"
    case .other(let name): name
    }
  }
}

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
