extension DamagedArchive {
  /// Salvages the intact parts of the archive and, if its history needs one, of its base.
  ///
  /// Without the base or the record of changes, the archive's own records are returned.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of both files' plaintext in bytes.
  ///   - bases: finds candidates for the base.
  /// - Returns: the intact parts, with the origin of the history.
  /// - Throws: as ``salvage(with:allowance:plaintextLimit:)``, for either file, and the errors of `bases`.
  public func salvage(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes, bases: BaseCandidates
  ) throws -> SalvagedArchive {
    let alone = try salvage(with: secrets, allowance: allowance, plaintextLimit: plaintextLimit)
    guard let reference = alone.streams.missingBase else { return alone }
    guard let changes = try alone.streams.readChanges() else {
      return SalvagedArchive(source: self, streams: alone.streams, history: .withoutChanges(reference))
    }
    let search = BaseSearch(
      reference: reference, archive: stored, secrets: secrets, allowance: allowance,
      plaintextLimit: alone.streams.remaining(of: plaintextLimit))
    let base: UnlockedStreams
    switch try search.open(among: try bases(reference), progress: { _, _ in }) {
    case nil: return alone
    case .opened(let streams): base = streams
    case .damaged(let found): base = try search.salvage(found)
    }
    guard base.opened[.history] != nil else { return alone }
    return SalvagedArchive(
      source: self, streams: try alone.streams.joined(with: base, reference, changes),
      history: .joined(reference))
  }
}

extension IntactArchive {
  /// The archive as a candidate for salvage, because its base is damaged or missing.
  public var forSalvage: DamagedArchive { DamagedArchive(stored, .allWhole, trusting: nil, isDamaged: false) }
}
