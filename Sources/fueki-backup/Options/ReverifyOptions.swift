internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// Whether archives that have not changed since this machine verified them are read only now and then.
struct ReverifyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read new and changed archives, and each other one once in this time: 30d.", valueName: "duration"))
  var reverify: DurationArgument?

  var isUsed: Bool { reverify != nil }

  /// Reads this machine's record of verified archives; nil without the option.
  func memory(_ depth: VerificationDepth, _ console: Console) throws -> Reverification? {
    guard let reverify else { return nil }
    let memory = Reverification(
      every: reverify.seconds, depth: depth, state: try Places.state(), now: SystemClock.now / 1_000_000)
    if memory.found == .damaged {
      console.warning(
        "this machine's record of verified or damaged archives is damaged: every archive is read")
    }
    return memory
  }

  /// Records the verified archives, and counts them; nil without the option.
  func record(
    _ results: [VerificationResult], of subjects: [VerifySubject], _ memory: Reverification?,
    _ console: Console
  ) -> ReverifyReport? {
    guard let reverify, let memory else { return nil }
    var report = ReverifyReport(memory, every: reverify.seconds, results, subjects)
    do {
      try memory.keep(results, of: subjects)
    } catch {
      report.recorded = false
      console.warning("the verified archives cannot be recorded: \(Failure(describing: error).message)")
    }
    return report
  }
}
