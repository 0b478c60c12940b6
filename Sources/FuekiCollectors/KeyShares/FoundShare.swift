internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A key share read from a file.
struct FoundShare {
  var descriptor: KeyShareDescriptor
  /// The secret in the descriptor's encoding; nil if the file has only the public part.
  var secret: SharedSecret?
  /// The value of its backup.
  var finding: WalletFinding
  /// Faults of its public part, in words.
  var faults: [String] = []
  /// Whether it signs for the wallet's current key.
  ///
  /// If not, it has no epoch to compare.
  var isCurrent = true
  /// Distinguishes independent ceremonies for one key; empty if there can be only one.
  var ceremony = ""
  /// The number of its file, or of a part of one.
  var document = 0

  /// The public shares of all parties, which are equal only within one epoch.
  var epoch: Set<Data> { Set(descriptor.points.map { $0.partyID + $0.point }) }
}

/// The contents of a file of key shares.
struct ShareFileContent {
  var format: String
  /// Whether the file contains an unencrypted secret.
  var isSecret = true
  /// The file's program; nil to derive it from the place.
  var program: String?
  var shares: [FoundShare] = []
  var wallets: [Wallet] = []
  /// The value of other items' backup.
  var findings: [WalletFinding] = []
  /// Problems in words, in addition to findings.
  var problems: [String] = []
  /// Whether every secret in the file is one of its shares.
  var sharesAreAll = true

  init(format: String) { self.format = format }

  /// Creates content with a single finding.
  init(format: String, isSecret: Bool, _ finding: WalletFinding) {
    self.format = format
    self.isSecret = isSecret
    findings = [finding]
    sharesAreAll = false
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
