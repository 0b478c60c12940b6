extension DamagedArchive {
  /// Opens what is left of the archive and, where its history needs one, of its base.
  ///
  /// Without the base, or without the record of changes, what the archive itself holds comes back.
  ///
  /// - Parameters:
  ///   - secrets: what the caller has.
  ///   - allowance: what the key derivation may cost; checked before any is done.
  ///   - plaintextLimit: the most that all sections' plaintext of both files may be, in bytes.
  ///   - bases: where the base may be.
  /// - Returns: what is left, which says where its history comes from.
  /// - Throws: as ``salvage(with:allowance:plaintextLimit:)``, of either file, and what `bases` throws.
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
  /// The archive as one of which something is to be salvaged: its base is damaged, or not at hand.
  public var forSalvage: DamagedArchive { DamagedArchive(stored, .allWhole, trusting: nil, isDamaged: false) }
}
