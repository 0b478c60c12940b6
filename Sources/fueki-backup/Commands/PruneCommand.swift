internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `prune`: thins out old archives by rule.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove old archives by rule, after showing what stays and what goes.",
    discussion: "Never the newest archive that verifies; see fueki-backup-prune(1).")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var retention: RetentionOptions
  @Flag(help: "Show what would go, and remove nothing.")
  var dryRun = false
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let rules = retention.rules
    guard !rules.isEmpty else {
      throw CommandError.usage("prune needs a rule, such as --keep-daily 7: without one nothing is removed")
    }
    let configuration = try settings.load()
    guard !dryRun else { return try prune(rules, configuration, RunFacts(), console) }
    try HookedRun("prune", configuration, console).run { try prune(rules, configuration, $0, console) }
  }

  private func prune(
    _ rules: RetentionRules, _ configuration: Configuration, _ facts: RunFacts, _ console: Console
  ) throws {
    let targets = targets.targets(configuration)
    guard !targets.isEmpty else { throw CommandError.usage("prune needs a --target") }
    facts.targets = targets.map(\.path)
    let vault = try configuration.pickedVaultID
    let state = try lock.take("prune", output)
    let trust = try TrustOptions.trust(configuration)
    var outcomes: [PruneOutcome] = []
    var failures: [(path: String, error: any Error)] = []
    for target in targets {
      do {
        outcomes.append(try prune(target, rules, only: vault, trust, state, console))
      } catch is Interrupted {
        throw Interrupted()
      } catch {
        failures.append((target.path, error))
      }
    }
    if outcomes.isEmpty, let first = failures.first { throw first.error }
    for failure in failures {
      console.warning("\(failure.path) was left alone: \(Failure(describing: failure.error).message)")
    }
    if output.json {
      Document.write(PruneDocument(outcomes, isDryRun: dryRun, failed: failures.map(\.path)))
    }
    let vaults = outcomes.flatMap(\.plan.vaults)
    if Set(vaults.map(\.id)).count == 1 { facts.vault = vaults.first?.id }
    if vaults.contains(where: { $0.verified == nil }) { throw ExitStatus.damaged }
    let isPartial = outcomes.contains { outcome in
      !outcome.plan.isWholePicture || !(outcome.report?.changed.isEmpty ?? true)
        || outcome.plan.vaults.contains(where: \.isClockBehind) || outcome.plan.isNothingMine
    }
    if isPartial || !failures.isEmpty { throw ExitStatus.partial }
  }

  private func prune(
    _ target: Target, _ rules: RetentionRules, only vault: [UInt8]?, _ trust: Trust,
    _ state: LockedState, _ console: Console
  ) throws -> PruneOutcome {
    let progress = output.progressLine
    defer { progress.clear() }
    let plan = try PrunePlan(
      of: target, rules: rules, now: SystemClock.now / 1_000_000, vault: vault,
      trust: trust,
      progress: { try progress.show("verifying \($0)") })
    progress.clear()
    PruneLines.preview(plan, console)
    guard !dryRun else {
      console.report("nothing was removed (--dry-run)")
      return PruneOutcome(plan: plan, report: nil)
    }
    let report = try plan.run(state: state) { try progress.show("removing \($0)") }
    progress.clear()
    for vault in plan.vaults where vault.verified != nil {
      try? state.directory.note(.prune, target: target.path, vault: vault.id)
    }
    for name in report.changed { console.warning("\(name) has changed meanwhile, and was left alone") }
    let files = report.removed.count == 1 ? "1 file" : "\(report.removed.count) files"
    console.report("removed \(files), \(Readable.bytes(report.freedBytes))")
    return PruneOutcome(plan: plan, report: report)
  }
}

/// What was decided for a target, and what was done unless it was only tried.
struct PruneOutcome {
  let plan: PrunePlan
  let report: PruneReport?
}

/// What stays, and why, and what goes, as lines.
enum PruneLines {
  static func preview(_ plan: PrunePlan, _ console: Console) {
    console.report("\(plan.target.path):")
    for vault in plan.vaults {
      if vault.verified == nil {
        console.warning("no archive of vault \(Hex.encode(vault.id)) verifies here: none of them is removed")
      }
      if vault.isClockBehind {
        console.warning(
          "most archives of vault \(Hex.encode(vault.id)) are dated in the future: this machine's clock has gone back, "
            + "and none of them is removed until it is set")
      }
      for kept in vault.kept {
        console.report(
          "  keep    \(line(kept.entry))  \(kept.reasons.map(\.sentence).joined(separator: ", "))")
        if kept.isFutureDated, !vault.isClockBehind {
          console.warning("\(kept.entry.name) is dated in the future: its number counts, and not its date")
        }
        if kept.reasons.contains(.fork) {
          console.warning("\(kept.entry.name) is one side of a fork, and is not removed by rule")
        }
      }
      for removed in vault.removed {
        console.report(
          "  remove  \(line(removed.entry))" + (removed.copyOf.map { "  the same as \($0)" } ?? ""))
        if removed.entry.dated.isFutureDated(now: SystemClock.now / 1_000_000) {
          console.warning("\(removed.entry.name) is dated in the future: its number counts, and not its date")
        }
      }
    }
    for foreign in plan.foreign {
      console.report("  leave   \(line(foreign.entry))  \(OwnershipLines.sentence(foreign.ownership))")
    }
    if plan.isNothingMine {
      console.warning(
        "nothing shows that an archive in \(plan.target.path) is yours: none is removed; "
          + "\"key trust\" accepts the vault's signer")
    }
    for foreign in plan.foreign where foreign.ownership == .stranger {
      console.warning("\(foreign.entry.name) is a stranger's: it was neither counted nor removed")
    }
    for entry in plan.passedOver {
      console.report("  leave   \(entry.name)  \(entry.state.rawValue)")
    }
  }

  private static func line(_ entry: TargetEntry) -> String {
    guard let archive = entry.archive else { return entry.name }
    return
      "\(archive.statedDigest.shortID)  \(Times.text(archive.facts.created))  \(archive.facts.sequence)  "
      + entry.name
  }
}

extension KeepReason {
  /// The reason in a few words.
  var sentence: String {
    switch self {
    case .last: "last"
    case .period(let period, let isOldest): isOldest ? "oldest \(period.rawValue)" : period.rawValue
    case .within: "within"
    case .newestVerified: "the newest that verifies"
    case .newestKnown: "the newest that this machine knows"
    case .onlyOneOpenedBy(let kind): "no kept one opens with as many of: \(kind)"
    case .clockIsBehind: "the clock is behind"
    case .fork: "fork"
    case .noneVerifies: "none verifies"
    }
  }
}

/// `prune --json`.
struct PruneDocument: Encodable {
  struct Archive: Encodable {
    let path: String
    let id: String?
    let vault: String?
    let sequence: UInt64?
    let created: String?
    let bytes: UInt64
    var reasons: [String]?
    var futureDated: Bool?
    var copyOf: String?
    var whose: String?

    enum CodingKeys: String, CodingKey {
      case path, id, vault, sequence, created, bytes, reasons, whose
      case futureDated = "future_dated"
      case copyOf = "copy_of"
    }

    init(_ entry: TargetEntry) {
      path = entry.path
      id = entry.archive?.statedDigest.hex
      vault = entry.archive.map { Hex.encode($0.facts.vaultID) }
      sequence = entry.archive?.facts.sequence
      created = entry.archive.map { Times.text($0.facts.created) }
      bytes = entry.byteCount
    }
  }

  struct Target: Encodable {
    let path: String
    let kept: [Archive]
    let removed: [Archive]
    let foreign: [Archive]
    let left: [String]
  }

  let schema = "fueki.prune/1"
  let dryRun: Bool
  let targets: [Target]
  let failedTargets: [String]
  let freedBytes: UInt64

  enum CodingKeys: String, CodingKey {
    case schema, targets
    case dryRun = "dry_run"
    case failedTargets = "failed_targets"
    case freedBytes = "freed_bytes"
  }

  init(_ outcomes: [PruneOutcome], isDryRun: Bool, failed: [String]) {
    dryRun = isDryRun
    failedTargets = failed
    targets = outcomes.map { outcome in
      let removed = outcome.report?.removed ?? outcome.plan.removed
      return Target(
        path: outcome.plan.target.path,
        kept: outcome.plan.vaults.flatMap(\.kept).map { kept in
          var archive = Archive(kept.entry)
          archive.reasons = kept.reasons.map(\.sentence)
          archive.futureDated = kept.isFutureDated
          return archive
        },
        removed: removed.map { removed in
          var archive = Archive(removed.entry)
          archive.copyOf = removed.copyOf
          return archive
        },
        foreign: outcome.plan.foreign.map { foreign in
          var archive = Archive(foreign.entry)
          archive.whose = foreign.ownership.rawValue
          return archive
        },
        left: outcome.plan.passedOver.map(\.path) + (outcome.report?.changed ?? []))
    }
    freedBytes = outcomes.reduce(0) { $0 + ($1.report?.freedBytes ?? 0) }
  }
}
