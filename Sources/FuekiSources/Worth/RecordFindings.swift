internal import FoundationEssentials
internal import FuekiCrypto
public import FuekiWallet

/// Judges wallets by the records that a backup takes of them: their keys and key shares against their addresses.
public struct RecordFindings {
  /// The collector's kind.
  public var kind: String
  /// The records are those of one wallet's file, whose one secret is every wallet's in it.
  public var isOneFile = false
  /// Whether the secrets were opened with their password, so that their seal proves them.
  public var isOpened = false
  /// Whether the secrets are in the clear, and are backed up only on request.
  public var isInClear = false

  /// Judges the contents from a collector of this kind.
  public init(kind: String) { self.kind = kind }

  /// One finding for each wallet, and for each set of key shares and each key that belong to none.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public func all(
    of wallets: [Wallet], keys: [PrivateKeyRecord], shares: [KnownShare] = []
  ) throws -> [WalletFinding] {
    var ledger = ProofLedger(wallets.map(ProvenWallet.init))
    try ledger.prove(shares)
    for key in keys + copies(of: keys, for: wallets) { try ledger.prove(key: key) }
    return ledger.report.proofs.compactMap { proof in
      guard let result = proof.worth(isOpened: isOpened) else { return nil }
      let name = proof.name.isEmpty ? proof.address : proof.name
      return WalletFinding(
        kind: kind, name: name, result, detail: name == proof.address ? "" : proof.address,
        isInClear: isInClear && proof.subject != .keyShares)
    }
  }

  /// A secret is kept once, with the first of its wallets: one for each chain, under one name.
  private func copies(of keys: [PrivateKeyRecord], for wallets: [Wallet]) -> [PrivateKeyRecord] {
    let owned = Set(keys.compactMap(\.walletID))
    let seeds = keys.filter { $0.kind == "seed-phrase" }
    let names = Dictionary(wallets.map { ($0.id, $0.name) }) { first, _ in first }
    return wallets.filter { !owned.contains($0.id) && $0.walletKind == .hot }.flatMap { wallet in
      let namesakes = seeds.filter { seed in
        !wallet.name.isEmpty && seed.walletID.flatMap { names[$0] } == wallet.name
      }
      let chosen = namesakes.isEmpty && isOneFile && seeds.count == 1 ? seeds : namesakes
      return chosen.map { seed in
        var copy = seed
        copy.walletID = wallet.id
        return copy
      }
    }
  }
}

extension Proof {
  /// The result for the backup; nil for things that belong to no wallet.
  fileprivate func worth(isOpened: Bool) -> WalletFinding.Result? {
    switch result {
    case .proved(by: .keyShares): return .proved(.groupKey)
    case .proved: return .proved(.address)
    case .differs(.keyShares, .unsoundShares): return .faulty(.groupDiffers)
    case .differs: return .faulty(.otherAddress)
    case .notChecked(let gap):
      // A phrase's passphrase alone has no finding.
      if subject == .privateKey, case .form = gap { return nil }
      let worth = gap.worth
      return isOpened && worth == .notProved(.nothingToCompare) ? .proved(.opened) : worth
    }
  }
}

extension Proof.Gap {
  fileprivate var worth: WalletFinding.Result {
    switch self {
    case .watchOnly, .hardware: .publicPart()
    case .noKey, .publicSideOnly: .withoutSeed
    case .noAddress, .noWallet, .unnamedKeystore, .words, .passphrase: .notProved(.nothingToCompare)
    case .shares: .notProved(.needsOtherParties)
    case .keystore(.noPassword): .notProved(.needsPassword)
    case .keystore(.wrongPassword): .notProved(.wrongPassword)
    case .keystore(.tooCostly): .notProved(.workLimit)
    case .keystore(.damaged): .notProved(.notRead)
    case .keystore(.unknownScheme): .notProved(.unknownScheme)
    case .derivedFurther, .kindOfAddress, .form, .descriptor, .beyond: .notProved(.unknownScheme)
    }
  }
}

extension KnownShare {
  /// Returns the result for the backup of this share alone.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public func worth() throws -> WalletFinding.Result {
    let kinds = try ShareCheck.run([self], grouping: .byWallet).sets.flatMap(\.findings).map(\.kind)
    for kind in kinds {
      if let fault = kind.fault { return .faulty(fault) }
    }
    switch secret {
    case .absent, .closed: return .publicPart()
    case .unknownEncoding: return .notProved(.unknownScheme)
    case .malformed: return .faulty(.malformed)
    case .point:
      guard !descriptor.ownPublicPoint.isEmpty else { return .notProved(.nothingToCompare) }
      // Too few points to interpolate, or none: the share's own point is all that was compared.
      let hasGroup = !descriptor.points.isEmpty && !kinds.contains(where: \.leavesGroupOpen)
      return .proved(hasGroup ? .groupKey : .publicKey)
    }
  }
}

extension ShareFinding.Kind {
  fileprivate var fault: WalletFinding.Fault? {
    switch self {
    case .secretMalformed: .malformed
    case .secretDiffers, .wrongOwnPoint: .secretDiffers
    case .wrongGroupKey, .wrongPoint, .pointsDoNotFit, .ownPointsDoNotFit, .ownPointNotDeclared: .groupDiffers
    case .groupKeyNotOnCurve, .ownPointNotOnCurve, .pointNotOnCurve: .malformed
    case .fault: .malformed
    case .noDescriptor, .unknownCurve, .groupKeyMissing, .ownPointMissing, .pointsMissing, .placesUnusable,
      .secretNotRead, .mixed, .doubled, .tooFewPoints, .tooManyPoints, .thresholdDiffers, .otherAddress:
      nil
    }
  }

  fileprivate var leavesGroupOpen: Bool {
    switch self {
    case .groupKeyMissing, .pointsMissing, .placesUnusable, .tooFewPoints, .tooManyPoints: true
    case .fault, .noDescriptor, .unknownCurve, .groupKeyNotOnCurve, .ownPointMissing, .ownPointNotOnCurve,
      .ownPointNotDeclared, .pointNotOnCurve, .secretMalformed, .secretDiffers, .secretNotRead, .mixed,
      .doubled, .wrongPoint, .wrongOwnPoint, .wrongGroupKey, .pointsDoNotFit, .ownPointsDoNotFit,
      .thresholdDiffers, .otherAddress:
      false
    }
  }
}
