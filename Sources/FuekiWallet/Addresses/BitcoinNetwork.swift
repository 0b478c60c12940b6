/// A network of Bitcoin, or of a chain with the same address formats, and its address prefixes.
public struct BitcoinNetwork: Equatable, Sendable {
  /// The network's name in a wallet's `chain_id`.
  public let name: String
  /// Aliases, and names of networks with identical addresses.
  package let otherNames: [String]
  /// The version byte of Base58Check addresses for a key hash.
  public let keyHashVersion: UInt8
  /// The version bytes of Base58Check addresses for a script hash.
  ///
  /// The first one is used for writing.
  public let scriptHashVersions: [UInt8]
  /// The readable part of Bech32 addresses; nil if the network has none.
  public let readablePart: String?
  /// The readable part of Litecoin's extension block addresses, which are accepted unchecked.
  let extensionBlockPart: String?

  /// All known networks.
  public static let all = [
    BitcoinNetwork(
      name: "bitcoin", otherNames: ["mainnet", "main", "bitcoin-mainnet"], keyHashVersion: 0,
      scriptHashVersions: [5], readablePart: "bc", extensionBlockPart: nil),
    BitcoinNetwork(
      name: "bitcoin-testnet",
      otherNames: ["testnet", "test", "testnet4", "bitcoin-testnet4", "signet", "bitcoin-signet"],
      keyHashVersion: 111, scriptHashVersions: [196], readablePart: "tb", extensionBlockPart: nil),
    BitcoinNetwork(
      name: "bitcoin-regtest", otherNames: ["regtest"], keyHashVersion: 111, scriptHashVersions: [196],
      readablePart: "bcrt", extensionBlockPart: nil),
    // Litecoin's first script addresses had Bitcoin's version byte, and are still valid.
    BitcoinNetwork(
      name: "litecoin", otherNames: ["litecoin-mainnet"], keyHashVersion: 48, scriptHashVersions: [50, 5],
      readablePart: "ltc", extensionBlockPart: "ltcmweb"),
    BitcoinNetwork(
      name: "litecoin-testnet", otherNames: [], keyHashVersion: 111, scriptHashVersions: [58, 196],
      readablePart: "tltc", extensionBlockPart: "tmweb"),
    BitcoinNetwork(
      name: "litecoin-regtest", otherNames: [], keyHashVersion: 111, scriptHashVersions: [58, 196],
      readablePart: "rltc", extensionBlockPart: "tmweb"),
    BitcoinNetwork(
      name: "dogecoin", otherNames: ["dogecoin-mainnet"], keyHashVersion: 30, scriptHashVersions: [22],
      readablePart: nil, extensionBlockPart: nil),
  ]

  /// Finds a network by its name or an alias.
  public static func named(_ name: String) -> BitcoinNetwork? {
    all.first { $0.name == name || $0.otherNames.contains(name) }
  }

  /// Checks an address of this network; nil if it is valid.
  public func problem(with address: String) -> AddressProblem? {
    guard let part = readablePart(of: address) else { return base58Problem(with: address) }
    guard part != extensionBlockPart else { return nil }
    do throws(AddressProblem) {
      let segwit = try SegwitAddress(address)
      return segwit.readablePart == readablePart ? nil : .otherNetwork
    } catch {
      // A few old Base58 addresses of Litecoin start with "LTC1" or "LTc1".
      return base58Problem(with: address) == nil ? nil : error
    }
  }

  private func base58Problem(with address: String) -> AddressProblem? {
    do throws(AddressProblem) {
      let payload = try Base58Check.decode(address)
      guard payload.count == 21 else { return .wrongLength }
      return payload[0] == keyHashVersion || scriptHashVersions.contains(payload[0]) ? nil : .otherNetwork
    } catch {
      return error
    }
  }

  /// Returns the known readable part at the start of a text, in lower case.
  private func readablePart(of address: String) -> String? {
    guard let separator = address.utf8.lastIndex(of: 0x31) else { return nil }
    let part = address[..<separator].lowercased()
    return Self.all.lazy.flatMap { [$0.readablePart, $0.extensionBlockPart] }.contains(part) ? part : nil
  }
}

extension BitcoinNetwork {
  /// Returns the output script that pays to an address of this network.
  ///
  /// Nil for an invalid address, and for extension block addresses, which have no output script.
  public func outputScript(of address: String) -> [UInt8]? {
    guard problem(with: address) == nil else { return nil }
    if let segwit = try? SegwitAddress(address) {
      return segwit.readablePart == readablePart ? segwit.outputScript : nil
    }
    guard let payload = try? Base58Check.decode(address), payload.count == 21 else { return nil }
    let hash = Array(payload[1...])
    return payload[0] == keyHashVersion
      ? OutputScript.payToKeyHash(hash) : OutputScript.payToScriptHash(hash)
  }

  /// Returns the address of an output script; nil if it has none.
  public func address(of script: [UInt8]) -> String? {
    let hash = { (range: Range<Int>) in Array(script[range]) }
    if script.count == 25, script == OutputScript.payToKeyHash(hash(3..<23)) {
      return Base58Check.encode([keyHashVersion] + hash(3..<23))
    }
    if script.count == 23, script == OutputScript.payToScriptHash(hash(2..<22)) {
      return scriptHashVersions.first.map { Base58Check.encode([$0] + hash(2..<22)) }
    }
    guard let readablePart, 4...42 ~= script.count, Int(script[1]) == script.count - 2,
      script[0] == 0 || 0x51...0x60 ~= script[0]
    else { return nil }
    let version = script[0] == 0 ? 0 : script[0] - 0x50
    return SegwitAddress(readablePart: readablePart, version: version, program: Array(script[2...]))?.text
  }
}
