internal import FuekiCrypto
internal import FuekiWallet

/// The addresses of one public key itself, in every kind that a wallet may have of it.
struct DerivedAddresses {
  /// All of them, in a form that can be compared.
  let keys: Set<AddressKey>
  private let addresses: KeyAddresses

  /// - Throws: ``CryptoError/invalidPoint`` if the bytes are no compressed point of the curve.
  init(of key: [UInt8], on curve: Curve) throws(CryptoError) {
    let addresses = try KeyAddresses(of: key, on: curve)
    var keys: Set<AddressKey> = []
    if let evm = addresses.evm { keys.insert(.evm(evm)) }
    if let solana = addresses.solana { keys.insert(.other(solana)) }
    if curve == .secp256k1 {
      let scripts = Self.otherKinds(of: key)
      for network in BitcoinNetwork.all {
        var texts = addresses.bitcoin(on: network)
        if network.readablePart != nil, let wrapped = scripts.wrapped {
          texts += network.scriptHashVersions.map { Base58Check.encode([$0] + wrapped) }
        }
        if let output = scripts.taproot.flatMap(network.address(of:)) { texts.append(output) }
        if let long = scripts.long { texts.append(Base58Check.encode([network.keyHashVersion] + long)) }
        keys.formUnion(texts.map { .bitcoin(network: network.name, $0) })
      }
    }
    self.addresses = addresses
    self.keys = keys
  }

  /// Derives the key's other kinds of addresses: segregated witness within a script's address (BIP-141), the key in its
  /// long encoding, and an output key that only it spends (BIP-86).
  private static func otherKinds(
    of key: [UInt8]
  ) -> (wrapped: [UInt8]?, long: [UInt8]?, taproot: [UInt8]?) {
    guard let short = try? Hash160.hash(key), let coordinates = try? CurvePoint.uncompressedSecp256k1(key)
    else { return (nil, nil, nil) }
    let taproot = try? Descriptor(parsing: "tr(\(Hex.encode(key.span.extracting(1...))))").scriptPubKey(at: 0)
    return (try? Hash160.hash([0, 20] + short), try? Hash160.hash([4] + coordinates), taproot)
  }

  /// Whether an address as a wallet keeps it is one of the key's.
  func contains(_ address: AddressOfWallet) -> Bool { address.key.map(keys.contains) ?? false }

  /// Returns the key's address on a wallet's chain, for display; nil if it has none there.
  func text(beside address: AddressOfWallet) -> String? {
    switch address.family {
    case .evm: addresses.evm?.description
    case .bitcoin: BitcoinNetwork.named(address.chainID).flatMap { addresses.bitcoin(on: $0).first }
    case .other: addresses.solana
    }
  }

  /// An address of the key without a known chain; empty if it has none.
  var anyText: String { addresses.evm?.description ?? addresses.solana ?? "" }
}

/// An address in the one spelling that it is looked for in.
enum AddressKey: Hashable {
  case evm(EVMAddress)
  case bitcoin(network: String, String)
  case other(String)
}

/// An address as a wallet keeps it.
struct AddressOfWallet {
  let text: String
  let family: ChainFamily
  let chainID: String
  /// Nil if it breaks its chain's rules, or the chain is unknown.
  let key: AddressKey?
  /// Whether it can only be the address of one key, so that another one says something.
  let isOfOneKey: Bool

  init(_ text: String, family: ChainFamily, chainID: String) {
    self.text = text
    self.family = family
    self.chainID = chainID
    switch family {
    case .evm:
      key = (try? EVMAddress(text)).map(AddressKey.evm)
      isOfOneKey = key != nil
    case .bitcoin:
      guard let network = BitcoinNetwork.named(chainID), network.problem(with: text) == nil else {
        key = nil
        isOfOneKey = false
        return
      }
      let segwit = try? SegwitAddress(text)
      // QR codes have it in upper case.
      key = .bitcoin(network: network.name, segwit?.text ?? text)
      isOfOneKey =
        segwit.map { $0.version == 0 && $0.program.count == 20 }
        ?? ((try? Base58Check.decode(text))?.first == network.keyHashVersion)
    case .other(let name):
      key = .other(text)
      isOfOneKey = name == "solana"
    }
  }
}
