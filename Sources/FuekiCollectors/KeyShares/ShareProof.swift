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
