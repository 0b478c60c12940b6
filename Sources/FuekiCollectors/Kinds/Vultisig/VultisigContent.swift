internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension VultisigVault {
  /// Returns a vault's contents: its shares, each compared with the vault's keys, and its keys' wallets.
  func content(name file: String, isEncrypted: Bool) throws -> Kept {
    var content = Kept(format: "vultisig-vault")
    content.isSecret = !isEncrypted
    // The apps import a vault only as a file, with its signers and name.
    content.sharesAreAll = false
    content.program = VultisigCollector.kind
    let title = name.isEmpty ? file : name
    var proven: Set<String> = []
    let chains = Set(chainKeys.map { $0.key.lowercased() })
    let others = Set(otherKeys.map { $0.lowercased() })
    for (place, entry) in entries.enumerated() {
      let key = entry.publicKey.lowercased()
      let isOwn = !key.isEmpty && [ecdsaKey.lowercased(), eddsaKey.lowercased()].contains(key)
      let isOfChain = chains.contains(key)
      let isOther = isOfChain || others.contains(key)
      let share = try VultisigShare(
        entry, vault: self, file: file, place: place, isOwn: isOwn, isOther: isOther,
        isOfChain: isOfChain && !isOwn)
      var finding = share.finding
      finding.name = title
      proven.insert(key)
      content.problems += share.problems
      guard let side = share.side else {
        content.findings.append(finding)
        continue
      }
      content.shares.append(
        FoundShare(
          descriptor: side.descriptor, secret: entry.share, finding: finding,
          isCurrent: isOwn || isOther, ceremony: ceremony, chains: isOwn ? [] : self.chains(of: key)))
    }
    for key in [ecdsaKey, eddsaKey] where !key.isEmpty && !proven.contains(key.lowercased()) {
      // A share for another key may replace the vault's own. An imported key may have none.
      let isStrange = entries.contains { !isKnown($0.publicKey) }
      content.findings.append(
        WalletFinding(
          kind: VultisigCollector.kind, name: title,
          library == .imported
            ? .notProved(.nothingToCompare) : .faulty(isStrange ? .foreignShare : .malformed), detail: key))
    }
    content.findings += missingChains(proven, title)
    content.problems += partyProblems
    content.wallets = try wallets(title)
    return content
  }

  /// Returns findings for chains whose key has no share here: this file cannot move their coins.
  private func missingChains(_ present: Set<String>, _ title: String) -> [WalletFinding] {
    chainKeys.filter { !present.contains($0.key.lowercased()) }.map { chain, key in
      WalletFinding(
        kind: VultisigCollector.kind, name: title, .faulty(.missingShare),
        detail: chain.isEmpty ? key : "\(chain) \(key)")
    }
  }

  /// Distinguishes vaults from one seed phrase, each from a separate ceremony.
  ///
  /// Empty for a vault whose key no other vault can have.
  private var ceremony: String { library == .imported ? signers.sorted().joined(separator: "\0") : "" }

  /// The chains that a key is for.
  private func chains(of key: String) -> Set<String> {
    Set(chainKeys.filter { $0.key.lowercased() == key }.map { $0.chain.lowercased() })
  }

  private func isKnown(_ key: String) -> Bool {
    ([ecdsaKey, eddsaKey] + chainKeys.map(\.key) + otherKeys).contains { $0.lowercased() == key.lowercased() }
  }

  /// Problems of the exporting device.
  private var partyProblems: [String] {
    var problems: [String] = []
    if !localParty.isEmpty, !signers.isEmpty, !signers.contains(localParty) {
      problems.append("its own party \"\(localParty)\" is none of the vault's signers")
    }
    if localParty.hasPrefix("Server-") {
      problems.append("it is the server's share: on a phone it does not sign quickly with the server")
    }
    if library == nil { problems.append("its keys were made in a way that is not known here") }
    return problems
  }

  /// Returns the vault's first addresses, derived like in the apps, without hardened steps.
  private func wallets(_ title: String) throws -> [Wallet] {
    var wallets: [Wallet] = []
    func add(_ chain: (family: String, id: String), _ address: String?, _ path: String, key: String) {
      guard let address, !address.isEmpty else { return }
      var wallet = Wallet()
      wallet.id = ForeignNames.packed("vultisig wallet", chain.family, chain.id, key.lowercased(), chainCode)
      wallet.name = title
      wallet.kind = WalletKind.tss.rawValue
      (wallet.chainFamily, wallet.chainID) = chain
      wallet.address = PackedText.pack(address)
      wallet.derivationPath = path
      if let createdAt { wallet.createdAt = createdAt }
      wallets.append(wallet)
    }
    guard library != .imported else {
      // Addresses derived from the root key are unspendable, because each chain has its own key.
      for (chain, key) in chainKeys {
        switch chain.lowercased() {
        case "bitcoin":
          add(
            (ChainFamily.bitcoin.name, "bitcoin"), VultisigAddresses.bitcoin(ofChainKey: key), "", key: key)
        case "ethereum":
          add((ChainFamily.evm.name, "1"), VultisigAddresses.evm(ofChainKey: key), "", key: key)
        case "solana":
          if let point = Hex.decode(key), CurvePoint.isValid(point, on: .ed25519) {
            add(("solana", "mainnet"), Base58.encode(point), "", key: key)
          }
        default: break
        }
      }
      return wallets
    }
    let derived = VultisigAddresses(ecdsaKey: ecdsaKey, chainCode: chainCode)
    add((ChainFamily.bitcoin.name, "bitcoin"), derived?.bitcoin, "m/84'/0'/0'/0/0", key: ecdsaKey)
    add((ChainFamily.evm.name, "1"), derived?.evm, "m/44'/60'/0'/0/0", key: ecdsaKey)
    if let key = Hex.decode(eddsaKey), CurvePoint.isValid(key, on: .ed25519) {
      add(("solana", "mainnet"), Base58.encode(key), "", key: eddsaKey)
    }
    return wallets
  }
}

/// Addresses of an ECDSA key and its chain code, for paths without hardened steps.
struct VultisigAddresses {
  let bitcoin: String?
  let evm: String?

  /// Returns the address of a chain's own key; nil for an invalid key.
  static func bitcoin(ofChainKey key: String) -> String? {
    (try? Descriptor(parsing: "wpkh(\(key))").scriptPubKey(at: 0)).flatMap { script in
      BitcoinNetwork.named("bitcoin")?.address(of: script)
    }
  }

  /// Returns the address of a chain's own key; nil for an invalid key.
  static func evm(ofChainKey key: String) -> String? {
    Hex.decode(key).flatMap { try? KeyAddresses(of: $0, on: .secp256k1) }?.evm?.description
  }

  /// Nil if the key or the chain code is invalid.
  init?(ecdsaKey: String, chainCode: String) {
    guard let key = Hex.decode(ecdsaKey), CurvePoint.isValid(key, on: .secp256k1),
      let chainCode = Hex.decode(chainCode), chainCode.count == 32
    else { return nil }
    // A BIP-32 extended public key without a parent.
    let version: [UInt8] = [0x04, 0x88, 0xB2, 0x1E]
    let root = Base58Check.encode(version + [UInt8](repeating: 0, count: 9) + chainCode + key)
    func script(_ descriptor: String) -> [UInt8]? {
      try? Descriptor(parsing: descriptor).scriptPubKey(at: 0)
    }
    bitcoin = script("wpkh(\(root)/84/0/0/0/0)").flatMap { script in
      BitcoinNetwork.named("bitcoin")?.address(of: script)
    }
    // The script of `pk` consists of the key's length, the key, and one opcode.
    evm = script("pk(\(root)/44/60/0/0/0)").flatMap { script in
      guard script.count == 35, let own = try? KeyAddresses(of: Array(script[1..<34]), on: .secp256k1) else {
        return nil
      }
      return own.evm?.description
    }
  }
}
