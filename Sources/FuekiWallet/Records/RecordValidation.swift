internal import FoundationEssentials

/// Validates records.
///
/// Invalid records are still collected. Each function returns a sentence for each broken rule, and the
/// manifest lists them. Empty fields are not checked, except ids.
public enum RecordValidation {
  /// Returns the rules that a record of any kind breaks.
  ///
  /// Those without rules of their own need the id by which a store finds them.
  public static func brokenRules(of record: any SectionRecord) -> [String] {
    switch record {
    case let wallet as Wallet: return problems(of: wallet)
    case let contact as Contact: return problems(of: contact)
    case let asset as Asset: return problems(of: asset)
    case let transaction as Transaction: return problems(of: transaction)
    case let descriptor as KeyShareDescriptor: return problems(of: descriptor)
    default:
      var findings = Findings()
      if case .bytes = type(of: record).kind.idField?.value {
        findings.check(!record.id.isEmpty, "there is no id")
      } else {
        findings.id(record.recordID.packed)
      }
      return findings.sentences
    }
  }

  /// Returns the rules that a wallet breaks.
  public static func problems(of wallet: Wallet) -> [String] {
    var findings = Findings()
    findings.id(wallet.id)
    findings.known("the kind", wallet.kind, wallet.walletKind != nil)
    if wallet.family == .evm { findings.evmChainID(wallet.chainID) }
    findings.address("the address", wallet.address, wallet.family, wallet.chainID)
    for account in wallet.accounts {
      findings.address(
        "the address of account \(account.index)", account.address, wallet.family, wallet.chainID)
    }
    if wallet.hasBalance { findings.amount("the balance", wallet.balance) }
    findings.checkpoints(of: wallet)
    for keychain in wallet.keychains where keychain.hasLastUsed && keychain.hasLastRevealed {
      findings.check(
        keychain.lastUsed <= keychain.lastRevealed,
        "the keychain \"\(keychain.name)\" has used index \(keychain.lastUsed) without having revealed it")
    }
    if wallet.hasGapLimit { findings.check(wallet.gapLimit > 0, "the gap limit is 0") }
    findings.packed("the genesis hash", wallet.genesisHash)
    findings.check(
      [0, 32, 33].contains(wallet.groupPublicKey.count), "the group public key is of no known length")
    return findings.sentences
  }

  /// Returns the rules that a contact breaks.
  public static func problems(of contact: Contact) -> [String] {
    var findings = Findings()
    findings.id(contact.id)
    let family = ChainFamily(contact.chainFamily)
    if family == .evm, !contact.chainID.isEmpty { findings.evmChainID(contact.chainID) }
    findings.address("the address", contact.address, family, contact.chainID)
    return findings.sentences
  }

  /// Returns the rules that an asset breaks.
  public static func problems(of asset: Asset) -> [String] {
    var findings = Findings()
    findings.id(asset.id)
    findings.packed("the wallet's id", asset.walletID)
    findings.known("the kind", asset.kind, asset.assetKind != nil)
    if let kind = asset.assetKind, kind != .native {
      findings.check(!asset.contract.isEmpty, "a token has no contract")
      findings.address("the contract", asset.contract, .evm, "")
    } else {
      findings.packed("the contract", asset.contract)
    }
    if asset.hasBalance { findings.amount("the balance", asset.balance) }
    if asset.hasDecimals { findings.check(asset.decimals <= 255, "the number of decimals is over 255") }
    return findings.sentences
  }

  /// Returns the rules that a transaction breaks.
  ///
  /// Addresses are not checked, because the chain is in the wallet.
  public static func problems(of transaction: Transaction) -> [String] {
    var findings = Findings()
    findings.id(transaction.id)
    findings.packed("the wallet's id", transaction.walletID)
    findings.packed("the hash", transaction.hash)
    findings.packed("the sender", transaction.from)
    findings.packed("the receiver", transaction.to)
    findings.known("the status", transaction.status, transaction.transactionStatus != nil)
    if !transaction.amount.isEmpty { findings.amount("the amount", transaction.amount) }
    if transaction.hasFee { findings.amount("the fee", transaction.fee) }
    if transaction.hasGasPrice { findings.amount("the gas price", transaction.gasPrice) }
    if transaction.hasGasLimit { findings.amount("the gas limit", transaction.gasLimit) }
    return findings.sentences
  }

  /// Returns the rules that a key share's public part breaks.
  ///
  /// Points are not checked to be on their curve.
  public static func problems(of descriptor: KeyShareDescriptor) -> [String] {
    var findings = Findings()
    findings.check(descriptor.id.count == 16, "the id has \(descriptor.id.count) bytes, not 16")
    if descriptor.hasWalletID { findings.packed("the wallet's id", descriptor.walletID) }
    findings.points(of: descriptor)
    if descriptor.hasTotal {
      findings.check(descriptor.total > 0, "the share set has no shares")
      if descriptor.hasPartyIndex {
        findings.check(
          descriptor.partyIndex < descriptor.total,
          "the share's index is \(descriptor.partyIndex), beyond the last of \(descriptor.total)")
      }
      if descriptor.hasThreshold {
        findings.check(
          descriptor.threshold <= descriptor.total,
          "\(descriptor.threshold) shares must sign together, but there are \(descriptor.total)")
      }
    }
    if descriptor.hasThreshold { findings.check(descriptor.threshold > 0, "the threshold is 0") }
    return findings.sentences
  }
}

/// Collects sentences about one record.
struct Findings {
  private(set) var sentences: [String] = []

  mutating func check(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { sentences.append(sentence()) }
  }

  mutating func id(_ id: Data) {
    check(!id.isEmpty, "there is no id")
    packed("the id", id)
  }

  mutating func packed(_ what: String, _ value: Data) {
    check(PackedText.isCanonical(value), "\(what) is not a packed text")
  }

  mutating func known(_ what: String, _ text: String, _ isKnown: Bool) {
    check(isKnown || text.isEmpty, "\(what) \"\(text)\" is not known")
  }

  mutating func amount(_ what: String, _ text: String) {
    check(Amount(text) != nil, "\(what) \"\(text)\" is not a decimal number")
  }

  mutating func evmChainID(_ text: String) {
    let isDecimal = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && text.utf8.first != 0x30
    check(isDecimal, "the chain id \"\(text)\" is not a decimal number")
  }

  mutating func address(_ what: String, _ packed: Data, _ family: ChainFamily, _ chainID: String) {
    guard !packed.isEmpty else { return }
    guard let text = PackedText.text(packed) else { return self.packed(what, packed) }
    guard let problem = ChainAddress.problem(address: text, family: family, chainID: chainID) else { return }
    sentences.append("\(what) \(text) \(problem.sentence)")
  }

  mutating func checkpoints(of wallet: Wallet) {
    if wallet.hasBirthday { packed("the birthday's hash", wallet.birthday.hash) }
    if wallet.hasLastSynced { packed("the last synced block's hash", wallet.lastSynced.hash) }
    for checkpoint in wallet.earlierCheckpoints { packed("an earlier block's hash", checkpoint.hash) }
    guard wallet.hasBirthday, wallet.hasLastSynced else { return }
    check(
      wallet.birthday.height <= wallet.lastSynced.height,
      "the wallet was synced to height \(wallet.lastSynced.height), before its birthday at \(wallet.birthday.height)"
    )
  }

  mutating func points(of descriptor: KeyShareDescriptor) {
    let length: Int
    switch descriptor.curve {
    case "secp256k1", "p256", "stark": length = 33
    case "ed25519", "ristretto255": length = 32
    default: return check(descriptor.curve.isEmpty, "the curve \"\(descriptor.curve)\" is not known")
    }
    for (what, point) in [
      ("the group's public key", descriptor.groupPublicKey),
      ("the share's own point", descriptor.ownPublicPoint),
    ] {
      check(
        point.isEmpty || point.count == length,
        "\(what) has \(point.count) bytes, where \(descriptor.curve) has \(length)")
    }
    for (i, point) in descriptor.points.enumerated() {
      check(
        point.point.count == length,
        "point \(i) has \(point.point.count) bytes, where \(descriptor.curve) has \(length)")
      check(point.partyID.count <= 32, "the party id of point \(i) has more than 32 bytes")
    }
    check(descriptor.partyID.count <= 32, "the party id has more than 32 bytes")
  }
}

/// Checks addresses by chain.
package enum ChainAddress {
  /// Checks an address; nil if it is valid, or its family or network is unknown.
  package static func problem(address: String, family: ChainFamily, chainID: String) -> AddressProblem? {
    switch family {
    case .evm:
      do throws(AddressProblem) {
        _ = try EVMAddress(address)
        return nil
      } catch {
        return error
      }
    case .bitcoin: return BitcoinNetwork.named(chainID)?.problem(with: address)
    case .other: return nil
    }
  }
}
