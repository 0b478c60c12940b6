internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// The output of Bitcoin Core's `listdescriptors`, with or without private keys.
struct ListedDescriptors {
  static let byteCountLimit = 16 << 20
  private static let descriptorLimit = 20_000

  private let name: String
  private var texts: [String] = []
  private var keychains: [KeychainIndex] = []
  private var created: [UInt64] = []
  private var privateKeys: [SharedSecret] = []
  /// Digests of the private keys, which have full entropy.
  private var knownKeys: Set<[UInt8]> = []
  private var isWhole = true
  private var isMalformed = false
  private var isTest = false
  /// The descriptors for the wallet's main address: the default one, and any other.
  private var usual: (String?, String?) = (nil, nil)

  /// Whether it contains private keys.
  private(set) var hasPrivateKeys = false
  /// Whether each descriptor has as many private keys as must sign.
  private var hasEnoughKeys = true

  /// Reads a listing; nil for another kind of file.
  ///
  /// - Throws: ``ForeignFileError``, ``WorkBudget/Exceeded``, or what making a ``SecretBytes`` throws.
  init?(_ content: borrowing SecretBytes, name: String, work: WorkBudget) throws {
    let copy = try content.copy(0..<content.count)
    guard let document = try? GuardedDocument(copy, limit: Self.byteCountLimit),
      let list = document.root.member("descriptors"), list.kind == .array,
      list.elements.allSatisfy({ $0.member("desc") != nil })
    else { return nil }
    let stated = document.root.member("wallet_name")?.string ?? ""
    self.name = stated.isEmpty ? name : stated
    guard list.elements.count <= Self.descriptorLimit else {
      throw ForeignFileError.overLimit(reason: "\(name) lists more than \(Self.descriptorLimit) descriptors")
    }
    for entry in list.elements { try take(entry, work) }
  }

  private mutating func take(_ entry: GuardedValue, _ work: WorkBudget) throws {
    guard let secret = try entry.member("desc")?.secret() else { return isMalformed = true }
    let count = secret.bytes.count
    guard count <= Descriptor.characterCountLimit,
      let outline = secret.bytes.withBytes({ DescriptorOutline($0) })
    else { return isMalformed = true }
    // Each branch of a step such as <0;1> requires a derivation.
    let marks: Int = secret.bytes.withBytes { text in text.indices.count { text[$0] == UInt8(ascii: ";") } }
    try work.spend(1 + marks, on: .candidates)
    if !secret.bytes.withBytes({ outline.isWhole($0) }) { isWhole = false }
    var replaced: [Int: String] = [:]
    for (index, key) in outline.keys.enumerated() {
      let text = try secret.bytes.copy(key.key)
      guard try !Self.isPublic(text) else { continue }
      hasPrivateKeys = true
      guard let shown = try publicText(of: key, text, in: secret) else { return isMalformed = true }
      replaced[index] = shown
      let isNew = knownKeys.insert(text.withBytes { SHA256.hash($0).bytes }).inserted
      if isNew, privateKeys.count < ImportLimits.secrets { privateKeys.append(SharedSecret(text)) }
    }
    guard let text = secret.bytes.withBytes({ outline.text($0, replacing: replaced) }) else {
      return isMalformed = true
    }
    texts.append(text)
    let required = (try? Descriptor(parsing: text))?.quorum?.required ?? outline.keys.count
    if replaced.count < required { hasEnoughKeys = false }
    let next = (entry.member("next") ?? entry.member("next_index"))?.number.flatMap { UInt32($0) } ?? 0
    if next > 0 {
      var index = KeychainIndex()
      index.name = String(text.suffix(DescriptorChecksum.characterCount))
      index.lastRevealed = next - 1
      keychains.append(index)
    }
    if let time = entry.member("timestamp")?.number.flatMap({ UInt64($0) }), time > 1 { created.append(time) }
    isTest = isTest || text.contains("tpub")
    let isReceiving = entry.member("internal")?.boolean != true
    guard isReceiving else { return }
    if text.hasPrefix("wpkh(") { usual.0 = text } else if usual.1 == nil { usual.1 = text }
  }

  /// Whether a key is public: hexadecimal, or extended and public.
  private static func isPublic(_ text: borrowing SecretBytes) throws -> Bool {
    text.withBytes { bytes in
      let isHex = bytes.indices.allSatisfy { place in
        switch bytes[place] {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
      }
      return isHex || bytes.count > 4 && bytes[1] == UInt8(ascii: "p") && bytes[2] == UInt8(ascii: "u")
    }
  }

  /// Returns a private key's public key, after the steps that need the private one.
  private func publicText(
    of key: DescriptorOutline.Key, _ text: borrowing SecretBytes, in secret: SharedSecret
  ) throws -> String? {
    func plain(_ range: Range<Int>) -> String {
      secret.bytes.withBytes { bytes in String(decoding: range.map { bytes[$0] }, as: UTF8.self) }
    }
    let origin = key.origin.map(plain)
    let steps = plain(key.steps)
    if 51...52 ~= text.count, let scalar = try SpelledKey.scalar(of: text) {
      let point = try CurvePoint.multiplyBase(scalar, on: .secp256k1)
      return (origin.map { "[\($0)]" } ?? "") + Hex.encode(point)
    }
    do throws(ExtendedKeyError) {
      let extended = try ExtendedPrivateKey(parsing: text)
      let parts = steps.split(separator: "/")
      let last = parts.lastIndex { $0.hasSuffix("'") || $0.hasSuffix("h") }
      // A migrated wallet has hardened stars, which only the private key can derive.
      let count = last.map { parts[$0].hasPrefix("*") ? $0 : $0 + 1 } ?? 0
      guard count > 0 else {
        return (origin.map { "[\($0)]" } ?? "") + (try extended.publicKey().text) + steps
      }
      let upper = parts[..<count].compactMap { DerivationStep($0) }
      let fingerprint = try extended.publicKey().fingerprint()
      guard upper.count == count,
        let above = origin.map({ KeyOrigin($0) })
          ?? KeyOrigin(fingerprint: fingerprint, path: DerivationPath())
      else { return nil }
      let below = KeyOrigin(fingerprint: above.fingerprint, path: DerivationPath(above.path.steps + upper))
      let derived = try extended.descendant(DerivationPath(upper)).publicKey().text
      return "[\(below)]\(derived)" + parts[count...].map { "/\($0)" }.joined()
    } catch {
      return nil
    }
  }

  private var firstAddress: String? {
    guard let network = BitcoinNetwork.named(isTest ? "bitcoin-testnet" : "bitcoin") else { return nil }
    let descriptor = [usual.0, usual.1].lazy.compactMap { text in
      text.flatMap { try? Descriptor(parsing: $0) }
    }.first
    return descriptor.flatMap { try? $0.address(at: 0, network: network) }
  }

  /// The result for a listing that is whole.
  private var keyResult: WalletFinding.Result {
    guard hasPrivateKeys else { return .publicPart(.wholeness) }
    return hasEnoughKeys ? .proved(.wholeness) : .notProved(.needsOtherParties)
  }

  /// The value of the listing as a backup.
  var finding: WalletFinding {
    let result: WalletFinding.Result =
      isMalformed
      ? .faulty(.malformed)
      : !isWhole
        ? .faulty(.checksum)
        : texts.isEmpty ? .notProved(.nothingToCompare) : keyResult
    return WalletFinding(
      kind: BitcoinCoreCollector.kind, name: name, result, detail: firstAddress ?? "",
      isInClear: hasPrivateKeys)
  }

  /// Adds the wallet and its private keys.
  func add(to records: inout ImportedRecords) {
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("bitcoin-core listing", texts.sorted().joined(separator: " "), name)
    wallet.name = name
    wallet.kind = (hasPrivateKeys ? WalletKind.hot : .watchOnly).rawValue
    wallet.chainFamily = ChainFamily.bitcoin.name
    wallet.chainID = isTest ? "bitcoin-testnet" : "bitcoin"
    wallet.network = wallet.chainID
    wallet.address = PackedText.pack(firstAddress ?? "")
    wallet.descriptors = texts
    wallet.keychains = keychains
    if let first = created.min(), let time = Timestamp(seconds: String(first), since: .unix) {
      wallet.createdAt = time.microseconds
    }
    records.add(wallet)
    for (index, key) in privateKeys.enumerated() where records.budget.admitsSecret() {
      let place = String(index)
      records.privateKeys.append(
        PrivateKeyRecord(
          id: ForeignNames.secret("bitcoin-core key", PackedText.text(wallet.id) ?? "", place),
          walletID: wallet.id, kind: key.bytes.count > 100 ? "extended-private-key" : "imported-private-key",
          name: "\(name) \(place)", secret: key, createdAt: nil))
    }
  }
}
