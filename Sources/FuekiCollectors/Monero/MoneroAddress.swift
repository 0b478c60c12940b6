internal import FuekiCrypto
internal import FuekiWallet

/// The texts of Monero's addresses: a network's number, two public keys and four bytes of Keccak-256, in Monero's own
/// arrangement of Base58.
package enum MoneroAddress {
  /// Where an address is of use; the number begins it.
  package enum Network: UInt8, CaseIterable, Sendable {
    /// Where the money is.
    case mainnet = 18
    /// For tests of the programs.
    case testnet = 53
    /// For tests of what uses them.
    case stagenet = 24

    /// The network by its number in a wallet's settings; a chain of one's own has addresses as the main one's.
    init?(setting: UInt64) {
      switch setting {
      case 0, 3: self = .mainnet
      case 1: self = .testnet
      case 2: self = .stagenet
      default: return nil
      }
    }

    /// What people call it.
    package var name: String {
      switch self {
      case .mainnet: "mainnet"
      case .testnet: "testnet"
      case .stagenet: "stagenet"
      }
    }
  }

  private static let blockByteCount = 8
  /// How many characters a block of so many bytes has.
  private static let characterCounts = [0, 2, 3, 5, 6, 7, 9, 10, 11]

  /// The primary address of a wallet.
  ///
  /// - Parameters:
  ///   - spend: the public spend key, 32 bytes.
  ///   - view: the public view key, 32 bytes.
  ///   - network: where it is of use.
  /// - Returns: 95 characters.
  package static func encode(spend: [UInt8], view: [UInt8], on network: Network) -> String {
    let payload = [network.rawValue] + spend + view
    let bytes = payload + Keccak256.hash(payload.span).bytes.prefix(4)
    return stride(from: 0, to: bytes.count, by: blockByteCount).map { start in
      let block = bytes[start..<min(start + blockByteCount, bytes.count)]
      // Every block has as many characters as the largest of its length, with the digit for zero before them.
      let digits = Base58.encode(Array(block.drop { $0 == 0 }))
      return String(repeating: "1", count: characterCounts[block.count] - digits.utf8.count) + digits
    }.joined()
  }
}
