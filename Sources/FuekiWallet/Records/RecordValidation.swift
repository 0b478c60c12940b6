internal import FoundationEssentials

/// Validates records.
///
/// Invalid records are still collected. Each function returns a sentence for each broken rule, and the
/// manifest lists them. Empty fields are not checked, except ids.
public enum RecordValidation {
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
