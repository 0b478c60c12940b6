internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// Whether what differential archives are of use with is there.
enum BaseChecks {
  static func all(_ targets: [Target], _ vault: VaultSettings, _ trust: Trust) -> [Check] {
    var checks = targets.compactMap { check($0, trust) }
    if vault.fullEvery != nil, targets.count == 1 {
      checks.append(
        .warning(
          "bases", "all archives are in one target: losing one base loses the history of many nights",
          remedy: "back up to a second --target, or remove full_every so that every archive is a full one"))
    }
    return checks
  }

  private static func check(_ target: Target, _ trust: Trust) -> Check? {
    let name = "bases \(target.path)"
    guard let entries = try? target.entries() else { return nil }
    let archives = entries.compactMap(\.archive)
    guard let ownerships = try? Ownerships(of: archives, trust: trust) else { return nil }
    let differential = archives.filter { ownerships[$0] == .mine && $0.facts.base != nil }
    guard !differential.isEmpty else { return nil }
    let whole = Set(archives.filter(\.structuralDamage.isEmpty).map(\.statedDigest))
    let missing = Set(differential.compactMap(\.facts.base)).filter { !whole.contains($0.digest) }
    guard let first = missing.min(by: { $0.sequence < $1.sequence }) else {
      return .ok(name, "\(differential.count) differential archives have their base")
    }
    let lost = differential.count { $0.facts.base.map(missing.contains) ?? false }
    let more = missing.count > 1 ? " and \(missing.count - 1) more" : ""
    return .warning(
      name,
      "\(lost) of \(differential.count) differential archives lack their base: number \(first.sequence), "
        + "\(first.digest.shortID)\(more)",
      remedy: "copy it there from another target, or run fueki-backup create --full")
  }
}
