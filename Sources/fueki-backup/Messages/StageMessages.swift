internal import FuekiArchive
package import FuekiBackup

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
