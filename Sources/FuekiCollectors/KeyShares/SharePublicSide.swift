internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

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
