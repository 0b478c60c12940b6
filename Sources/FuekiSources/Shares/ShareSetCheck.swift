internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Checks shares that are meant to belong together.
struct ShareSetCheck {
  private let shares: [KnownShare]
  private let agreement: ShareAgreement
  private var findings: [ShareFinding] = []
  private var derived: Int?

  /// - Parameter shares: at least one.
  init(_ shares: [KnownShare]) {
    self.shares = shares
    agreement = ShareAgreement(shares: shares)
  }

  /// Checks each share alone, then what they have in common, then their points against the group's key.
  ///
  /// A mixed set is not compared further: nothing of it belongs together.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  consuming func run() throws -> ShareSet {
    for share in shares {
      findings += share.findingsAlone().map { ShareFinding(shares: [share.name], kind: $0) }
    }
    let mixed = agreement.differences
    findings += mixed + agreement.doubled
    let curve = agreement.common(\.curve).flatMap(Curve.init(rawValue:))
    let key = agreement.common { $0.groupPublicKey.isEmpty ? nil : [UInt8]($0.groupPublicKey) }
    var addresses: KeyAddresses?
    if mixed.isEmpty, let curve, let key, CurvePoint.isValid(key, on: curve) {
      addresses = try KeyAddresses(of: key, on: curve)
      try comparePoints(with: key, on: curve)
      try compareOwnPoints(with: key, on: curve)
    }
    return ShareSet(
      groupKey: key, curve: curve, protocolName: agreement.common(\.protocol),
      epoch: agreement.common { $0.hasEpoch ? $0.epoch : nil }, threshold: threshold,
      total: agreement.common { $0.hasTotal ? Int($0.total) : nil }, shares: shares, atHand: atHand,
      findings: findings, addresses: addresses)
  }

  private var stated: Int? { agreement.common { $0.hasThreshold ? Int($0.threshold) : nil } }

  private var threshold: ShareSet.Threshold {
    if let stated { return .stated(stated) }
    return derived.map(ShareSet.Threshold.derived) ?? .unknown
  }

  private var atHand: Int? {
    guard !shares.contains(where: { $0.secret == .closed }) else { return nil }
    return usable.count
  }

  /// One share of each party whose secret is here and sound.
  private var usable: [KnownShare] {
    var places: Set<[UInt8]> = []
    return shares.filter { $0.isUsable && ($0.place.isEmpty || places.insert($0.place).inserted) }
  }

  // MARK: the points that the shares declare

  private mutating func comparePoints(with key: [UInt8], on curve: Curve) throws {
    var declared: [(points: DeclaredPoints, by: [KnownShare])] = []
    for share in shares where !share.descriptor.points.isEmpty {
      let points = DeclaredPoints(share.descriptor)
      if let known = declared.firstIndex(where: { $0.points == points }) {
        declared[known].by.append(share)
      } else {
        declared.append((points, [share]))
      }
    }
    var sound: [(points: DeclaredPoints, by: [ShareName])] = []
    for (points, by) in declared where try compare(points, declaredBy: by, with: key, on: curve) {
      if let same = sound.firstIndex(where: { $0.points.agrees(with: points) }) {
        sound[same].by += by.map(\.name)
      } else {
        sound.append((points, by.map(\.name)))
      }
    }
    // Each is sound, and they are not the same: shares of before and after a refresh.
    guard sound.count > 1 else { return }
    let parts = sound.map { ShareFinding.Part(value: "", shares: $0.by) }
    findings.append(ShareFinding(shares: [], kind: .mixed(.points, parts)))
  }

  /// Returns whether one list of points fits the key, and records a finding if it does not.
  private mutating func compare(
    _ points: DeclaredPoints, declaredBy shares: [KnownShare], with key: [UInt8], on curve: Curve
  ) throws -> Bool {
    let names = shares.map(\.name)
    // An invalid point was reported with its share.
    guard points.areValid(on: curve) else { return false }
    guard points.points.count < PointPolynomial.pointLimit else {
      findings.append(ShareFinding(shares: names, kind: .tooManyPoints(points.points.count)))
      return false
    }
    guard let fit = try points.fit(to: key, on: curve) else {
      findings.append(ShareFinding(shares: names, kind: .placesUnusable))
      return false
    }
    switch fit {
    case .all(let count):
      note(coefficients: count)
      return true
    case .allBut(place: 0, _): findings.append(ShareFinding(shares: names, kind: .wrongGroupKey))
    case .allBut(let place, let count):
      note(coefficients: count)
      let party = party(at: points.points[place - 1].place, of: shares[0])
      findings.append(ShareFinding(shares: names, kind: .wrongPoint(party: party)))
    case .unclear:
      let isShort = points.points.count < stated ?? 0
      findings.append(ShareFinding(shares: names, kind: isShort ? .tooFewPoints : .pointsDoNotFit))
    }
    return false
  }

  private mutating func note(coefficients count: Int) {
    derived = derived ?? count
    guard let stated, stated != count else { return }
    let finding = ShareFinding(shares: [], kind: .thresholdDiffers(stated: stated, found: count))
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// The number by which a party is known: its own, or else its place in the list.
  private func party(at place: [UInt8], of share: KnownShare) -> Int {
    if let party = shares.first(where: { $0.place == place && $0.descriptor.hasPartyIndex }) {
      return Int(party.descriptor.partyIndex)
    }
    return share.descriptor.points.firstIndex { KnownShare.place($0.partyID) == place } ?? 0
  }

  // MARK: the shares' own points

  /// Compares the own points of the shares, as many as sign together, with the group's key.
  private mutating func compareOwnPoints(with key: [UInt8], on curve: Curve) throws {
    let own = ownPoints(on: curve)
    if shares.allSatisfy(\.descriptor.points.isEmpty) {
      switch own.isEmpty ? nil : try DeclaredPoints(own).fit(to: key, on: curve) {
      case .all(let count): note(coefficients: count)
      case .allBut(place: 0, _):
        findings.append(ShareFinding(shares: own.map(\.name), kind: .wrongGroupKey))
      case .allBut(let place, _):
        findings.append(ShareFinding(shares: [own[place - 1].name], kind: .wrongOwnPoint))
      case .unclear, nil:
        guard own.count < stated ?? .max else { break }
        findings.append(ShareFinding(shares: [], kind: .tooFewPoints))
      }
    }
    guard !findings.contains(where: \.isDifference), let count = threshold.count, count > 0,
      own.count >= count
    else { return }
    // The first and the last ones, so that each share takes part where there are no more than twice as many.
    for chosen in [own.prefix(count), own.suffix(count)] where try !give(key, chosen, on: curve) {
      findings.append(ShareFinding(shares: chosen.map(\.name), kind: .ownPointsDoNotFit))
      return
    }
  }

  private func give(_ key: [UInt8], _ chosen: ArraySlice<KnownShare>, on curve: Curve) throws -> Bool {
    do {
      return try CurvePoint.interpolateAtZero(chosen.map { ($0.place, $0.bestPoint) }, on: curve) == key
    } catch {
      guard error.isAboutInput else { throw error }
      return false
    }
  }

  /// One share of each party that has a point.
  private func ownPoints(on curve: Curve) -> [KnownShare] {
    var places: Set<[UInt8]> = []
    return shares.filter { share in
      !share.place.isEmpty && CurvePoint.isValid(share.bestPoint, on: curve)
        && places.insert(share.place).inserted
    }
  }
}

/// The facts that the shares of one set must have in common.
struct ShareAgreement {
  let shares: [KnownShare]

  /// The aspects in which the shares differ, with each share's value.
  ///
  /// If the curves or keys differ, nothing else is compared. A missing value differs from no other, because many
  /// sources know neither epoch nor threshold.
  var differences: [ShareFinding] {
    let apart =
      difference(.curve) { $0.curve.isEmpty ? nil : $0.curve }
      ?? difference(.protocol) { $0.protocol.isEmpty ? nil : $0.protocol }
      ?? difference(.key) { $0.groupPublicKey.isEmpty ? nil : Hex.encode([UInt8]($0.groupPublicKey)) }
    if let apart { return [apart] }
    return [
      difference(.epoch) { $0.hasEpoch ? "\($0.epoch)" : nil },
      difference(.threshold) { $0.hasThreshold ? "\($0.threshold)" : nil },
    ].compactMap(\.self)
  }

  private func difference(
    _ aspect: ShareFinding.Aspect, _ value: (KeyShareDescriptor) -> String?
  ) -> ShareFinding? {
    var parts: [(value: String, shares: [ShareName])] = []
    for share in shares {
      guard let value = value(share.descriptor) else { continue }
      if let known = parts.firstIndex(where: { $0.value == value }) {
        parts[known].shares.append(share.name)
      } else {
        parts.append((value, [share.name]))
      }
    }
    guard parts.count > 1 else { return nil }
    let named = parts.map { ShareFinding.Part(value: $0.value, shares: $0.shares) }
    return ShareFinding(shares: [], kind: .mixed(aspect, named))
  }

  /// Shares of the same party, which count once.
  ///
  /// A share without an x is none's double.
  var doubled: [ShareFinding] {
    var known: [[UInt8]: [ShareName]] = [:]
    for share in shares where !share.place.isEmpty { known[share.place, default: []].append(share.name) }
    return known.values.filter { $0.count > 1 }
      .sorted { $0[0].id.lexicographicallyPrecedes($1[0].id) }
      .map { ShareFinding(shares: $0, kind: .doubled) }
  }

  /// One value that all shares which have it agree on.
  func common<Value: Hashable>(_ value: (KeyShareDescriptor) -> Value?) -> Value? {
    let values = Set(shares.compactMap { value($0.descriptor) })
    return values.count == 1 ? values.first : nil
  }
}

/// The public points of all parties as one or more shares declare them.
struct DeclaredPoints: Hashable {
  struct Point: Hashable {
    /// The x coordinate without zeros in front.
    let place: [UInt8]
    let bytes: [UInt8]
  }

  /// In ascending order of x, so that the same points in another order are the same.
  let points: [Point]

  init(_ descriptor: KeyShareDescriptor) {
    points = descriptor.points.map { point in
      Point(place: KnownShare.place(point.partyID), bytes: [UInt8](point.point))
    }.sorted { a, b in
      a.place.count == b.place.count
        ? a.place.lexicographicallyPrecedes(b.place) : a.place.count < b.place.count
    }
  }

  init(_ shares: [KnownShare]) {
    points = shares.map { Point(place: $0.place, bytes: $0.bestPoint) }
  }

  subscript(place: [UInt8]) -> [UInt8]? { points.first { $0.place == place }?.bytes }

  /// Whether both can be of one polynomial: they have parties in common, and the same point for each of these.
  func agrees(with other: DeclaredPoints) -> Bool {
    let both = points.compactMap { point in other[point.place].map { $0 == point.bytes } }
    return !both.isEmpty && both.allSatisfy(\.self)
  }

  func areValid(on curve: Curve) -> Bool {
    points.allSatisfy { point in CurvePoint.isValid(point.bytes, on: curve) }
  }

  /// Compares the points with the group's key, which is the value at zero.
  ///
  /// Nil where two x are the same number, one is zero or too long, or a point is none: nothing can be compared then.
  func fit(to groupKey: [UInt8], on curve: Curve) throws(CryptoError) -> PointPolynomial.Fit? {
    do {
      return try PointPolynomial([([], groupKey)] + points.map { ($0.place, $0.bytes) }, on: curve).fit()
    } catch {
      guard error.isAboutInput else { throw error }
      return nil
    }
  }
}

extension CryptoError {
  /// Whether the fault is in the input, and not in the machine.
  var isAboutInput: Bool {
    switch self {
    case .invalidKey, .invalidPoint, .invalidLength: true
    default: false
    }
  }
}
