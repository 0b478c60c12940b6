internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `copy`: brings targets that are behind up to the newest archive.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy the newest archive to the targets that lack it.",
    discussion: "create does this too; --all copies the older archives as well.")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Flag(help: "Copy every archive that a target lacks, not only the newest.")
  var all = false
  @OptionGroup var accepted: ConsentOptions<CopyConsents>
  @OptionGroup var parity: ParityOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    let targets = targets.targets(loaded)
    guard targets.count > 1 else {
      throw CommandError.usage("copy needs two targets: the first with archives, the second to get them")
    }
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let progress = try output.progressLine
    defer { progress.clear() }
    let vault = try configuration.pickedVaultID
    let state = try lock.take("copy", output)
    let trusted = try LostState(configuration, console)
      .trust(vault, in: targets, state.directory, trust.trust(configuration))
    var run = CopyRun(between: targets, trust: trusted) { try progress.show($0.text, $0.amount) }
    run.vault = vault
    run.copiesAll = all
    run.options = publicationOptions(configuration)
    run.options.privateKeysMayLeave =
      configuration.keysDecision(for: targets, areAllowed: accepted.consents.contains(.syncedKeys))
      == .included
    let outcome = try run.run(state: state)
    progress.clear()
    for failure in outcome.failures {
      console.warning("\(failure.path) got no copy: \(Failure(describing: failure.error).message)")
    }
    for (_, report) in outcome.reports { CopyLines.warn(report, console) }
    if output.json {
      Document.write(outcome.document)
    } else {
      for (_, report) in outcome.reports { CopyLines.print(report, console) }
      if outcome.isComplete, outcome.reports.allSatisfy(\.report.copied.isEmpty) {
        console.report(
          all ? "every target has every archive" : "every target has the newest archive: nothing was copied")
      }
    }
    guard outcome.isComplete else { throw ExitStatus.partial }
  }

  /// Returns the options of the copies.
  func publicationOptions(_ configuration: Configuration) -> PublicationOptions {
    var options = configuration.meant?.publicationOptions ?? PublicationOptions()
    parity.apply(to: &options)
    return options
  }
}

extension CopyOutcome {
  /// `copy --json`.
  fileprivate var document: Members {
    let reports = reports.map(\.report)
    let targets: [Members] = failures.map {
      ["target": $0.path.text, "reason": Failure(describing: $0.error).message]
    }
    let archives: [Members] = reports.flatMap(\.failures).map {
      [
        "target": $0.target.text, "id": $0.link.digest, "sequence": $0.link.sequence,
        "reason": Failure(describing: $0.error).message,
      ]
    }
    return [
      "schema": "fueki.copy/1", "copied": reports.flatMap(\.copied).map(\.document),
      "failed": targets + archives, "withoutRecoveryFiles": reports.flatMap(\.withoutParity),
      "complete": isComplete,
    ]
  }
}

/// The archives that were copied to targets that lacked them, as lines.
enum CopyLines {
  /// The copies that could not be made; no option hides them.
  static func warn(_ report: CopyReport, _ console: Console) {
    for warning in report.warnings { console.warning(warning.sentence) }
    for failure in report.failures {
      console.warning(
        "\(failure.target) still lacks archive \(failure.link.digest.prefix(12)), number "
          + "\(failure.link.sequence): \(Failure(describing: failure.error).message)")
    }
    for path in report.withoutParity {
      console.warning("\(path) has no recovery files: they could not be made")
    }
  }

  /// The copies that were made.
  static func print(_ report: CopyReport, _ console: Console) {
    for copy in report.copied {
      console.report(
        "copied archive \(copy.link.digest.prefix(12)), number \(copy.link.sequence), to \(copy.path), "
          + "\(Readable.bytes(copy.byteCount)), read back and verified")
    }
  }
}

extension CopiedArchive {
  /// A copy that was made, in JSON.
  var document: Members {
    [
      "path": path, "id": link.digest, "sequence": link.sequence, "bytes": byteCount,
      "recoveryFiles": parity.map(\.name),
    ]
  }
}
