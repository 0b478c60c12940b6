internal import FuekiCrypto
internal import FuekiWallet

extension ProofLedger {
  /// Compares the addresses that wallets' descriptors derive, unless a key has already proved them.
  ///
  /// A descriptor is public: it proves that its wallet can be watched, and that its path is the right one.
  mutating func proveDescriptors() {
    for place in wallets.indices {
      let wallet = wallets[place]
      guard !wallet.descriptors.isEmpty, !wallet.addresses.isEmpty else { continue }
      note(evidence(of: wallet), of: place)
    }
  }

  private func evidence(of wallet: ProvenWallet) -> Evidence {
    let stated = wallet.addresses[0].text
    do throws(DescriptorError) {
      guard let network = BitcoinNetwork.named(wallet.chainID) else { throw .otherNetwork }
      var first: String?
      for text in wallet.descriptors {
        let descriptor = try Descriptor(parsing: text)
        let indices = descriptor.isRanged ? wallet.indices : 0..<1
        for branch in 0..<descriptor.branchCount {
          for index in indices {
            let derived = try descriptor.address(at: index, branch: branch, network: network)
            let key = AddressKey.bitcoin(network: network.name, derived)
            if let same = wallet.addresses.first(where: { $0.key == key }) {
              return Evidence(address: same.text, result: .proved(by: .descriptor))
            }
            first = first ?? derived
          }
        }
      }
      guard wallet.isKnownWhereToLook, let first else {
        return Evidence(
          address: stated, result: .notChecked(.beyond(indices: wallet.indices.upperBound)))
      }
      return Evidence(
        address: stated, result: .differs(.descriptor, .otherAddress(derived: first)))
    } catch {
      return Evidence(address: stated, result: .notChecked(.descriptor(error)))
    }
  }
}
