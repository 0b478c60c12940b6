internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto

/// `guardians check`: tells a holder that a share is intact, without the others.
struct GuardiansCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check that shares are intact, each without the others.")

  @Argument(
    help: .guardianSheets, completion: .file())
  var files: [String]
  @Option(
    help: .guardiansToCompare, completion: .file()
  )
  var guardians: String?
  @Option(
    help: .guardedVault)
  var vaultId: String?
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var speech: OutputOptions

  func validate() throws {
    guard vaultId == nil || guardians != nil else {
      throw ValidationError("--vault-id is of use with --guardians only")
    }
  }

  func run() throws {
    let console = speech.console
    _ = try sandbox.enter(needs, Configuration(), console)
    let known = try guardians.map { try KnownGuardians($0, vault: vaultId) }
    var verdicts: [(given: GivenShare, problem: ShareProblem?)] = []
    for path in files {
      let given = try GivenShare(path)
      let sound = verdicts.filter { $0.problem == nil }.map(\.given)
      verdicts.append((given, try given.problem(of: known) ?? given.problem(beside: sound)))
    }
    if speech.json {
      Document.write([
        "schema": "fueki.guardians/1",
        "ok": verdicts.allSatisfy { $0.problem == nil },
        "shares": verdicts.map { $0.given.document($0.problem, known) },
      ])
    } else {
      for verdict in verdicts { print(verdict.given, verdict.problem, known, console) }
    }
    guard verdicts.allSatisfy({ $0.problem == nil }) else { throw ExitStatus.wrongSecret }
  }

  private func print(
    _ given: GivenShare, _ problem: ShareProblem?, _ known: KnownGuardians?, _ console: Console
  ) {
    if let problem { return console.line("wrong: \(given.path): \(problem.sentence)") }
    guard case .success(let share) = given.share else { return }
    let count = known.map { " of \($0.set.shareTags.count)" } ?? ""
    let all = known == nil ? "" : ", and is the original"
    console.report(
      "intact: \(given.path): guardian \(share.memberIndex + 1)\(count), \(share.memberThreshold) are needed\(all)"
    )
  }
}

extension GivenShare {
  fileprivate func document(_ problem: ShareProblem?, _ known: KnownGuardians?) -> Members {
    let share = try? share.get()
    return [
      "file": path,
      "ok": problem == nil,
      "guardian": share.map { $0.memberIndex + 1 },
      "threshold": share?.memberThreshold,
      "count": known?.set.shareTags.count,
      "identifier": share?.identifier,
      "problem": problem?.sentence,
      "word": problem?.place,
    ]
  }

  /// Returns its conflict with other valid shares.
  fileprivate func problem(beside others: [GivenShare]) -> ShareProblem? {
    guard case .success(let share) = share else { return nil }
    for other in others {
      guard case .success(let known) = other.share else { continue }
      guard known.belongs(with: share) else { return .otherSet(than: other.path) }
      if known.memberIndex == share.memberIndex { return .sameMember(as: other.path) }
    }
    return nil
  }
}
