internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// The proof of a key share from one file alone.
enum ShareProof {
  /// Assesses the share in a file.
  ///
  /// - Parameters:
  ///   - side: its public part; receives the threshold of its points if the file states none.
  ///   - point: the secret's public point; nil if the file has no scalar of the curve.
  ///   - wanted: the required key; empty if not known from elsewhere.
  /// - Returns: proved, or the fault.
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  static func result(
    of side: inout SharePublicSide, point: [UInt8]?, wanted: [UInt8] = []
  ) throws(CryptoError) -> WalletFinding.Result {
    if !wanted.isEmpty, side.groupKey != wanted { return .faulty(.foreignShare) }
    guard let curve = Curve(rawValue: side.curve) else { return .notProved(.unknownScheme) }
    guard CurvePoint.isValid(side.groupKey, on: curve), let point else { return .faulty(.malformed) }
    guard point == side.ownPoint else { return .faulty(.secretDiffers) }
    if point == side.groupKey, side.parties.isEmpty { return .proved(.wholeKey) }
    guard !side.parties.isEmpty else { return .proved(.publicKey) }
    guard side.parties.contains(where: { $0.point == point && isSame($0.place, side.ownPlace) }) else {
      return .faulty(.secretDiffers)
    }
    return try groupResult(of: &side, on: curve)
  }

  /// Checks that the public shares of all parties yield the group's key.
  static func groupResult(
    of side: inout SharePublicSide, on curve: Curve
  ) throws(CryptoError) -> WalletFinding.Result {
    let fit: PointPolynomial.Fit
    do throws(CryptoError) {
      let values = [(x: [], point: side.groupKey)] + side.parties.map { (x: $0.place, point: $0.point) }
      guard values.count <= PointPolynomial.pointLimit else { return .proved(.publicKey) }
      fit = try PointPolynomial(values, on: curve).fit()
    } catch {
      guard error.concernsInput else { throw error }
      return .faulty(.malformed)
    }
    guard case .all(let count) = fit else {
      // Fewer public shares than the threshold prove nothing.
      if let stated = side.threshold, side.parties.count < stated { return .proved(.publicKey) }
      return .faulty(.groupDiffers)
    }
    if let stated = side.threshold, stated != count { return .faulty(.groupDiffers) }
    side.threshold = count
    return count == 1 ? .proved(.wholeKey) : .proved(.groupKey)
  }

  /// Returns the public point of a scalar; nil for a number that is not a scalar of the curve.
  static func point(
    of scalar: borrowing SecretBytes, on curve: Curve
  ) throws(CryptoError) -> [UInt8]? {
    do throws(CryptoError) {
      return try CurvePoint.multiplyBase(scalar, on: curve)
    } catch {
      guard error.concernsInput else { throw error }
      return nil
    }
  }

  /// Returns a finding's details: threshold, total, and the group's key.
  static func detail(_ side: SharePublicSide) -> String {
    var parts: [String] = []
    if let threshold = side.threshold, let total = side.total { parts.append("\(threshold) of \(total)") }
    if !side.groupKey.isEmpty { parts.append(Hex.encode(side.groupKey)) }
    return parts.joined(separator: ", ")
  }

  /// Whether two numbers are equal, ignoring leading zeros.
  static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.drop { $0 == 0 }.elementsEqual(b.drop { $0 == 0 })
  }
}

extension CryptoError {
  /// Whether the input is at fault rather than the machine.
  var concernsInput: Bool {
    switch self {
    case .invalidKey, .invalidPoint, .invalidLength: true
    default: false
    }
  }
}

/// The public part of a share, by its format.
struct SharePublicSide {
  var scheme: String
  var curve: String
  var encoding: String
  var name: String
  var groupKey: [UInt8] = []
  var ownPoint: [UInt8] = []
  /// The own x coordinate, big-endian.
  var ownPlace: [UInt8] = []
  var partyIndex: Int?
  /// The number of shares that sign together, if the file states it.
  var threshold: Int?
  var total: Int?
  var parties: [(place: [UInt8], point: [UInt8])] = []
  var extra: [Extra] = []

  init(scheme: String, curve: String, encoding: String, name: String) {
    (self.scheme, self.curve, self.encoding, self.name) = (scheme, curve, encoding, name)
  }

  /// Creates the public part from another reader's descriptor, with a different encoding.
  init(_ share: KeyShareDescriptor, encoding: String) {
    self.init(scheme: share.protocol, curve: share.curve, encoding: encoding, name: share.name)
    groupKey = [UInt8](share.groupPublicKey)
    ownPoint = [UInt8](share.ownPublicPoint)
    ownPlace = [UInt8](share.partyID)
    partyIndex = share.hasPartyIndex ? Int(share.partyIndex) : nil
    total = share.hasTotal ? Int(share.total) : nil
    parties = share.points.map { ([UInt8]($0.partyID), [UInt8]($0.point)) }
  }

  /// The descriptor.
  ///
  /// Its id is equal in every backup, and changes with a refresh.
  var descriptor: KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.protocol = scheme
    descriptor.curve = curve
    if let partyIndex { descriptor.partyIndex = UInt32(clamping: partyIndex) }
    if let threshold { descriptor.threshold = UInt32(clamping: threshold) }
    if let total { descriptor.total = UInt32(clamping: total) }
    descriptor.groupPublicKey = Data(groupKey)
    descriptor.ownPublicPoint = Data(ownPoint)
    descriptor.partyID = Data(ownPlace)
    descriptor.points = parties.map { party in
      var point = PartyPoint()
      point.partyID = Data(party.place)
      point.point = Data(party.point)
      return point
    }
    descriptor.encoding = encoding
    descriptor.name = name
    descriptor.extra = extra
    let points = parties.flatMap { $0.place + $0.point }
    let digest = SHA256.hash(
      Array("fueki/1 foreign share\0\(scheme)\0\(curve)\0".utf8), groupKey, [0] + ownPlace,
      [0] + ownPoint + points)
    descriptor.id = Data(digest.bytes.prefix(16))
    return descriptor
  }
}

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
