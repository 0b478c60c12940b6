public import FuekiCrypto

/// The addresses that belong to one public key itself, with no path derived from it.
public struct KeyAddresses: Sendable {
  /// The address on Ethereum and the chains that follow it; nil for keys of other curves than secp256k1.
  public let evm: EVMAddress?
  /// What addresses of Bitcoin's networks have in them; nil for keys of other curves, or where the system's
  /// cryptographic library cannot compute it.
  let keyHash: [UInt8]?
  /// The address on Solana, which is the key itself; nil for keys of other curves than Ed25519.
  public let solana: String?

  /// Finds the addresses of a compressed public key; a key of another curve than secp256k1 and Ed25519 has none.
  ///
  /// - Throws: ``CryptoError/invalidPoint`` where the bytes are no point of the curve.
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

  /// The native segregated witness address (P2WPKH) and the older one (P2PKH) on a network, as far as it has them.
  public func bitcoin(on network: BitcoinNetwork) -> [String] {
    guard let keyHash else { return [] }
    let segwit = network.readablePart.flatMap { part in
      SegwitAddress(readablePart: part, version: 0, program: keyHash)?.text
    }
    return [segwit, Base58Check.encode([network.keyHashVersion] + keyHash)].compactMap(\.self)
  }

  /// Whether an address as a wallet keeps it is one of the key's.
  public func contains(_ address: String, family: ChainFamily, chainID: String) -> Bool {
    switch family {
    case .evm: (try? EVMAddress(address)).map { $0 == evm } ?? false
    case .bitcoin:
      BitcoinNetwork.named(chainID).map { network in
        // In codes for cameras a segregated witness address stands in capitals.
        let text = (try? SegwitAddress(address))?.text ?? address
        return bitcoin(on: network).contains(text)
      } ?? false
    case .other: address == solana
    }
  }
}
