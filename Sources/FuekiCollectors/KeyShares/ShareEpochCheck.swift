internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Shares of one key that were read out of several files.
enum ShareEpochCheck {
  /// Notes which shares do not sign with others of the same key, and what only several of them together prove.
  static func compare(_ shares: inout [FoundShare]) throws(CryptoError) {
    var groups: [Data: [Int]] = [:]
    for (place, share) in shares.enumerated()
    where share.isCurrent && !share.descriptor.groupPublicKey.isEmpty {
      let key = Data((share.descriptor.curve + share.descriptor.protocol).utf8)
      groups[key + share.descriptor.groupPublicKey, default: []].append(place)
    }
    for group in groups.values {
      noteStale(group, &shares)
      try proveTogether(group, &shares)
    }
  }

  /// A share whose public list is not that of most others is of another epoch.
  ///
  /// Where as many say the one as the other, nothing tells which is older, and all of them are named.
  private static func noteStale(_ group: [Int], _ shares: inout [FoundShare]) {
    let listed = group.filter { !shares[$0].epoch.isEmpty && !shares[$0].finding.isFaulty }
    let epochs = Dictionary(grouping: listed) { shares[$0].epoch }
    guard epochs.count > 1 else { return }
    let most = epochs.values.map(\.count).max() ?? 0
    let isClear = epochs.values.filter { $0.count == most }.count == 1
    for places in epochs.values where !isClear || places.count < most {
      for place in places { shares[place].finding.result = .faulty(.staleShare) }
    }
  }

  /// Shares whose files list no others prove the key together, where there are as many as sign.
  private static func proveTogether(_ group: [Int], _ shares: inout [FoundShare]) throws(CryptoError) {
    let alone = group.filter { shares[$0].finding.result == .notProved(.needsOtherParties) }
    guard let first = alone.first, let curve = Curve(rawValue: shares[first].descriptor.curve) else { return }
    var known: [Data: Data] = [:]
    for place in alone {
      let descriptor = shares[place].descriptor
      known[descriptor.partyID] = descriptor.ownPublicPoint
    }
    let needed = Int(shares[first].descriptor.threshold)
    guard needed > 0, known.count >= needed else { return }
    let points = known.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (x: [UInt8]($0.key), point: [UInt8]($0.value)) }
    let key = [UInt8](shares[first].descriptor.groupPublicKey)
    var isRight = true
    for chosen in [points.prefix(needed), points.suffix(needed)] {
      do throws(CryptoError) {
        isRight = try CurvePoint.interpolateAtZero(Array(chosen), on: curve) == key && isRight
      } catch {
        guard error.concernsInput else { throw error }
        isRight = false
      }
    }
    for place in alone {
      shares[place].finding.result = isRight ? .proved(.groupKey) : .faulty(.groupDiffers)
    }
  }
}
