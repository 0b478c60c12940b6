internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Takes what keys say of the wallets' addresses, and has the report in the end.
struct ProofLedger {
  let wallets: [ProvenWallet]
  private(set) var others: [Proof] = []
  var olderShares: [OlderShares] = []
  private var evidence: [Int: Evidence] = [:]
  private let byID: [Data: [Int]]
  private var byAddress: [AddressKey: [Int]] = [:]

  init(_ wallets: [ProvenWallet]) {
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

  var report: ProofReport {
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
