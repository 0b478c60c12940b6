internal import FuekiCrypto

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
