public import FuekiCrypto
public import FuekiWallet

/// Key shares that belong together, with the findings on them.
public struct ShareSet: Sendable {
  /// How many shares sign together.
  public enum Threshold: Hashable, Sendable {
    /// The shares say so.
    case stated(Int)
    /// Not stated; derived from the number of coefficients of the polynomial through their points.
    case derived(Int)
    /// Neither is known.
    case unknown

    /// The number, if known.
    public var count: Int? {
      switch self {
      case .stated(let count), .derived(let count): count
      case .unknown: nil
      }
    }
  }

  /// A wallet of the archive that has an address of the group's key.
  public struct WalletMatch: Hashable, Sendable {
    /// The owner's name for it.
    public let name: String
    /// The address that it has.
    public let address: String
  }

  /// The group's public key, compressed; nil if the shares disagree.
  public let groupKey: [UInt8]?
  /// The curve; nil if the shares disagree or it is unknown.
  public let curve: Curve?
  /// The protocol; nil if the shares disagree.
  public let protocolName: String?
  /// The epoch; nil if it is not stated or the shares disagree.
  public let epoch: UInt64?
  /// How many shares sign together.
  public let threshold: Threshold
  /// The number of parties, if stated.
  public let total: Int?
  /// The shares.
  public let shares: [KnownShare]
  /// The number of different shares with a valid secret; nil if the secrets were not opened.
  public let atHand: Int?
  /// The findings, with those on single shares first.
  public internal(set) var findings: [ShareFinding]
  /// The addresses of the group's key.
  public let addresses: KeyAddresses?
  /// The wallets that have one of them.
  public internal(set) var wallets: [WalletMatch] = []

  /// Whether nothing is wrong.
  public var isSound: Bool { !findings.contains(where: \.isDifference) }
  /// Whether the available shares can sign together; false if unknown.
  public var isEnough: Bool {
    guard isSound, let atHand, let count = threshold.count else { return false }
    return atHand >= count
  }
}

/// Something that a check of key shares found.
public struct ShareFinding: Hashable, Sendable {
  /// An aspect in which all shares of a set must agree.
  public enum Aspect: String, Sendable {
    case curve, `protocol`, key, epoch, threshold, points
  }

  /// The shares of a mixed set that have the same value.
  public struct Part: Hashable, Sendable {
    /// The value, as text for people.
    public let value: String
    /// The shares that have it.
    public let shares: [ShareName]
  }

  /// The kind of finding.
  public enum Kind: Hashable, Sendable {
    // On one share, according to its source or its descriptor.
    case fault(String)
    case noDescriptor
    case unknownCurve(String)
    case groupKeyMissing
    case groupKeyNotOnCurve
    case ownPointMissing
    case ownPointNotOnCurve
    case ownPointNotDeclared
    case pointNotOnCurve(party: Int)
    case pointsMissing(stated: Int, total: Int)
    case placesUnusable
    // On its secret.
    case secretMalformed
    case secretDiffers
    case secretNotRead(encoding: String)
    // On the set.
    case mixed(Aspect, [Part])
    case doubled
    case wrongPoint(party: Int)
    case wrongOwnPoint
    case wrongGroupKey
    case pointsDoNotFit
    case ownPointsDoNotFit
    case tooFewPoints
    case tooManyPoints(Int)
    case thresholdDiffers(stated: Int, found: Int)
    // On a wallet that the shares belong to.
    case otherAddress(wallet: String, address: String)
  }

  /// The shares concerned; empty for the whole set.
  public let shares: [ShareName]
  /// The kind of finding.
  public let kind: Kind

  /// Whether something is wrong, and not merely unknown or remarkable.
  public var isDifference: Bool {
    switch kind {
    case .secretNotRead, .tooFewPoints, .tooManyPoints, .otherAddress: false
    case .fault, .noDescriptor, .unknownCurve, .groupKeyMissing, .groupKeyNotOnCurve, .ownPointMissing,
      .ownPointNotOnCurve, .ownPointNotDeclared, .pointNotOnCurve, .pointsMissing, .placesUnusable,
      .secretMalformed,
      .secretDiffers, .mixed, .doubled, .wrongPoint, .wrongOwnPoint, .wrongGroupKey, .pointsDoNotFit,
      .ownPointsDoNotFit, .thresholdDiffers:
      true
    }
  }
}

extension ShareFinding {
  /// The finding's name, for programs: it never changes.
  public var id: String {
    switch kind {
    case .fault: "fault"
    case .noDescriptor: "no-descriptor"
    case .unknownCurve: "unknown-curve"
    case .groupKeyMissing: "group-key-missing"
    case .groupKeyNotOnCurve: "group-key-not-on-curve"
    case .ownPointMissing: "own-point-missing"
    case .ownPointNotOnCurve: "own-point-not-on-curve"
    case .ownPointNotDeclared: "own-point-not-declared"
    case .pointNotOnCurve: "point-not-on-curve"
    case .pointsMissing: "points-missing"
    case .placesUnusable: "party-ids-unusable"
    case .secretMalformed: "secret-malformed"
    case .secretDiffers: "secret-differs"
    case .secretNotRead: "secret-not-read"
    case .mixed(let aspect, _): "mixed-\(aspect.rawValue)"
    case .doubled: "doubled"
    case .wrongPoint: "wrong-point"
    case .wrongOwnPoint: "wrong-own-point"
    case .wrongGroupKey: "wrong-group-key"
    case .pointsDoNotFit: "points-do-not-fit"
    case .ownPointsDoNotFit: "own-points-do-not-fit"
    case .tooFewPoints: "too-few-points"
    case .tooManyPoints: "too-many-points"
    case .thresholdDiffers: "threshold-differs"
    case .otherAddress: "other-address"
    }
  }

  /// The party that the finding names, from 0.
  public var party: Int? {
    switch kind {
    case .wrongPoint(let party), .pointNotOnCurve(let party): party
    default: nil
    }
  }

  /// One sentence for people, without the names of the shares that it is about.
  public var sentence: String {
    switch kind {
    case .fault(let text): text
    case .noDescriptor: "its public side is not in the archive"
    case .unknownCurve(let name): "its curve \"\(name)\" is not known"
    case .groupKeyMissing: "it does not say its group's public key"
    case .groupKeyNotOnCurve: "its group's public key is not a point of its curve"
    case .ownPointMissing: "it does not say its own public point"
    case .ownPointNotOnCurve: "its own public point is not a point of its curve"
    case .ownPointNotDeclared: "its own public point differs from the point that it declares for its party"
    case .pointNotOnCurve(let party): "the public point of party \(party) is not a point of its curve"
    case .pointsMissing(let stated, let total): "it declares \(stated) public points of \(total) parties"
    case .placesUnusable: "the parties' ids are not different numbers"
    case .secretMalformed: "its secret is not a number that its curve has keys of"
    case .secretDiffers: "its secret does not belong to its public point"
    case .secretNotRead(let encoding):
      "its secret cannot be compared: its encoding \"\(encoding)\" is not known"
    case .mixed(let aspect, let parts): Self.mixed(aspect, parts)
    case .doubled: "they are shares of the same party, and count as one"
    case .wrongPoint(let party):
      "the public point of party \(party) does not belong to the key. The others do"
    case .wrongOwnPoint: "its public point does not belong to the key. The others' do"
    case .wrongGroupKey:
      "the public points belong together, and the group's public key does not belong to them"
    case .pointsDoNotFit:
      "the public points and the group's key do not belong together, and they are too few to tell which is wrong"
    case .ownPointsDoNotFit: "their own public points do not lead to the group's key"
    case .tooFewPoints: "there are too few public points to compare with the group's key"
    case .tooManyPoints(let count): "\(count) public points are more than are compared"
    case .thresholdDiffers(let stated, let found):
      "they say that \(stated) sign together, and their public points say \(found)"
    case .otherAddress(let wallet, let address):
      "the wallet \"\(wallet)\" belongs to the shares, and \(address) is not the key's own address"
    }
  }

  private static func mixed(_ aspect: Aspect, _ parts: [Part]) -> String {
    let what =
      switch aspect {
      case .curve: "of different curves"
      case .protocol: "of different protocols"
      case .key: "of different keys"
      case .epoch: "of different epochs"
      case .threshold: "of different thresholds"
      case .points: "from before and after a refresh"
      }
    let named = parts.map { part in
      "\(part.shares.map(\.short).joined(separator: ", ")): \(aspect == .points ? "together" : part.value)"
    }
    return "the shares are \(what) (\(named.joined(separator: "; ")))"
  }
}

extension ShareSet {
  /// The set and its findings, in the manifest's form.
  var manifestLines: [String] {
    let key = groupKey.map { Hex.encode($0) } ?? "-"
    let from =
      switch threshold {
      case .stated: "stated"
      case .derived: "points"
      case .unknown: "-"
      }
    let summary = [
      "key=\(key)", "curve=\(curve?.rawValue ?? "-")", "threshold=\(threshold.count.map(String.init) ?? "-")",
      "threshold-from=\(from)", "total=\(total.map(String.init) ?? "-")",
      "here=\(atHand.map(String.init) ?? "-")", "result=\(isSound ? "sound" : "differs")",
    ]
    let details = findings.map { finding in
      var words = ["key=\(key)", "finding=\(finding.id)"]
      if let party = finding.party { words.append("party=\(party)") }
      words += finding.shares.prefix(Self.namedShares).map { "share=\(Hex.encode($0.id))" }
      return words.joined(separator: " ")
    }
    return [summary.joined(separator: " ")] + details
  }

  /// A manifest is one record, and every share has its own.
  private static let namedShares = 8
}
