internal import FoundationEssentials
package import FuekiWallet

/// Takes what keys say of the wallets' addresses, and has the report in the end.
package struct ProofLedger {
  let wallets: [ProvenWallet]
  private(set) var others: [Proof] = []
  var olderShares: [OlderShares] = []
  private var evidence: [Int: Evidence] = [:]
  private let byID: [Data: [Int]]
  private var byAddress: [AddressKey: [Int]] = [:]

  package init(_ wallets: [ProvenWallet]) {
    self.wallets = wallets
    byID = Dictionary(grouping: wallets.indices) { wallets[$0].id }
    for place in wallets.indices {
      for key in wallets[place].addresses.compactMap(\.key) { byAddress[key, default: []].append(place) }
    }
  }

  /// The wallets with an id, which nothing keeps from being several.
  func places(of id: Data) -> [Int] { byID[id] ?? [] }

  /// The wallets that have one of a key's addresses.
  func places(having addresses: DerivedAddresses) -> [Int] {
    Set(addresses.keys.flatMap { byAddress[$0] ?? [] }).sorted()
  }

  /// The wallets that have an address.
  func places(having address: AddressKey) -> [Int] { byAddress[address] ?? [] }

  mutating func note(_ found: Evidence, of place: Int) {
    if let known = evidence[place], known.weight >= found.weight { return }
    evidence[place] = found
  }

  mutating func note(_ proof: Proof) { others.append(proof) }

  package var report: ProofReport {
    let titles = WalletTitles(wallets.map { ($0.name, $0.network) })
    let proofs = wallets.indices.map { place in
      let wallet = wallets[place]
      let found = evidence[place]
      return Proof(
        subject: .wallet, id: [UInt8](wallet.id), name: titles.title(wallet.name, on: wallet.network),
        address: found?.address ?? wallet.addresses.first?.text ?? "",
        result: found?.result ?? .notChecked(wallet.gap), shares: found?.set?.shares.map(\.name) ?? [],
        groupKey: found?.set?.groupKey ?? [])
    }
    return ProofReport(proofs: proofs + others, olderShares: olderShares)
  }
}

/// The parts of a wallet's record that a proof needs.
package struct ProvenWallet {
  let id: Data
  let name: String
  let network: String
  let kind: WalletKind?
  let groupPublicKey: [UInt8]
  let derivationPath: String
  /// The wallet's own path and those of its accounts, as they are written.
  let paths: [String]
  let descriptors: [String]
  let chainID: String
  /// The highest index revealed on any keychain; nil if unknown.
  let lastRevealed: UInt32?
  let gapLimit: UInt32
  /// The wallet's own address and those of its accounts, without repetition; those that are no packed text left out.
  let addresses: [AddressOfWallet]

  package init(_ wallet: Wallet) {
    id = wallet.id
    name = wallet.name
    network = wallet.networkTitle
    kind = wallet.walletKind
    groupPublicKey = [UInt8](wallet.groupPublicKey)
    derivationPath = wallet.derivationPath
    paths = ([wallet.derivationPath] + wallet.accounts.map(\.path)).filter { !$0.isEmpty }
    descriptors = wallet.descriptors
    chainID = wallet.chainID
    lastRevealed = wallet.keychains.filter(\.hasLastRevealed).map(\.lastRevealed).max()
    gapLimit = wallet.hasGapLimit ? wallet.gapLimit : Self.usualGapLimit
    var texts: [String] = []
    for packed in [wallet.address] + wallet.accounts.map(\.address) {
      guard let text = PackedText.text(packed), !text.isEmpty, !texts.contains(text) else { continue }
      texts.append(text)
    }
    addresses = texts.map { AddressOfWallet($0, family: wallet.family, chainID: wallet.chainID) }
  }

  private static let usualGapLimit: UInt32 = 20
  private static let indexLimit: UInt32 = 1000

  /// The indices to search on a keychain for the wallet's addresses, from 0.
  var indices: Range<UInt32> {
    let revealed = min(lastRevealed ?? 0, Self.indexLimit)
    return 0..<(revealed + min(max(gapLimit, 1), Self.indexLimit))
  }

  /// Whether an address that is at none of these indices is not of the keychain at all.
  var isKnownWhereToLook: Bool { lastRevealed.map { $0 <= Self.indexLimit } ?? false }

  /// Compares the addresses of a key that belongs to the wallet with the wallet's own.
  ///
  /// Only where it is certain that nothing else than the key itself can be meant, another address is a difference.
  func compare(_ derived: DerivedAddresses, from source: Proof.Source, isCertain: Bool) -> Evidence {
    guard let first = addresses.first else { return Evidence(address: "", result: .notChecked(.noAddress)) }
    if let same = addresses.first(where: derived.contains) {
      return Evidence(address: same.text, result: .proved(by: source))
    }
    guard derivationPath.isEmpty else {
      return Evidence(address: first.text, result: .notChecked(.derivedFurther(path: derivationPath)))
    }
    guard isCertain, addresses.allSatisfy(\.isOfOneKey), let other = derived.text(beside: first) else {
      return Evidence(address: first.text, result: .notChecked(.kindOfAddress))
    }
    return Evidence(address: first.text, result: .differs(source, .otherAddress(derived: other)))
  }

  /// Why nothing is known, where nothing leads to the wallet's address.
  var gap: Proof.Gap {
    guard !addresses.isEmpty else { return .noAddress }
    switch kind {
    case .watchOnly: return .watchOnly
    case .hardware: return .hardware
    case .hot, .tss, nil: return .noKey
    }
  }
}
