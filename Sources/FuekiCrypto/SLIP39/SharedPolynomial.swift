/// A secret as the value of a polynomial per byte, which any `threshold` of its points determine.
///
/// See SLIP-0039, section "Sharing a secret".
enum SharedPolynomial {
  /// A point: its place is public, its value is not.
  struct Point: Sendable {
    let x: UInt8
    let value: SharedSecret
  }

  /// The place of the secret itself.
  private static let secretPlace: UInt8 = 255
  /// The place of a digest of the secret, which reveals a wrong point.
  private static let digestPlace: UInt8 = 254
  private static let digestLength = 4

  /// Creates the points 0, 1, … of a random polynomial.
  static func split(
    _ secret: SharedSecret, threshold: Int, count: Int,
    random: (Int) throws(CryptoError) -> SharedSecret
  ) throws(CryptoError) -> [Point] {
    precondition(1...count ~= threshold && count <= 16, "checked by the caller")
    let length = secret.bytes.count
    guard threshold > 1 else { return (0..<count).map { Point(x: UInt8($0), value: secret) } }
    guard length > digestLength else { throw .invalidLength }
    var points: [Point] = []
    for x in 0..<(threshold - 2) { points.append(Point(x: UInt8(x), value: try random(length))) }
    let pad = try random(length - digestLength)
    let digest = try digest(of: secret.bytes, pad: pad.bytes)
    var digestShare = try SecretBytes(count: length)
    digestShare.withMutableBytes { share in
      digest.withBytes { digest in
        for index in 0..<digestLength { share[index] = digest[index] }
      }
      pad.bytes.withBytes { pad in
        for index in pad.indices { share[digestLength + index] = pad[index] }
      }
    }
    let base =
      points
      + [Point(x: digestPlace, value: SharedSecret(digestShare)), Point(x: secretPlace, value: secret)]
    for x in points.count..<count {
      points.append(Point(x: UInt8(x), value: try interpolate(base, at: UInt8(x))))
    }
    return points
  }

  /// Recovers the secret from enough points, whose places differ and whose values have equal lengths.
  static func recover(_ points: [Point], threshold: Int) throws(SLIP39Error) -> SharedSecret {
    precondition(points.count >= threshold && threshold >= 1, "checked by the caller")
    let base = Array(points.prefix(threshold))
    do throws(CryptoError) {
      let secret = threshold == 1 ? base[0].value : try interpolate(base, at: secretPlace)
      var isRight = threshold == 1 ? true : try hasDigest(base, of: secret)
      for point in points.dropFirst(threshold) {
        let expected = try interpolate(base, at: point.x)
        let isSame = expected.bytes.isEqualInConstantTime(to: point.value.bytes)
        isRight = isRight && isSame
      }
      if isRight { return secret }
    } catch {
      throw .crypto(error)
    }
    throw .digest
  }

  private static func hasDigest(_ points: [Point], of secret: SharedSecret) throws(CryptoError) -> Bool {
    let share = try interpolate(points, at: digestPlace)
    guard share.bytes.count > digestLength else { return false }
    let digest = try share.bytes.copy(0..<digestLength)
    let pad = try share.bytes.copy(digestLength..<share.bytes.count)
    let expected = try Self.digest(of: secret.bytes, pad: pad)
    return digest.isEqualInConstantTime(to: expected)
  }

  private static func digest(
    of secret: borrowing SecretBytes, pad: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let code = try SecretBytes(count: Digest.byteCount)
    var state = try HMACSHA256()
    pad.withBytes { state.begin(key: $0) }
    secret.withBytes { state.update($0) }
    state.finish(into: code, at: 0)
    return try code.copy(0..<digestLength)
  }

  /// The value at a place, by Lagrange's formula.
  private static func interpolate(_ points: [Point], at x: UInt8) throws(CryptoError) -> SharedSecret {
    if let known = points.first(where: { $0.x == x }) { return known.value }
    var sum = try SecretBytes(count: points.first?.value.bytes.count ?? 0)
    for point in points {
      var (over, under): (UInt8, UInt8) = (1, 1)
      for other in points where other.x != point.x {
        over = GF256.multiply(over, x ^ other.x)
        under = GF256.multiply(under, point.x ^ other.x)
      }
      let weight = GF256.multiply(over, GF256.inverse(under))
      sum.withMutableBytes { sum in
        point.value.bytes.withBytes { value in
          for index in sum.indices { sum[index] ^= GF256.multiply(value[index], weight) }
        }
      }
    }
    return SharedSecret(sum)
  }
}

/// Arithmetic in the field of 256 elements, modulo x⁸ + x⁴ + x³ + x + 1.
///
/// No tables of logarithms: their lines in the processor's cache would reveal the index.
enum GF256 {
  /// Multiplies in a time that does not depend on the factors.
  static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (a, product): (UInt8, UInt8) = (a, 0)
    for bit in 0..<8 {
      product ^= a & (0 &- (b >> UInt8(bit) & 1))
      a = a << 1 ^ 0x1b & (0 &- (a >> 7))
    }
    return product
  }

  /// The multiplicative inverse, the element's 254th power; 0 for 0.
  static func inverse(_ a: UInt8) -> UInt8 {
    var (power, product) = (a, 1 as UInt8)
    for _ in 0..<7 {
      power = multiply(power, power)
      product = multiply(product, power)
    }
    return product
  }
}
