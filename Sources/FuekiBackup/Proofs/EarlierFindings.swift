internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension [WalletFinding] {
  /// Returns the differences that were not there when the archive with these findings was made.
  ///
  /// What was unsound then comes back as it was. A thing without a finding counts as proved.
  func unexpected(of differences: [Proof]) -> [Proof] {
    guard !differences.isEmpty else { return [] }
    return differences.filter { difference in
      let matching = findings(on: difference)
      return matching.isEmpty || matching.contains(where: \.isProved) && !matching.contains(where: \.isFaulty)
    }
  }

  /// The findings on a thing: those of its name and address, or else of its name, and those on its key shares.
  private func findings(on proof: Proof) -> [WalletFinding] {
    let name = ExactText(proof.name.isEmpty ? proof.address : proof.name)
    let ofName = filter { ExactText($0.name) == name }
    let ofAddress = filter { !proof.address.isEmpty && [$0.name, $0.detail].contains(proof.address) }
    let exact = ofName.filter { ofAddress.contains($0) }
    let own = !exact.isEmpty ? exact : ofName.isEmpty ? ofAddress : ofName
    let shares = Set(proof.shares.map { ExactText($0.text) })
    let key = proof.groupKey.isEmpty ? nil : Hex.encode(proof.groupKey)
    let ofShares = filter { finding in
      shares.contains(ExactText(finding.name)) || key.map { finding.detail.contains($0) } ?? false
    }
    return own + ofShares
  }
}

extension WalletFinding {
  fileprivate var isProved: Bool {
    if case .proved = result { true } else { false }
  }
}
