internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Liana's most common policy: one key at any time, or another for coins older than N blocks.
///
/// `wsh(or_d(pk(A),and_v(v:pkh(B),older(N))))` is the script
/// `A CHECKSIG IFDUP NOTIF DUP HASH160 <hash of B> EQUALVERIFY CHECKSIGVERIFY N CHECKSEQUENCEVERIFY ENDIF`.
struct LianaPolicy {
  private let first: String
  private let second: String
  private let age: UInt32

  /// Parses a descriptor; nil for any other policy.
  init?(_ text: String) {
    let expression = text.split(separator: "#").first.map(String.init) ?? ""
    let (front, middle, older, end) = ("wsh(or_d(pk(", "),and_v(v:pkh(", "),older(", "))))")
    guard expression.hasPrefix(front), expression.hasSuffix(end),
      let split = expression.firstRange(of: middle), let last = expression.firstRange(of: older),
      split.upperBound < last.lowerBound
    else { return nil }
    first = String(
      expression[expression.index(expression.startIndex, offsetBy: front.count)..<split.lowerBound])
    second = String(expression[split.upperBound..<last.lowerBound])
    guard let number = UInt32(expression[last.upperBound...].dropLast(end.count)), 1..<(1 << 31) ~= number
    else { return nil }
    age = number
  }

  /// Returns the address for an index, for receiving (0) or change (1); nil if a key has none.
  func address(at index: UInt32, branch: Int, network: BitcoinNetwork) -> String? {
    guard let first = point(first, index, branch), let second = point(second, index, branch),
      let hash = try? Hash160.hash(second), let part = network.readablePart
    else { return nil }
    var script: [UInt8] = [33] + first + [0xac, 0x73, 0x64, 0x76, 0xa9, 20] + hash + [0x88, 0xad]
    script += number + [0xb2, 0x68]
    return SegwitAddress(readablePart: part, version: 0, program: SHA256.hash(script.span).bytes)?.text
  }

  /// The age as a script number: little-endian with a sign bit.
  private var number: [UInt8] {
    guard age > 16 else { return [0x50 + UInt8(age)] }
    var bytes: [UInt8] = []
    var rest = age
    while rest > 0 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    if let top = bytes.last, top & 0x80 != 0 { bytes.append(0) }
    return [UInt8(bytes.count)] + bytes
  }

  private func point(_ key: String, _ index: UInt32, _ branch: Int) -> [UInt8]? {
    // The script for a single key contains the key.
    guard let descriptor = try? Descriptor(parsing: "pk(\(key))"), branch < max(descriptor.branchCount, 1),
      let script = try? descriptor.scriptPubKey(at: index, branch: branch), script.count == 35
    else { return nil }
    return Array(script[1..<34])
  }
}

extension CoordinatedWallet {
  private static let coinLimit = 1000

  /// Compares the coins of a Liana account with the policy's addresses.
  mutating func note(addresses account: JSONValue, _ policy: LianaPolicy) {
    guard let network = BitcoinNetwork.named(networkName) else { return }
    let coins = account.member("coins").map { Array($0.children.prefix(Self.coinLimit)) } ?? []
    for coin in coins {
      guard let address = coin.member("address")?.string,
        let index = coin.member("derivation_index")?.number.flatMap({ UInt32($0) })
      else { continue }
      // Two keys in two branches.
      guard spend(keys: 4) else { return }
      let derived = (0...1).compactMap { policy.address(at: index, branch: $0, network: network) }
      guard !derived.isEmpty else { continue }
      if derived.contains(address) { isShown = true } else { note(.otherAddress) }
    }
  }
}
