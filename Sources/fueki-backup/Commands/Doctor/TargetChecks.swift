internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// Whether archives can be put in a target so that they last.
enum TargetChecks {
  /// Seconds that a file system's clock may differ by before files from two machines seem out of order.
  private static let clockTolerance: Int64 = 60
  private static let roomForAFirst: UInt64 = 256 << 20

  /// Tries a target, and returns the result, with advice for a problem.
  static func check(_ target: Target) -> Check {
    let name = "target \(target.path)"
    do {
      return judge(name, try target.tryOut(), isRemote: target.kind == .rclone)
    } catch TargetError.noTarget {
      let remedy =
        target.kind == .rclone
        ? Failure.remoteHint(target.path) : "plug the disk in, or mount the folder"
      return .failed(name, "it is not there", remedy: remedy)
    } catch {
      return .failed(name, error)
    }
  }

  private static func judge(_ name: String, _ trial: TargetTrial, isRemote: Bool) -> Check {
    let free = trial.freeBytes ?? .max
    let room =
      trial.freeBytes.map { "\(Readable.bytes($0)) free" } ?? "it does not say how much space is free"
    let needed = trial.archives > 0 ? trial.longestArchive : roomForAFirst
    guard free >= needed else {
      return .failed(name, "\(room), not enough for another archive", remedy: "make room, or choose another")
    }
    guard trial.keepsNames else {
      return .failed(
        name, "a rename replaces what is there",
        remedy: "choose another file system: here archives could be lost")
    }
    switch trial.retention {
    case .kept: return .ok(name, "keeps what is there; \(room); \(Readable.count(trial.archives, "archive"))")
    case .removable:
      return .warning(
        name, "is append-only in the configuration, but files can be removed there",
        remedy:
          "anyone who takes over this machine can remove the archives: use an account that may only add; "
          + "see TARGETS THAT ONLY ADD in fueki-backup-config(5)")
    case .unknown:
      return .warning(
        name, "is append-only in the configuration. It is not known whether the remote enforces it",
        remedy: "look for object lock, or an account that may only add, in the remote's own settings: "
          + "see TARGETS THAT ONLY ADD in fueki-backup-config(5)")
    case nil: break
    }
    var faults: [String] = []
    if !trial.keepsPermissions { faults.append("others may read its files") }
    if !trial.syncsNames { faults.append("a power cut can lose a new archive's name") }
    if free / 3 < needed { faults.append("\(room), for at most two more archives") }
    if abs(trial.clockDifference) > clockTolerance {
      let direction = trial.clockDifference > 0 ? "ahead" : "behind"
      faults.append("its clock is \(abs(trial.clockDifference)) s \(direction)")
    }
    guard faults.isEmpty else {
      return .warning(
        name, faults.joined(separator: "; "), remedy: "archives are sealed and verified anyway")
    }
    let done = isRemote ? "writes, reads back, keeps names" : "writes, syncs, reads back, keeps names"
    return .ok(name, "\(done); \(room); \(Readable.count(trial.archives, "archive"))")
  }
}

/// Whose the archives in a target are.
enum LineageChecks {
  static func check(_ target: Target, _ trust: Trust) -> Check? {
    let name = "archives \(target.path)"
    do {
      let archives = try target.entries().compactMap(\.archive)
      let ownerships = try Ownerships(of: archives, trust: trust)
      let strangers = archives.count { ownerships[$0] == .stranger }
      guard strangers == 0 else {
        return .warning(
          name, "\(strangers) of \(archives.count) are a stranger's",
          remedy: "\"fueki-backup list\" names them. See who can write there")
      }
      let mine = archives.filter { ownerships[$0] == .mine }
      if mine.isEmpty, !archives.isEmpty {
        return .warning(
          name, "nothing shows that one of \(archives.count) is yours", remedy: "fueki-backup key trust KEY")
      }
      let newest = mine.max { $0.facts.sequence < $1.facts.sequence }
      if let newest, newest.facts.signer == nil {
        return .warning(
          name, "the newest is unsigned, so a stranger's archive would look the same",
          remedy: "fueki-backup key new-signer, and name it as sign_key")
      }
      return archives.isEmpty ? nil : .ok(name, "\(mine.count) of \(archives.count) are yours")
    } catch {
      return nil
    }
  }
}

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
