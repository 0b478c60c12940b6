public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Archives verified one after another, and what of them does not fit together.
///
/// It is given values, tells through ``VerifyEvent``, and ends in a value. What is wrong with an archive is in the
/// outcome, and stops nothing.
public struct VerifyRun {
  /// What is asked of each archive.
  public var verification: Verification
  /// The newest archive known of each vault, as whoever asks says it.
  public var given: [VaultID: VaultState.Link] = [:]
  /// The state of this machine, on one that makes backups: it remembers which targets' newest archives are whole.
  public var state: StateDirectory?
  /// Where recovery files are tried on what is damaged; nil where none are.
  public var parity: ParityFolder?
  let trust: Trust
  let report: (VerifyEvent) throws -> Void

  /// - Parameters:
  ///   - verification: what is asked of each archive.
  ///   - trust: whose archives are this person's, and what this machine knows.
  ///   - report: is told what happens; what it throws ends the run.
  public init(_ verification: Verification, trust: Trust, report: @escaping (VerifyEvent) throws -> Void) {
    self.verification = verification
    self.trust = trust
    self.report = report
  }

  /// Verifies.
  ///
  /// - Returns: a result for each, in their order.
  /// - Throws: ``StateError/damaged(path:)``, `Interrupted`, `CryptoError`, and what `report` throws.
  public func run(on subjects: [VerifySubject]) throws -> [VerificationResult] {
    var results = try subjects.map(verify)
    for index in VerificationResult.markForks(in: &results) { try report(.ended(results[index])) }
    return results
  }

  private func verify(_ subject: VerifySubject) throws -> VerificationResult {
    let start = SystemClock.workingSeconds
    var verification = verification
    verification.symbolicLinks = subject.place == .named ? .follow : .refuse
    verification.trusted = subject.trusted
    var result = try verification.run(on: subject.path) { vault in
      switch subject.place {
      case .named: given[vault]
      case .newestOfFolder: try VaultState.Link.newer(given[vault], trust.known(of: vault))
      case .otherOfFolder: nil
      }
    } progress: { _ in
      try report(.verifying(path: subject.path))
    }
    result.ownership = subject.ownership
    result.mendability = try parity.flatMap {
      try result.mendability(in: $0) { try report(.verifying(path: subject.path)) }
    }
    result.seconds = SystemClock.workingSeconds - start
    try report(.ended(result))
    return result
  }

  /// Remembers that targets' newest archives are whole; elsewhere than on a machine that makes backups nothing is kept.
  ///
  /// - Parameters:
  ///   - results: what was found.
  ///   - folders: the targets of which everything was verified; nil where it is the newest archive, wherever it lies.
  public func remember(_ results: [VerificationResult], of folders: [String]?) {
    guard verification.depth != .structure, let state, state.exists else { return }
    var newest: [NewestKey: VerificationResult] = [:]
    for result in results {
      guard let facts = result.facts else { continue }
      let key = NewestKey(vault: facts.vaultID, folder: Target(holding: result.path).path)
      if facts.sequence > newest[key]?.facts?.sequence ?? 0 { newest[key] = result }
    }
    for (key, result) in newest where result.verdict == .intact {
      let isAll = folders?.contains { $0 == key.folder || $0 == key.folder + "/" } ?? true
      guard let facts = result.facts, isAll else { continue }
      try? state.note(
        .verify, target: key.folder, vault: key.vault, archive: result.digest, sequence: facts.sequence)
    }
  }

  private struct NewestKey: Hashable {
    let vault: VaultID
    let folder: String
  }
}

/// What happens while archives are verified, for whoever shows it.
public enum VerifyEvent: Sendable {
  /// An archive is read.
  case verifying(path: String)
  /// What was found of it; a second time where it turns out to be one side of a fork.
  case ended(VerificationResult)
}
