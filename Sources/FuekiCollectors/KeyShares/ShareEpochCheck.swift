internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Compares shares of one key from several files.
enum ShareEpochCheck {
  /// Marks shares that do not sign with others of the same key, and records joint proofs.
  static func compare(_ shares: inout [FoundShare]) throws(CryptoError) {
    var groups: [Data: [Int]] = [:]
    for (place, share) in shares.enumerated()
    where share.isCurrent && !share.descriptor.groupPublicKey.isEmpty {
      let key = Data((share.descriptor.curve + share.descriptor.protocol + share.ceremony).utf8)
      groups[key + share.descriptor.groupPublicKey, default: []].append(place)
    }
    for group in groups.values {
      noteStale(group, &shares)
      try proveTogether(group, &shares)
    }
  }

  /// The shares of one key in one file, and the files that share an epoch with it.
  private struct Cluster {
    var epochs: Set<Set<Data>>
    var places: [Int]
    /// The chains that the shares are for; empty for every chain.
    var chains: Set<String>

    /// Whether both have shares for one chain, so that one of them replaced the other.
    func isComparable(with other: Cluster) -> Bool {
      chains.isEmpty || other.chains.isEmpty || !chains.isDisjoint(with: other.chains)
    }
  }

  /// Marks a share as stale if its public list differs from that of most others.
  ///
  /// A file has shares of two epochs only if two ceremonies made shares of the key, as for two chains with
  /// one key. Both are then current, as they are if each chain's share is in a file of its own. If the counts are equal, the older one cannot be determined, and all are
  /// listed.
  private static func noteStale(_ group: [Int], _ shares: inout [FoundShare]) {
    let listed = group.filter { !shares[$0].epoch.isEmpty && !shares[$0].finding.isFaulty }
    let documents = Dictionary(grouping: listed) { shares[$0].document }
    var clusters: [Cluster] = []
    for (_, places) in documents.sorted(by: { $0.key < $1.key }) {
      var cluster = Cluster(
        epochs: Set(places.map { shares[$0].epoch }), places: places, chains: chains(of: places, shares))
      for other in clusters where !other.epochs.isDisjoint(with: cluster.epochs) {
        cluster.epochs.formUnion(other.epochs)
        cluster.places += other.places
      }
      cluster.chains = chains(of: cluster.places, shares)
      clusters.removeAll { !$0.epochs.isDisjoint(with: cluster.epochs) }
      clusters.append(cluster)
    }
    for cluster in clusters {
      let rivals = clusters.filter(cluster.isComparable)
      let most = rivals.map(\.places.count).max() ?? 0
      let isClear = rivals.count { $0.places.count == most } == 1
      guard !isClear || cluster.places.count < most else { continue }
      for place in cluster.places { shares[place].finding.result = .faulty(.staleShare) }
    }
  }

  private static func chains(of places: [Int], _ shares: [FoundShare]) -> Set<String> {
    let all = places.map { shares[$0].chains }
    return all.contains(where: \.isEmpty) ? [] : all.reduce(into: []) { $0.formUnion($1) }
  }

  /// The limit of combinations of shares to try.
  private static let combinationLimit = 64

  /// Proves the key jointly for shares whose files do not list the others, if there are enough to sign.
  ///
  /// Two ceremonies of one key produce two shares of each party. Nothing in them shows which belong together,
  /// but only shares of one ceremony yield the key.
  private static func proveTogether(_ group: [Int], _ shares: inout [FoundShare]) throws(CryptoError) {
    let alone = group.filter { shares[$0].finding.result == .notProved(.needsOtherParties) }
    guard let first = alone.first, let curve = Curve(rawValue: shares[first].descriptor.curve) else { return }
    var parties: [Data: Set<Data>] = [:]
    for place in alone {
      let descriptor = shares[place].descriptor
      parties[descriptor.partyID, default: []].insert(descriptor.ownPublicPoint)
    }
    let needed = Int(shares[first].descriptor.threshold)
    guard needed > 0, parties.count >= needed else { return }
    let key = [UInt8](shares[first].descriptor.groupPublicKey)
    let combinations = Self.combinations(of: parties)
    var proven: Set<Data> = []
    for points in combinations {
      let isRight = try leads(points, to: key, needed: needed, on: curve)
      if isRight { proven.formUnion(points.map { Data($0.x + $0.point) }) }
    }
    for place in alone {
      let descriptor = shares[place].descriptor
      let isRight = proven.contains(descriptor.partyID + descriptor.ownPublicPoint)
      // Among several shares of a party, those without a known ceremony may need another device's file.
      guard isRight || combinations.count == 1 else { continue }
      shares[place].finding.result = isRight ? .proved(.groupKey) : .faulty(.groupDiffers)
    }
  }

  /// Returns all choices of one point for each party, up to a limit.
  private static func combinations(of parties: [Data: Set<Data>]) -> [[(x: [UInt8], point: [UInt8])]] {
    var all: [[(x: [UInt8], point: [UInt8])]] = [[]]
    for (party, points) in parties.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let sorted = points.sorted { $0.lexicographicallyPrecedes($1) }
      all = all.flatMap { chosen in sorted.map { chosen + [(x: [UInt8](party), point: [UInt8]($0))] } }
      if all.count > combinationLimit { all.removeLast(all.count - combinationLimit) }
    }
    return all
  }

  private static func leads(
    _ points: [(x: [UInt8], point: [UInt8])], to key: [UInt8], needed: Int, on curve: Curve
  ) throws(CryptoError) -> Bool {
    for chosen in [points.prefix(needed), points.suffix(needed)] {
      do throws(CryptoError) {
        guard try CurvePoint.interpolateAtZero(Array(chosen), on: curve) == key else { return false }
      } catch {
        guard error.concernsInput else { throw error }
        return false
      }
    }
    return true
  }
}
