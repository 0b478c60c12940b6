internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// A consistent 2-of-3 set of key shares: points on a line f(x) = a0 + a1·x over secp256k1's scalars.
///
/// The group's key is a0·G, and any two of the shares f(1), f(2), f(3) yield a0. They are derived from a seed
/// and not secret: never fund them.
struct SampleShares {
  static let total = 3
  static let threshold = 2
  /// The parties 1 and 2 belong to this device.
  static let ownCount = 2

  let groupKey: [UInt8]
  let descriptors: [KeyShareDescriptor]
  /// The secrets of the first ``ownCount`` descriptors.
  let secrets: [SharedSecret]

  init(seed: UInt64, walletID: Data, createdAt: Int64) throws {
    let constant = try Self.scalar("a0", seed)
    let slope = try Self.scalar("a1", seed)
    groupKey = try CurvePoint.multiplyBase(constant, on: .secp256k1)
    var secrets: [SharedSecret] = []
    var points: [PartyPoint] = []
    for party in 1...Self.total {
      let id = [UInt8](repeating: 0, count: 31) + [UInt8(party)]
      let term = try CurveScalar.multiply(slope, try SecretBytes(copying: id.span), on: .secp256k1)
      let secret = try CurveScalar.add(constant, term, on: .secp256k1)
      var point = PartyPoint()
      point.partyID = Data(id)
      point.point = Data(try CurvePoint.multiplyBase(secret, on: .secp256k1))
      points.append(point)
      if party <= Self.ownCount { secrets.append(SharedSecret(secret)) }
    }
    self.secrets = secrets
    let groupKey = groupKey
    descriptors = points.enumerated().map { index, point in
      var random = SampleRandom(seed: seed, place: 0x5AE5 + UInt64(index))
      var descriptor = KeyShareDescriptor()
      descriptor.id = Data(random.bytes(16))
      descriptor.walletID = walletID
      descriptor.protocol = "gg18-ecdsa"
      descriptor.curve = Curve.secp256k1.rawValue
      descriptor.partyIndex = UInt32(index)
      descriptor.threshold = UInt32(Self.threshold)
      descriptor.total = UInt32(Self.total)
      descriptor.epoch = 1
      descriptor.groupPublicKey = Data(groupKey)
      descriptor.ownPublicPoint = point.point
      descriptor.partyID = point.partyID
      descriptor.points = points
      descriptor.encoding = "scalar"
      descriptor.name = ["this device", "this device, second", "the server"][index]
      descriptor.createdAt = createdAt
      return descriptor
    }
  }

  /// The EVM address of the group's key.
  var address: String {
    get throws {
      let point = try CurvePoint.uncompressedSecp256k1(groupKey)
      return EVMAddress(bytes: Array(Keccak256.hash(point.span).bytes.suffix(20)))?.description ?? ""
    }
  }

  private static func scalar(_ label: String, _ seed: UInt64) throws -> SecretBytes {
    var random = SampleRandom(seed: seed, place: 0x5CA1)
    while true {
      let digest = SHA256.hash(Array("fueki sample \(label)".utf8), random.bytes(16))
      let scalar = try SecretBytes(copying: digest.bytes.span)
      if CurveScalar.isKey(scalar, on: .secp256k1) { return scalar }
    }
  }
}
