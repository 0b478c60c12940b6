internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// A coordinator's encrypted record of a multisig setup: hexadecimal of ``BSMSCipher``'s format.
struct EncryptedSetup {
  /// The shortest record has its version and a key.
  private static let leastByteCount = BSMSCipher.macByteCount + 64
  private static let byteCountLimit = 64 << 10
  /// The number of words for a token of 64 or 128 bits.
  private static let wordCounts: Set<Int> = [6, 12]

  private let record: [UInt8]

  /// Whether a file in a directory has the right name and only hexadecimal digits.
  static func isLikely(_ beginning: Span<UInt8>, name: [UInt8]) -> Bool {
    name.suffix(4).elementsEqual(".dat".utf8) && beginning.count >= 2 * leastByteCount
      && beginning.indices.allSatisfy { isDigit(beginning[$0]) || beginning[$0] <= 0x20 }
  }

  /// Parses a complete file; nil for another kind of file.
  init?(_ file: Span<UInt8>) {
    guard 2 * Self.leastByteCount...2 * Self.byteCountLimit ~= file.count else { return nil }
    let digits = file.indices.map { file[$0] }.filter { $0 > 0x20 }
    guard digits.allSatisfy(Self.isDigit),
      let record = Hex.decode(String(decoding: digits, as: UTF8.self).lowercased()),
      record.count >= Self.leastByteCount
    else { return nil }
    self.record = record
  }

  /// Decrypts the record with its session's token in any notation.
  ///
  /// - Returns: the record's text; nil if no reading of the token opens it.
  /// - Throws: Errors of deriving a key.
  func open(_ typed: borrowing SecretBytes) throws -> String? {
    for token in try Self.tokens(typed) {
      guard let text = try BSMSCipher.open(record.span, token: token) else { continue }
      return text.withBytes { String(bounded: $0.copied()) }
    }
    return nil
  }

  /// Returns the possible readings of a text: digits in base 16 or 10, or BIP-39 words.
  private static func tokens(_ typed: borrowing SecretBytes) throws -> [[UInt8]] {
    let text = typed.withBytes { $0.copied() }.filter { $0 > 0x20 }
    var tokens: [[UInt8]] = []
    if [16, 32].contains(text.count),
      let bytes = Hex.decode(String(decoding: text, as: UTF8.self).lowercased())
    {
      tokens.append(bytes)
    }
    if let number = DecimalNumber.bytes(text.span) {
      let count = number.prefix(24).allSatisfy { $0 == 0 } ? 8 : 16
      if number.dropLast(count).allSatisfy({ $0 == 0 }) { tokens.append(Array(number.suffix(count))) }
      // A small 128-bit number.
      if count == 8 { tokens.append(Array(number.suffix(16))) }
    }
    if let entropy = try typed.withBytes({ try MnemonicEntropy.of($0, wordCounts: wordCounts) }) {
      tokens.append(entropy.withBytes { $0.copied() })
    }
    return tokens
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte || 0x41...0x46 ~= byte
  }
}

/// A signer's public keys for a coordinator, before a wallet exists.
///
/// Coldcard writes `ccxp-….json` and Unchained's variant, with a key for each script type. Other devices and
/// pages write one key with its path.
struct CosignerKeys {
  /// The members with a key for each script type.
  ///
  /// The path is in the member with the suffix `_deriv`.
  private static let scripts = ["p2sh", "p2sh_p2wsh", "p2wsh_p2sh", "p2wsh", "p2tr"]

  private var result = WalletFinding.Result.publicPart(.wholeness)
  private var hasPrivateKeys = false
  private let fingerprint: String

  /// Whether a file's first bytes look like one of these.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    guard beginning.contains("\"xfp\"") else { return false }
    if beginning.contains("\"xpub\"") && beginning.contains("\"bip32Path\"") { return true }
    return beginning.contains("\"p2sh_deriv\"") || beginning.contains("\"p2sh_p2wsh_deriv\"")
      || beginning.contains("\"p2wsh_p2sh_deriv\"") || beginning.contains("\"p2wsh_deriv\"")
  }

  /// Parses a document; nil if it is none of these.
  init?(_ root: JSONValue) {
    guard root.kind == .object, let fingerprint = root.member("xfp")?.string else { return nil }
    self.fingerprint = fingerprint.lowercased()
    var keys = Self.scripts.compactMap { name in
      root.member(name)?.string.map { (key: $0, path: root.member("\(name)_deriv")?.string) }
    }
    if keys.isEmpty, let key = root.member("xpub")?.string, let path = root.member("bip32Path")?.string {
      keys = [(key, path)]
    }
    guard !keys.isEmpty else { return nil }
    if KeyOrigin(self.fingerprint) == nil { note(.malformed) }
    for (key, path) in keys { check(key, path: path) }
  }

  private mutating func note(_ fault: WalletFinding.Fault) {
    if case .publicPart = result { result = .faulty(fault) }
  }

  private mutating func check(_ text: String, path: String?) {
    do throws(ExtendedKeyError) {
      let key = try ExtendedPublicKey(parsing: text)
      guard let path = path.flatMap({ DerivationPath($0) }), path.steps.count == Int(key.depth),
        path.steps.last.map({ $0 == key.step }) ?? true
      else { return note(.malformed) }
    } catch .privateKey {
      hasPrivateKeys = true
    } catch .wrongChecksum {
      note(.checksum)
    } catch {
      note(.malformed)
    }
  }

  /// Assesses the keys: they identify one signer's part, but no addresses.
  func finding(name: String) -> WalletFinding {
    var whole = result
    // The other signers' keys are elsewhere.
    if hasPrivateKeys, case .publicPart = result { whole = .notProved(.needsOtherParties) }
    return WalletFinding(
      kind: MultisigCollector.kind, name: name, whole, detail: fingerprint, isInClear: hasPrivateKeys)
  }
}

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
