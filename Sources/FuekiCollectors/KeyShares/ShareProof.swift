internal import FoundationEssentials
internal import FuekiBackup
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
