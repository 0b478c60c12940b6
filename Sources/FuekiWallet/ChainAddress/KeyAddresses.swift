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
