internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

extension ProofLedger {
  /// Proves key shares: compares each valid set's key with its wallets' addresses.
  ///
  /// Among shares from before and after a refresh, only the newest count. The older ones are reported.
  package mutating func prove(_ shares: [KnownShare]) throws {
    olderShares = ShareEpochs.older(shares.map(\.descriptor), than: shares.map(\.descriptor))
    let older = Set(olderShares.flatMap(\.shares).map(\.id))
    let current = shares.filter { !older.contains([UInt8]($0.descriptor.id)) }
    for set in try ShareCheck.run(current, grouping: .byWallet).sets { try prove(set) }
  }

  private mutating func prove(_ set: ShareSet) throws {
    var derived: DerivedAddresses?
    if let key = set.groupKey, let curve = set.curve, set.addresses != nil {
      derived = try DerivedAddresses(of: key, on: curve)
    }
    var places = Set(derived.map(places(having:)) ?? [])
    for share in set.shares where share.descriptor.hasWalletID {
      places.formUnion(self.places(of: share.descriptor.walletID))
    }
    if let key = set.groupKey {
      places.formUnion(wallets.indices.filter { wallets[$0].groupPublicKey == key })
    }
    guard !places.isEmpty else { return note(alone: set, derived) }
    for place in places.sorted() {
      var found = evidence(of: set, derived, for: wallets[place])
      found.set = set
      note(found, of: place)
    }
  }

  private func evidence(
    of set: ShareSet, _ derived: DerivedAddresses?, for wallet: ProvenWallet
  ) -> Evidence {
    let address = wallet.addresses.first?.text ?? ""
    if let problem = set.verdict { return Evidence(address: address, result: problem) }
    guard let derived else { return Evidence(address: address, result: .notChecked(.kindOfAddress)) }
    // A wallet that signs with shares must have their key. For another kind, only its owner may know the relation.
    return wallet.compare(derived, from: .keyShares, isCertain: wallet.kind == .tss)
  }

  /// Notes a set that no wallet here belongs to.
  private mutating func note(alone set: ShareSet, _ derived: DerivedAddresses?) {
    let name = set.shares.map(\.name.short).joined(separator: ", ")
    let gap = Proof.Result.notChecked(.noWallet(derived: derived?.anyText ?? ""))
    note(
      Proof(
        subject: .keyShares, id: set.shares.first?.name.id ?? [], name: name, address: derived?.anyText ?? "",
        result: set.verdict ?? gap, shares: set.shares.map(\.name), groupKey: set.groupKey ?? []))
  }
}

extension ShareSet {
  /// The reason that the set proves nothing, or its contradiction; nil if its secrets match its key.
  fileprivate var verdict: Proof.Result? {
    if let finding = findings.first(where: \.isContradiction) {
      return .differs(.keyShares, .unsoundShares(finding.sentenceWithNames))
    }
    let secrets = shares.map(\.secret)
    guard secrets.contains(where: { $0 != .absent && $0 != .closed }) else {
      return .notChecked(.publicSideOnly)
    }
    if let finding = findings.first(where: \.leavesOpen) {
      return .notChecked(.shares(finding.sentenceWithNames))
    }
    return nil
  }
}

extension ShareFinding {
  /// Whether no addition to what is known could make it right.
  fileprivate var isContradiction: Bool { isDifference && !leavesOpen && kind != .doubled }

  /// Whether something that a proof needs is not known.
  fileprivate var leavesOpen: Bool {
    switch kind {
    case .fault, .noDescriptor, .unknownCurve, .groupKeyMissing, .ownPointMissing, .pointsMissing,
      .placesUnusable, .secretNotRead, .tooFewPoints, .tooManyPoints:
      true
    case .groupKeyNotOnCurve, .ownPointNotOnCurve, .ownPointNotDeclared, .pointNotOnCurve, .secretMalformed,
      .secretDiffers, .mixed, .doubled, .wrongPoint, .wrongOwnPoint, .wrongGroupKey, .pointsDoNotFit,
      .ownPointsDoNotFit, .thresholdDiffers, .otherAddress:
      false
    }
  }

  fileprivate var sentenceWithNames: String {
    let names = shares.map(\.short).joined(separator: ", ")
    return names.isEmpty ? sentence : "\(names): \(sentence)"
  }
}
