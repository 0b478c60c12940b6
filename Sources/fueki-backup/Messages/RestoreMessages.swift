internal import FuekiArchive
internal import FuekiSystem
internal import FuekiWallet
package import FuekiBackup

extension RestoreError: Explained {
  var failure: Failure {
    let meaning = "nothing was changed"
    let beginAnew = "start over without --resume"
    switch self {
    case .nothingStopped(let path):
      return Failure(
        .notFound, "no restore into \(path) was stopped", meaning: meaning,
        hint: "start one without --resume")
    case .anotherArchive(let path):
      return Failure(
        .failed, "\(path) is not the archive that this restore started with", meaning: meaning,
        hint: beginAnew)
    case .opensOtherScopes(let scopes, let begun):
      return Failure(
        .wrongSecret,
        "this secret opens \(scopes.joined(separator: ", ")), and the restore started with a secret for "
          + begun.joined(separator: ", "),
        meaning: meaning, hint: "use the secret that it started with, or " + beginAnew)
    case .stopped:
      return Failure(
        .stopped, "stopped part-way",
        meaning: "the data directory is unchanged. The unfinished restore waits next to it",
        hint:
          "continue with restore --resume. It asks for the archive's secret again, because no secret is stored"
      )
    case .noWallet(let id):
      return Failure(
        .notFound, "the archive has no wallet \(id)", meaning: "nothing was changed",
        hint: "export --only wallets lists them with their ids")
    case .noItem(let item):
      return Failure(
        .notFound, "the archive has no \(item)", meaning: "nothing was changed",
        hint: "--item is for what a later archive lacks: restore of that archive prints the command")
    case .conflicts(let conflicts):
      let count = conflicts.count == 1 ? "1 record is" : "\(conflicts.count) records are"
      var failure = Failure(
        .wouldOverwrite, "\(count) already in the wallet, with other contents in the archive",
        meaning: "nothing was changed",
        hint: "choose what happens to them with --on-conflict skip, newer, replace or rename")
      failure.conflicts = conflicts
      return failure
    case .olderShares(let older): return Self.failure(of: older)
    case .hazards(let wallets): return Self.failure(of: wallets)
    case .presentKeychainClosed:
      return Failure(
        .wrongSecret, "this secret does not open the keychain of the wallet on this machine",
        meaning: meaning, hint: "name what opens it now with --keychain-…")
    case .newestFails(let path, let verdict, let fallback):
      return Failure(
        ExitStatus(verdict), "the newest archive does not verify (\(verdict.rawValue)): \(path)",
        meaning: "nothing was restored",
        hint: (fallback.map { "the newest that verifies is \($0). Restore it by its path" }
          ?? "no older archive here verifies")
          + (verdict == .damaged ? "; --salvage brings back what is whole in the newest" : ""))
    case .opensOlder(let older):
      return Failure(
        .wrongSecret, "this secret does not open the newest archive here, \(older.newest)",
        meaning:
          "it opens archive \(older.sequence) of \(LocalTime.text(older.created)), and "
          + "\(older.above == 1 ? "1 newer archive is" : "\(older.above) newer archives are") here, which may be a stranger's",
        hint: "restore \(older.name), if that is the archive you know")
    }
  }

  /// Explains that the destination has newer key shares.
  private static func failure(of older: [OlderShares]) -> Failure {
    Failure(
      .older,
      "the archive's key shares are older than the ones on this machine: \(Self.list(older.map(\.sentence)))",
      meaning:
        "old shares cannot sign together with refreshed ones. The newer shares were kept, and nothing was changed",
      hint:
        "choose a newer archive, leave the shares out with --only profile,history, or accept the older ones with --accept older"
    )
  }

  /// Explains that dangerous wallets were not confirmed.
  private static func failure(of wallets: [HazardousWallet]) -> Failure {
    var hazards: [String] = []
    for hazard in wallets.flatMap(\.hazards) where !hazards.contains(hazard) { hazards.append(hazard) }
    let names = wallets.map { "\"\($0.name)\" (\($0.hazards.joined(separator: ", ")))" }
    let dangers = hazards.map { "\($0): \(WalletHazard.danger(of: $0))" }
    return Failure(
      .differs, "dangerous if an old copy or a second copy runs: \(Self.list(names))",
      meaning: "nothing was restored; \(dangers.joined(separator: "; "))",
      hint: "if each is stopped for good everywhere else, run again with "
        + hazards.map { "--accept hazard=\($0)" }.joined(separator: " "))
  }

  private static func list(_ parts: [String]) -> String {
    let more = parts.count > 5 ? ", and \(parts.count - 5) more" : ""
    return parts.prefix(5).joined(separator: "; ") + more
  }
}

extension OlderShares {
  /// Which shares they are, and what replaced them.
  package var sentence: String {
    let names = shares.map(\.short).joined(separator: ", ")
    return "\(names): of epoch \(epoch), but the same key has shares of epoch \(newest)"
  }
}

extension StageEnd {
  /// The end of the stage, in a few words after its name.
  package var sentence: String {
    switch self {
    case .done: "done"
    case .salvaged: "damaged: only the undamaged parts are restored"
    case .read(let lost, let proofs):
      [lost.sentence, proofs.sentence].compactMap(\.self).joined(separator: "; ")
    case .resynced(let outcome): outcome.sentence
    }
  }
}

extension StageLoss {
  /// The stage's completeness, or its losses.
  fileprivate var sentence: String {
    let whole = scopes.map { "the whole \($0.name)" }
    let parts = whole + (records > 0 ? [Readable.count(records, "record")] : [])
    return parts.isEmpty ? "done" : "in part. Lost: \(parts.joined(separator: ", "))"
  }
}

extension ProofTally {
  /// The numbers of proved, differing and unchecked addresses; nil if there are none.
  var sentence: String? {
    let parts = [(proved, "proved"), (differing, "differ"), (unchecked, "not checked")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : "addresses: \(parts.joined(separator: ", "))"
  }
}

extension ResyncOutcome {
  /// The outcome of the resync.
  package var sentence: String {
    switch self {
    case .notRun(let reason): "not run: \(reason)"
    case .complete(let wallets): wallets == 1 ? "1 wallet is up to date" : "\(wallets) wallets are up to date"
    case .incomplete(let wallets, let problems):
      "incomplete for \(problems.count) of \(Readable.count(wallets, "wallet"))"
    }
  }
}

/// A restore's stages, for display.
enum StageLines {
  static func show(_ event: RestoreProgress, _ line: ProgressLine, _ console: Console) throws {
    switch event {
    case .began(let stage): try line.show(stage.rawValue)
    case .reading(let bytes, let all):
      try line.show("verify", ProgressAmount(done: bytes, all: all, unit: .bytes))
    case .restoring(let section, let records, let all):
      try line.show(section.name, ProgressAmount(done: records, all: all, unit: .records))
    case .ended(let result):
      line.clear()
      // A stage that ended well, with nothing else to tell, is a detail, and so is how long it took.
      guard console.isVerbose || !result.result.isUneventful || !result.counts.isEmpty else { return }
      let counts = result.counts.sorted { $0.key < $1.key }.map { Readable.records($0.value, of: $0.key) }
      let detail = counts.isEmpty ? "" : ": \(counts.joined(separator: ", "))"
      let time = console.isVerbose ? " (\(Readable.seconds(result.seconds)))" : ""
      console.report("\(result.stage.rawValue): \(result.result.sentence)\(time)\(detail)")
    }
  }
}
