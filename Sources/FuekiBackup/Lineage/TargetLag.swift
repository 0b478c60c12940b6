public import FuekiArchive
internal import FuekiCrypto

/// How far a target is behind the newest archive of a vault.
public enum TargetLag: Equatable, Sendable {
  /// The target lacks the newest archive, and every one after the number that it has.
  case behind(newest: VaultState.Link, since: UInt64?, holder: String?)
  /// The target has the newest archive, and lacks the base that it needs.
  case lacksBase(newest: VaultState.Link, base: UInt64, holder: String?)

  /// Compares a target with others; nil if it has what it should have.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - target: the target.
  ///   - found: the archives of all targets that are mine, by target.
  ///   - made: the newest archive that this machine made, if it made some in this target.
  public init?(
    of vault: VaultID, in target: Target, among found: [(target: Target, archives: [StoredArchive])],
    made: (link: VaultState.Link, time: UInt64)?
  ) {
    let found = found.map { target, archives in
      (target: target, archives: archives.filter { $0.facts.vaultID == vault })
    }
    let here = found.filter { $0.target == target }.flatMap(\.archives)
    let all = found.flatMap(\.archives)
    guard let newest = all.max(by: { $0.facts.sequence < $1.facts.sequence }) else { return nil }
    var link = VaultState.Link(sequence: newest.facts.sequence, digest: newest.statedDigest)
    if let made, made.link.sequence > link.sequence { link = made.link }
    let last = here.map(\.facts.sequence).max() ?? 0
    guard last == link.sequence else {
      let missed = all.filter { $0.facts.sequence > last }.map(\.facts.created).min()
      self = .behind(
        newest: link, since: missed ?? made?.time,
        holder: found.first { $0.archives.contains { $0.facts.sequence == link.sequence } }?.target.path)
      return
    }
    let bases = here.filter { $0.facts.sequence == last }.compactMap(\.facts.base)
    guard let base = bases.first(where: { base in !here.contains { $0.statedDigest == base.digest } }) else {
      return nil
    }
    self = .lacksBase(
      newest: link, base: base.sequence,
      holder: found.first { $0.archives.contains { $0.statedDigest == base.digest } }?.target.path)
  }
}
