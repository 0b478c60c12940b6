internal import FoundationEssentials
internal import FuekiCrypto
public import FuekiWallet

/// Whether key shares are sound, of one key, and enough for its threshold.
///
/// Only public points are compared: the private key is never rebuilt, nor any part of it.
public enum ShareCheck {
  /// Which shares are meant to belong together.
  public enum Grouping: Sendable {
    /// All of them, as given.
    case oneSet
    /// By wallet, or by key if no wallet is stated; separately for each curve, protocol and ceremony.
    case byWallet
  }

  /// Checks shares.
  ///
  /// - Parameters:
  ///   - shares: at most one set of them with ``Grouping/oneSet``.
  ///   - grouping: determines the sets.
  ///   - wallets: wallets whose addresses to compare with the keys.
  /// - Returns: the report, in the order of the shares.
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func run(
    _ shares: [KnownShare], grouping: Grouping, wallets: [Wallet] = []
  ) throws -> ShareReport {
    var report = ShareReport(sets: try groups(of: shares, grouping).map { try ShareSetCheck($0).run() })
    for place in report.sets.indices { report.sets[place].find(in: wallets) }
    return report
  }

  private struct Key: Hashable {
    let owner: Data
    let curve: String
    let protocolName: String
  }

  private static func groups(of shares: [KnownShare], _ grouping: Grouping) -> [[KnownShare]] {
    guard grouping == .byWallet else { return shares.isEmpty ? [] : [shares] }
    var order: [Key] = []
    var groups: [Key: [KnownShare]] = [:]
    for share in shares {
      let descriptor = share.descriptor
      let key = Key(
        owner: descriptor.hasWalletID
          ? Data([1]) + descriptor.walletID : Data([0]) + descriptor.groupPublicKey,
        curve: descriptor.curve, protocolName: descriptor.protocol)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(share)
    }
    return order.compactMap { groups[$0] }.flatMap(ceremonies)
  }

  /// Divides one key's shares by the ceremonies that made them, such as one for each of two chains with one key.
  ///
  /// A party has a share from each of its ceremonies. Shares of different parties that do not fit together are a
  /// mix, and so are those that have an epoch: they remain one set.
  private static func ceremonies(_ shares: [KnownShare]) -> [[KnownShare]] {
    var sets: [(points: DeclaredPoints, parties: Set<[UInt8]>, shares: [KnownShare])] = []
    for share in shares {
      guard !share.descriptor.points.isEmpty, !share.place.isEmpty, !share.descriptor.hasEpoch else {
        return [shares]
      }
      let points = DeclaredPoints(share.descriptor)
      if let known = sets.firstIndex(where: { $0.points.agrees(with: points) }) {
        sets[known].parties.insert(share.place)
        sets[known].shares.append(share)
      } else {
        sets.append((points, [share.place], [share]))
      }
    }
    let isMixed = sets.contains { set in sets.contains { $0.parties.isDisjoint(with: set.parties) } }
    return isMixed ? [shares] : sets.map(\.shares)
  }
}

extension ShareSet {
  /// Notes the wallets that have one of the key's addresses, and those that belong to the shares and have another.
  mutating func find(in wallets: [Wallet]) {
    guard let addresses, let groupKey else { return }
    let owners = Set(shares.filter(\.descriptor.hasWalletID).map(\.descriptor.walletID))
    for wallet in wallets {
      let texts = ([wallet.address] + wallet.accounts.map(\.address)).compactMap(PackedText.text)
        .filter { !$0.isEmpty }
      let family = ChainFamily(wallet.chainFamily)
      let own = texts.first { addresses.contains($0, family: family, chainID: wallet.chainID) }
      if let own {
        self.wallets.append(WalletMatch(name: wallet.name, address: own))
      } else if let other = texts.first,
        owners.contains(wallet.id) || [UInt8](wallet.groupPublicKey) == groupKey
      {
        findings.append(
          ShareFinding(shares: [], kind: .otherAddress(wallet: wallet.name, address: other)))
      }
    }
  }
}

/// The result of a check of key shares, set by set.
public struct ShareReport: Sendable {
  /// The sets, each of one key as far as its shares agree.
  public internal(set) var sets: [ShareSet]

  /// Whether nothing is wrong with any share.
  public var isSound: Bool { sets.allSatisfy(\.isSound) }
  /// Whether the available shares reach each set's threshold; false if unknown, or without shares.
  public var isEnough: Bool { !sets.isEmpty && sets.allSatisfy(\.isEnough) }
  /// The report as an archive's manifest keeps it: pairs `name=value` in a fixed order, for programs.
  public var manifestLines: [String] { sets.flatMap(\.manifestLines) }
}
