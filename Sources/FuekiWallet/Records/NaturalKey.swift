public import FoundationEssentials
internal import FuekiCrypto

/// An identity that two records of different ids share if they describe the same thing.
public struct NaturalKey: Hashable, Sendable {
  let parts: [Data]
}

extension NaturalKey {
  /// An address on a chain; nil for an empty address.
  init?(family: String, chain: String, address: Data) {
    guard !address.isEmpty else { return nil }
    parts = [Data(family.utf8), Data(chain.utf8), Self.caseless(address)]
  }

  /// Returns an address without case differences: checksums, right or wrong, and capitals without meaning.
  public static func caseless(_ address: Data) -> Data {
    switch address.first.flatMap(PackedText.Form.init) {
    case .checksummedAddress: return Data([PackedText.Form.prefixedHex.rawValue]) + address.dropFirst()
    case .utf8:
      guard let text = PackedText.text(address) else { return address }
      let small = text.lowercased()
      let isHexadecimal =
        small.utf8.count == 42 && small.hasPrefix("0x") && Hex.decode(small.dropFirst(2)) != nil
      return isHexadecimal || (try? Bech32(text)) != nil ? PackedText.pack(small) : address
    case .prefixedHex, .bareHex, .upperCaseUUID, .lowerCaseUUID, nil: return address
    }
  }
}
