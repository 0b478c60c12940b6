import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiWallet

/// Key shares that really fit together: values of a polynomial with random coefficients.
struct ShareSample {
  let curve: Curve
  let groupKey: [UInt8]
  var descriptors: [KeyShareDescriptor] = []
  let secrets: [SharedSecret]
  private let coefficients: [SharedSecret]

  init(threshold: Int = 2, total: Int = 3, on curve: Curve = .secp256k1) throws {
    var coefficients: [SharedSecret] = []
    for _ in 0..<threshold { coefficients.append(SharedSecret(try CurveScalar.random(on: curve))) }
    try self.init(coefficients, total: total, on: curve)
  }

  private init(_ coefficients: [SharedSecret], total: Int, on curve: Curve) throws {
    self.curve = curve
    self.coefficients = coefficients
    groupKey = try CurvePoint.multiplyBase(coefficients[0].bytes, on: curve)
    var secrets: [SharedSecret] = []
    var points: [PartyPoint] = []
    for party in 1...total {
      let x = [UInt8](repeating: 0, count: 31) + [UInt8(party)]
      let place = try SecretBytes(copying: x.span)
      var value = try SecretBytes(count: 32)
      for coefficient in coefficients.reversed() {
        let product = try CurveScalar.multiply(value, place, on: curve)
        value = try CurveScalar.add(product, coefficient.bytes, on: curve)
      }
      var point = PartyPoint()
      point.partyID = Data(x)
      point.point = Data(try CurvePoint.multiplyBase(value, on: curve))
      points.append(point)
      secrets.append(SharedSecret(value))
    }
    self.secrets = secrets
    for (index, point) in points.enumerated() {
      var descriptor = KeyShareDescriptor()
      descriptor.id = Data(repeating: UInt8(index + 1), count: 16)
      descriptor.protocol = "test"
      descriptor.curve = curve.rawValue
      descriptor.partyIndex = UInt32(index)
      descriptor.total = UInt32(total)
      descriptor.threshold = UInt32(coefficients.count)
      descriptor.epoch = 1
      descriptor.groupPublicKey = Data(groupKey)
      descriptor.ownPublicPoint = point.point
      descriptor.partyID = point.partyID
      descriptor.points = points
      descriptor.encoding = "scalar"
      descriptor.name = "share \(index)"
      descriptors.append(descriptor)
    }
  }

  /// Other shares of the same key, as a refresh makes them.
  func refreshed() throws -> ShareSample {
    var others = [coefficients[0]]
    for _ in coefficients.dropFirst() { others.append(SharedSecret(try CurveScalar.random(on: curve))) }
    return try ShareSample(others, total: descriptors.count, on: curve)
  }

  /// A point of the curve that belongs to nothing.
  func strangePoint() throws -> Data {
    let scalar = try CurveScalar.random(on: curve)
    return Data(try CurvePoint.multiplyBase(scalar, on: curve))
  }

  /// Changes every descriptor.
  mutating func change(_ body: (inout KeyShareDescriptor) -> Void) {
    for index in descriptors.indices { body(&descriptors[index]) }
  }

  func known(_ places: [Int]? = nil) throws -> [KnownShare] {
    try (places ?? Array(descriptors.indices)).map { place in
      try KnownShare(descriptors[place], secret: secrets[place], encodings: [.scalar])
    }
  }

  func check(_ places: [Int]? = nil, grouping: ShareCheck.Grouping = .oneSet) throws -> ShareReport {
    try ShareCheck.run(known(places), grouping: grouping)
  }
}
