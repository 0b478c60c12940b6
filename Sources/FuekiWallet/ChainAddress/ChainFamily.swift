/// A family of chains with the same address format.
public enum ChainFamily: Hashable, Sendable {
  /// Ethereum and compatible chains; `chain_id` is a decimal number.
  case evm
  /// Bitcoin and chains with its address formats; `chain_id` is a network's name.
  case bitcoin
  /// Any other family, whose addresses are not checked.
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
