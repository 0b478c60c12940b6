internal import FoundationEssentials
internal import FuekiWallet

/// A wallet's accounts on an EVM chain.
struct EVMAccounts: Sendable {
  /// The distinct addresses, starting with the wallet's own.
  let addresses: [EVMAddress]
  private let set: Set<EVMAddress>

  /// - Throws: ``SyncError/nothingToAsk`` if the wallet has no address.
  init(_ wallet: Wallet) throws(SyncError) {
    var addresses: [EVMAddress] = []
    for packed in [wallet.address] + wallet.accounts.map(\.address) {
      guard let address = PackedText.text(packed).flatMap({ try? EVMAddress($0) }),
        !addresses.contains(address)
      else { continue }
      addresses.append(address)
    }
    guard !addresses.isEmpty else { throw .nothingToAsk }
    self.addresses = addresses
    set = Set(addresses)
  }

  func contains(_ address: EVMAddress?) -> Bool { address.map(set.contains) ?? false }
}

/// Addresses in the format of records.
extension EVMAddress {
  var packed: Data { PackedText.pack(description) }

  init?(_ value: JSONValue?) {
    guard let text = value?.string, text.hasPrefix("0x"), let bytes = EVMBytes.decode(text.dropFirst(2))
    else { return nil }
    self.init(bytes: bytes)
  }
}
