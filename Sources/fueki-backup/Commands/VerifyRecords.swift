internal import FuekiBackup
internal import FuekiSystem

/// The results of a verification in this machine's state, for `status` and for later runs.
struct VerifyRecords {
  /// This machine's state; nil if it has none.
  let state: StateDirectory?
  let depth: VerificationDepth
  let trust: Trust
  /// When the run started: microseconds since 1970.
  let start: Int64
  /// The targets, and the named archives.
  let looked: [VerifyCommand.Looked]
  let listings: TargetListings
  let console: Console

  /// Records which archives are damaged, and which are intact again.
  func keepDamage(_ results: [VerificationResult], isInterrupted: Bool = false) throws {
    guard depth != .structure, let state else { return }
    // Standard input is no place in a target.
    let results = results.filter { $0.path != StandardInputArchive.path }
    var recording = DamageRecording(in: state, trust: trust, start: start, now: SystemClock.now)
    for target in looked where target.isTarget {
      recording.add(target.entries, of: Target(path: target.name))
    }
    recording.addTargets(of: results) { try? listings.list($0) }
    let copies = isInterrupted ? [] : try recording.readCopies(of: results)
    guard try !recording.record(results + copies, isInterrupted: isInterrupted) else { return }
    console.warning(
      "this machine's record of damaged archives was damaged, and is made again from this run: "
        + "verify the other targets, too")
  }

  /// Records the results of an interrupted run.
  ///
  /// - Parameters:
  ///   - ended: the results so far. A later one of the same path counts.
  ///   - subjects: the archives to verify.
  ///   - run: the interrupted one.
  /// - Returns: the failure, with the numbers.
  func keep(_ ended: [VerificationResult], of subjects: [VerifySubject], _ run: VerifyRun) -> Failure {
    let read = Array(Dictionary(ended.map { ($0.path, $0) }) { $1 }.values)
    var isRecorded = state != nil && depth != .structure
    do {
      try keepDamage(read, isInterrupted: true)
    } catch {
      isRecorded = false
      warn(of: error)
    }
    run.remember(read, of: [])
    return .interrupted(verified: read.count, of: subjects.count, recorded: isRecorded)
  }

  /// Warns that damage is not recorded.
  func warn(of error: any Error) {
    let reason = Failure(describing: error).message
    console.warning("damaged archives cannot be recorded, so status cannot report them: \(reason)")
  }
}
