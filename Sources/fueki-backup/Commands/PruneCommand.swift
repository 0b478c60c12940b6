internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `prune`: thins out old archives by rule.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove old archives by rule, after showing what stays and what goes.",
    discussion:
      "On a terminal it asks first. It never removes the newest archive that verifies, nor the last one with "
      + "a wallet, key or file. See fueki-backup-prune(1).")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var retention: RetentionOptions
  @Flag(name: .withLetter(.dryRun), help: "Show what would go, and remove nothing.")
  var dryRun = false
  @Flag(name: .withLetter(.yes), help: "Remove without asking, on a terminal too.")
  var yes = false
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    guard !retention.rules.isEmpty else {
      throw CommandError.usage("prune needs a rule, such as --keep-daily 7: without one nothing is removed")
    }
    let configuration = try settings.load()
    let work: (RunFacts) throws -> Void = { try prune(configuration, $0, console) }
    guard !dryRun else { return try work(RunFacts()) }
    let hooked = HookedRun("prune", configuration, console)
    // Hooks need rights that a process gives up before reading archives.
    try sandbox.noSandbox ? hooked.run(work) : hooked.runApart(work)
  }

  private func prune(_ configuration: Configuration, _ facts: RunFacts, _ console: Console) throws {
    let targets = targets.targets(configuration)
    guard !targets.isEmpty else { throw NoTarget.failure("prune", configuration) }
    facts.targets = targets.map(\.path)
    let configuration = try sandbox.enter(needs(configuration), configuration, console)
    let vault = try configuration.pickedVaultID
    let state = try lock.take("prune", output)
    let isAsking = !yes && !dryRun && Terminal.isAvailable
    let lines = PruneLines(console: console, isTrial: dryRun, isAsking: isAsking)
    let progress = try output.progressLine
    defer { progress.clear() }
    let trust = try LostState(configuration, console)
      .trust(vault, in: targets, state.directory, TrustOptions.trust(configuration))
    var run = PruneRun(
      of: targets, by: retention.rules, trust: trust, now: SystemClock.now / 1_000_000,
      report: { try lines.show($0, progress) })
    run.vault = vault
    run.isTrial = dryRun
    if isAsking { run.consent = lines.ask }
    let outcome = try run.run(state: state)
    progress.clear()
    for failure in outcome.failures {
      console.warning("\(failure.path) was not changed: \(Failure(describing: failure.error).message)")
    }
    if output.json { Document.write(outcome.document(isDryRun: dryRun)) }
    let vaults = Set(outcome.vaults.map(\.id))
    if vaults.count == 1 { facts.vault = vaults.first }
    if outcome.isDeclined { throw ExitStatus.interrupted }
    if outcome.isDamaged { throw ExitStatus.damaged }
    if outcome.isPartial { throw ExitStatus.partial }
  }
}

/// The archives to keep, with the reasons, and those to remove, as lines.
struct PruneLines {
  let console: Console
  let isTrial: Bool
  /// Whether to ask the user on a terminal before removing archives.
  let isAsking: Bool

  /// Shows an event.
  func show(_ event: PruneEvent, _ progress: ProgressLine) throws {
    switch event {
    case .verifying(let file): try progress.show("verifying \(file)")
    case .removing(let file): try progress.show("removing \(file)")
    case .decided(let plan):
      progress.clear()
      preview(plan)
      if isTrial {
        console.report("nothing was removed (--dry-run)")
      } else if plan.target.isAppendOnly {
        console.report("nothing was removed: \(plan.target.path) is append-only in the configuration")
      }
    case .removed(let report):
      progress.clear()
      for name in report.changed { console.warning("\(name) changed in the meantime and was left alone") }
      let files = Readable.count(report.removed.count, "file")
      console.report("removed \(files), \(Readable.bytes(report.freedBytes))")
    }
  }

  /// Asks whether the files of a plan go; an empty answer keeps them.
  func ask(_ plan: PrunePlan) throws -> Bool {
    let files = Readable.count(plan.removed.count, "file")
    let bytes = Readable.bytes(plan.removed.reduce(0) { $0 + $1.entry.byteCountWithParity })
    let isWanted = try Asking.yes("remove \(files), \(bytes), from \(plan.target.path)", default: false)
    if !isWanted { console.report("nothing was removed from \(plan.target.path): you said no") }
    return isWanted
  }

  /// Shows a line of the preview, which a user at a prompt sees wherever standard output goes.
  private func show(_ line: String) {
    console.report(line)
    let isSeen = !console.isQuiet && !console.isJSON && StandardStream.output.isTerminal
    if isAsking, !isSeen { Asking.say([line]) }
  }

  private func preview(_ plan: PrunePlan) {
    show("\(plan.target.path):")
    for vault in plan.vaults {
      undecided(vault)
      if vault.isClockBehind {
        console.warning(
          "most archives of vault \(vault.id.hex) are dated in the future: this machine's clock has gone back, "
            + "and none of them is removed until the clock is set")
      }
      for kept in vault.kept {
        show(
          "  keep    \(line(kept.entry))  \(kept.reasons.map(\.sentence).joined(separator: ", "))")
        if kept.isFutureDated, !vault.isClockBehind {
          console.warning("\(kept.entry.name) is dated in the future, so its number counts, not its date")
        }
        if kept.reasons.contains(.fork) {
          console.warning("\(kept.entry.name) is one side of a fork, so no rule removes it")
        }
      }
      for removed in vault.removed {
        show(
          "  remove  \(line(removed.entry))" + (removed.copyOf.map { "  the same as \($0)" } ?? ""))
        if removed.entry.dated.isFutureDated(now: SystemClock.now / 1_000_000) {
          console.warning("\(removed.entry.name) is dated in the future, so its number counts, not its date")
        }
      }
    }
    if let loss = plan.onlyHere.first(where: { $0.isLoss && !$0.isAccepted }) {
      show(
        "  An archive with something that no later one has stays until you bring that back, or accept its loss once: "
          + "fueki-backup create --accept loss=\(loss.acceptable)")
    }
    for signer in plan.otherMachines.sorted() {
      show(
        "  An archive of another machine stays: only there can what it has be given up. If that machine is gone: "
          + "fueki-backup key retire \(signer.hex)")
    }
    for foreign in plan.foreign {
      show("  leave   \(line(foreign.entry))  \(OwnershipLines.sentence(foreign.ownership))")
    }
    if plan.isNothingMine {
      console.warning(
        "nothing shows that an archive in \(plan.target.path) is yours: none is removed; "
          + "\"key trust\" accepts the vault's signer")
    }
    for foreign in plan.foreign where foreign.ownership == .stranger {
      console.warning("\(foreign.entry.name) is a stranger's, so it was neither counted nor removed")
    }
    for entry in plan.passedOver {
      show("  leave   \(entry.name)  \(entry.state.rawValue)")
    }
  }

  /// Lists the archives that stay until the user decides, and how to decide.
  private func undecided(_ vault: PrunePlan.Vault) {
    if let unproven = vault.unproven, vault.verified == nil {
      console.warning(
        "nothing vouches for the seals of an archive of vault \(vault.id.hex) here, so none of them is removed: "
          + "a copy that no key opens would look the same. Make an archive with \"create\", and prune again; "
          + opening(unproven))
    } else if vault.verified == nil {
      console.warning("no archive of vault \(vault.id.hex) verifies here, so none of them is removed")
    } else if let unproven = vault.unproven {
      console.warning(
        "nothing vouches for the seals of \(unproven.name), so an older archive stays too; \(opening(unproven))"
      )
    }
    for entry in vault.disputed {
      console.warning(
        "files with the digest of \(entry.name) differ, so one of them is damaged or forged, and all of them stay; "
          + "\(opening(entry)). Then remove the others by hand")
    }
  }

  /// Which secret shows whether an archive opens, and how.
  private func opening(_ entry: TargetEntry) -> String {
    let kinds = Set(entry.archive?.slots.map(\.type.name) ?? []).sorted().joined(separator: ", ")
    return
      "\"verify FILE --depth contents\" shows whether a file opens, with a secret of its slots (\(kinds))"
  }

  private func line(_ entry: TargetEntry) -> String {
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
    case .newerThanKnown: "another machine made it since this one's newest"
    case .newestOf(let signer): "the newest of the machine that signs with \(signer.fingerprint)"
    case .onlyOneOpenedBy(let kind): "no other kept archive opens with as many of: \(kind)"
    case .onlyOneWith(let things):
      "the newest with \(names(things).prefix(5).joined(separator: ", "))"
        + (things.count > 5 ? " and \(things.count - 5) more things" : "") + ", which no later one has"
    case .clockIsBehind: "the clock is behind"
    case .fork: "fork"
    case .base: "a kept archive needs it"
    case .otherBytes: "another file has its digest and other bytes"
    case .equal(let name): "the same bytes as \(name)"
    case .newestUnproven: "the newest that verifies, and nothing vouches for its seals"
    case .noneProven: "nothing vouches for the seals of any"
    case .noneVerifies: "none verifies"
    }
  }

  private func names(_ things: [Absence]) -> [String] {
    things.map(\.title)
  }
}

extension PruneOutcome {
  /// `prune --json`.
  fileprivate func document(isDryRun: Bool) -> Members {
    [
      "schema": "fueki.prune/1",
      "dryRun": isDryRun,
      "targets": targets.map { outcome in
        let (plan, report) = (outcome.plan, outcome.report)
        return [
          "path": plan.target.path,
          "appendOnly": plan.target.isAppendOnly,
          "declined": outcome.isDeclined,
          "kept": plan.vaults.flatMap(\.kept).map { kept in
            kept.entry.document + [
              "reasons": kept.reasons.map(\.sentence),
              "futureDated": kept.isFutureDated,
              // The things for which it stays.
              "onlyHere": kept.onlyHere.isEmpty ? nil : kept.onlyHere.map(\.document),
            ]
          },
          "removed": (report?.removed ?? plan.removed).map { $0.entry.document + ["copyOf": $0.copyOf] },
          "foreign": plan.foreign.map { $0.entry.document + ["whose": $0.ownership.rawValue] },
          "left": plan.passedOver.map(\.path) + (report?.changed ?? []),
        ] as Members
      },
      "failedTargets": failures.map(\.path),
      "freedBytes": targets.reduce(0) { $0 + ($1.report?.freedBytes ?? 0) },
    ]
  }
}
