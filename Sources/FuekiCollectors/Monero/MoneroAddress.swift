internal import FuekiCrypto
internal import FuekiWallet

/// Encodes Monero addresses: a network byte, two public keys and four bytes of Keccak-256, in Monero's
/// variant of Base58.
package enum MoneroAddress {
  /// A network, with the first byte of its addresses.
  package enum Network: UInt8, CaseIterable, Sendable {
    /// The main network.
    case mainnet = 18
    /// The network for developing Monero itself.
    case testnet = 53
    /// The network for developing applications.
    case stagenet = 24

    /// The network by its number in a wallet's settings.
    ///
    /// A private chain uses the main network's addresses.
    init?(setting: UInt64) {
      switch setting {
      case 0, 3: self = .mainnet
      case 1: self = .testnet
      case 2: self = .stagenet
      default: return nil
      }
    }

    /// The network's name for people.
    package var name: String {
      switch self {
      case .mainnet: "mainnet"
      case .testnet: "testnet"
      case .stagenet: "stagenet"
      }
    }
  }

  private static let blockByteCount = 8
  /// The number of characters for a block of each length in bytes.
  private static let characterCounts = [0, 2, 3, 5, 6, 7, 9, 10, 11]

  /// Returns a wallet's primary address.
  ///
  /// - Parameters:
  ///   - spend: the public spend key, 32 bytes.
  ///   - view: the public view key, 32 bytes.
  ///   - network: the network.
  /// - Returns: 95 characters.
  package static func encode(spend: [UInt8], view: [UInt8], on network: Network) -> String {
    let payload = [network.rawValue] + spend + view
    let bytes = payload + Keccak256.hash(payload.span).bytes.prefix(4)
    return stride(from: 0, to: bytes.count, by: blockByteCount).map { start in
      let block = bytes[start..<min(start + blockByteCount, bytes.count)]
      // Every block is padded with the digit for zero to the length of the largest one.
      let digits = Base58.encode(Array(block.drop { $0 == 0 }))
      return String(repeating: "1", count: characterCounts[block.count] - digits.utf8.count) + digits
    }.joined()
  }
}
