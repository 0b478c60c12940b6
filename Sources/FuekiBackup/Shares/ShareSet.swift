public import FuekiCrypto
public import FuekiWallet

/// Key shares that belong together, with the findings on them.
public struct ShareSet: Sendable {
  /// How many shares sign together.
  public enum Threshold: Hashable, Sendable {
    /// The shares say so.
    case stated(Int)
    /// Not stated; derived from the number of coefficients of the polynomial through their points.
    case derived(Int)
    /// Neither is known.
    case unknown

    /// The number, if known.
    public var count: Int? {
      switch self {
      case .stated(let count), .derived(let count): count
      case .unknown: nil
      }
    }
  }

  /// A wallet of the archive that has an address of the group's key.
  public struct WalletMatch: Hashable, Sendable {
    /// The owner's name for it.
    public let name: String
    /// The address that it has.
    public let address: String
  }

  /// The group's public key, compressed; nil if the shares disagree.
  public let groupKey: [UInt8]?
  /// The curve; nil if the shares disagree or it is unknown.
  public let curve: Curve?
  /// The protocol; nil if the shares disagree.
  public let protocolName: String?
  /// The epoch; nil if it is not stated or the shares disagree.
  public let epoch: UInt64?
  /// How many shares sign together.
  public let threshold: Threshold
  /// The number of parties, if stated.
  public let total: Int?
  /// The shares.
  public let shares: [KnownShare]
  /// The number of different shares with a valid secret; nil if the secrets were not opened.
  public let atHand: Int?
  /// The findings, with those on single shares first.
  public internal(set) var findings: [ShareFinding]
  /// The addresses of the group's key.
  public let addresses: KeyAddresses?
  /// The wallets that have one of them.
  public internal(set) var wallets: [WalletMatch] = []

  /// Whether nothing is wrong.
  public var isSound: Bool { !findings.contains(where: \.isDifference) }
  /// Whether the available shares can sign together; false if unknown.
  public var isEnough: Bool {
    guard isSound, let atHand, let count = threshold.count else { return false }
    return atHand >= count
  }
}
