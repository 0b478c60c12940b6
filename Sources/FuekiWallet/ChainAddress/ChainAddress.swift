/// A kind of chains that share the shape of their addresses.
public enum ChainFamily: Hashable, Sendable {
  /// Ethereum and the chains that follow it; `chain_id` is a decimal number.
  case evm
  /// Bitcoin and the chains that took its addresses over; `chain_id` is a network's name.
  case bitcoin
  /// Any other family, whose addresses are not judged.
  case other(String)

  /// Reads the text of a record's `chain_family`.
  public init(_ text: String) {
    switch text {
    case "evm": self = .evm
    case "bitcoin": self = .bitcoin
    default: self = .other(text)
    }
  }

  /// The text of a record's `chain_family`.
  public var name: String {
    switch self {
    case .evm: "evm"
    case .bitcoin: "bitcoin"
    case .other(let name): name
    }
  }
}

/// The rules of addresses, by chain.
public enum ChainAddress {
  /// What is wrong with an address; nil if nothing is, and for families and networks that are not known.
  public static func problem(address: String, family: ChainFamily, chainID: String) -> AddressProblem? {
    switch family {
    case .evm:
      do throws(AddressProblem) {
        _ = try EVMAddress(address)
        return nil
      } catch {
        return error
      }
    case .bitcoin: return BitcoinNetwork.named(chainID)?.problem(with: address)
    case .other: return nil
    }
  }
}
