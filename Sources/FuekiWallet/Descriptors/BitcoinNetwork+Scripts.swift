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
