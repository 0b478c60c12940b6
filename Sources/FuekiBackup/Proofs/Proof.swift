internal import FuekiCrypto
internal import FuekiWallet

/// Whether what an archive holds leads to an address again.
public struct Proof: Hashable, Sendable {
  /// The owner of the address.
  public enum Subject: String, Sendable {
    case wallet
    case keystore
    case keyShares = "key-shares"
    case privateKey = "private-key"
  }

  /// The source of an address.
  public enum Source: String, Sendable {
    case keyShares = "key-shares"
    case privateKey = "private-key"
    case seedPhrase = "seed-phrase"
    case keystore
    case descriptor
  }

  /// The result of deriving the address again.
  public enum Result: Hashable, Sendable {
    /// It is the same.
    case proved(by: Source)
    /// It is another, or what it is derived from contradicts itself.
    case differs(Source, Difference)
    /// It could not be derived, or not be compared.
    case notChecked(Gap)
  }

  /// The subject of the proof.
  public let subject: Subject
  /// The record's id, as the record has it.
  public let id: [UInt8]
  /// The name that its owner or its source uses; a wallet's with its network, if other wallets have the name too.
  public let name: String
  /// The address to derive; empty if there is none.
  public let address: String
  /// The result of deriving it.
  public let result: Result
  /// The key shares that it was derived from, and their key.
  var shares: [ShareName] = []
  var groupKey: [UInt8] = []

  /// The id as text: a wallet's as its source has it, others in hex.
  public var idText: String {
    (subject == .wallet ? PackedText.text(id.span) : nil) ?? Hex.encode(id)
  }

  /// Whether the keys are not those of the address.
  public var isDifference: Bool {
    if case .differs = result { true } else { false }
  }

  /// Whether the address is that of the keys.
  public var isProved: Bool {
    if case .proved = result { true } else { false }
  }
}
