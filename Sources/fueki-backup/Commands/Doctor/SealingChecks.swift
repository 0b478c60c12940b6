internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// Whether the next archives stay sealed when quantum computers come.
enum SealingChecks {
  static func check(_ vault: VaultSettings) -> Check? {
    let name = "long-term"
    // An unreadable file is reported by the checks of files.
    guard let slots = try? vault.plannedSlots() else { return nil }
    let weak = slots.filter { !$0.isForTheLongTerm }
    guard let first = weak.first else { return .ok(name, "the next archives are sealed for the long term") }
    let others = weak.count > 1 ? " and \(weak.count - 1) more" : ""
    let remedy =
      first.type.isNamedByGuardians
      ? "fueki-backup guardians split makes hybrid guardians. Name their public file in the configuration"
      : "fueki-backup key new-identity makes a hybrid pair. Name its age1pq1… in the configuration"
    guard first.type != .agePlugin else {
      return .warning(
        name, "it is not known whether keys sealed to \(first.holder) withstand quantum computers",
        remedy: "if its plugin is for post-quantum keys, say so: a [[recipient]] with post_quantum = true")
    }
    return .warning(
      name,
      "anyone who copies the next archives could open them one day with a quantum computer: \(first.holder)\(others)",
      remedy: remedy + ", and key add puts it into a vault in use")
  }

  /// Whether a target's newest differential archives are sealed so, which their bases have to be, too.
  static func bases(_ target: Target, _ all: [Target], _ trust: Trust) -> [Check] {
    guard let entries = try? target.entries(),
      let ownerships = try? Ownerships(of: entries.compactMap(\.archive), trust: trust)
    else { return [] }
    let mine = entries.compactMap { entry in entry.archive.map { (path: entry.path, archive: $0) } }
      .filter { ownerships[$0.archive] == .mine }
    let vaults = Dictionary(grouping: mine) { $0.archive.facts.vaultID }
    return vaults.sorted { $0.key < $1.key }.compactMap { _, found in
      guard let newest = found.max(by: { $0.archive.facts.sequence < $1.archive.facts.sequence }),
        newest.archive.facts.base != nil
      else { return nil }
      let finder = BaseFinder(beside: newest.path, targets: all)
      let longTerm = LongTerm(newest.archive) { base in
        mine.first { $0.archive.computedDigest == base.digest }?.archive ?? finder.structure(of: base)
      }
      return check("long-term \(target.path)", longTerm)
    }
  }

  private static func check(_ name: String, _ longTerm: LongTerm) -> Check {
    switch longTerm.answer {
    case .yes: .ok(name, "the newest archive and its base are sealed for the long term")
    case .no:
      .warning(
        name, "the newest archive is not sealed for the long term: \(longTerm.reason)",
        remedy: "fueki-backup create --full makes one without a base. Earlier copies stay as they are")
    case .unknown:
      .warning(
        name, "it is not known whether the newest archive is sealed for the long term: \(longTerm.reason)",
        remedy: "copy its base there from another target, or run fueki-backup create --full")
    }
  }

  /// Checks that the plugins of the vault's recipients are installed; nil if it needs none.
  static func plugins(_ vault: VaultSettings) -> Check? {
    let name = "plugins"
    guard let slots = try? vault.plannedSlots() else { return nil }
    let named = slots.compactMap { slot in try? AgePluginRecipient(slot.holder)?.name }
    guard let first = named.first else { return nil }
    guard let missing = named.first(where: { AgePlugins.path(of: $0) == nil }) else {
      return .ok(name, "age-plugin-\(first)\(named.count > 1 ? " and others are" : " is") on PATH")
    }
    return .failed(
      name, "age-plugin-\(missing) is not in any folder of PATH: no archive can be made",
      remedy: "install the plugin, or take its recipient out of the configuration")
  }
}

/// Checks that the secrets of unattended runs open the newest archive.
enum SecretChecks {
  static func all(
    _ candidates: SecretTrial.Candidates, _ targets: [Target], _ configuration: Configuration, _ trust: Trust
  ) -> [Check] {
    let archives = targets.flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive)
    guard let ownerships = try? Ownerships(of: archives, trust: trust) else { return [] }
    let mine = archives.filter { ownerships[$0] == .mine }
    return SecretTrial(candidates, configuration, mine).findings.map { finding in
      let name = "secret \(finding.place.path)"
      guard let problem = finding.problem else {
        return .ok(name, "opens the newest archive, \(finding.archive.statedDigest.shortID)")
      }
      return .failed(name, problem, remedy: finding.remedy)
    }
  }
}
