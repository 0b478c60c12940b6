internal import FuekiArchive
internal import FuekiBackup

/// The outcome of `status`: what its text, its documents and its exit status are made of.
struct StatusReport {
  var targets: [TargetStatus]
  /// The judgements by a list of expected vaults; nil without a list.
  var expected: [ExpectedVaults.Verdict]?
  /// The number of vaults in the list if none of them was judged; otherwise 0.
  let unjudged: Int
  /// The result of checking the list's signature; nil without a list.
  var listSignature: ListSignature?
  /// The wallets on this machine that are in no backup; nil if the run did not look for them.
  var uncovered: [UncoveredWallets.Item]?
  /// Returns a vault's name for display.
  let name: (VaultID) -> String?

  init(
    _ targets: [TargetStatus], expected: [ExpectedVaults.Verdict]? = nil, unjudged: Int = 0,
    name: @escaping (VaultID) -> String? = { _ in nil }
  ) {
    self.targets = targets
    self.expected = expected
    self.unjudged = unjudged
    self.name = name
  }

  var isWell: Bool {
    targets.allSatisfy(\.isWell) && (expected ?? []).allSatisfy(\.problems.isEmpty) && unjudged == 0
  }
  var isComplete: Bool { targets.allSatisfy(\.isComplete) }

  /// The same with only the targets and vaults that have problems or lack something.
  var problemsOnly: StatusReport {
    StatusReport(
      targets.filter { !$0.isFine }.map { $0.keepingVaults { !$0.isFine } },
      expected: expected?.filter { !$0.problems.isEmpty }, unjudged: unjudged, name: name)
  }

  /// The targets that need attention for another reason than what the list of expected vaults reports.
  var troubled: [TargetStatus] {
    let reported = (expected ?? []).filter { !$0.problems.isEmpty }
    let (places, vaults) = (Set(reported.compactMap { $0.expected?.target }), Set(reported.map(\.vault)))
    return targets.filter { target in
      guard !target.isFine else { return false }
      let isInList =
        target.problems.allSatisfy(\.isInVerdicts)
        && target.vaults.allSatisfy { vault in
          vault.isFine
            || vault.isComplete && vaults.contains(vault.vault) && vault.problems.allSatisfy(\.isInVerdicts)
        }
      return !isInList || !places.contains(Target(path: target.path).place)
    }
  }

  func sentences(_ problems: [StatusProblem]) -> [String] { problems.map { $0.sentence(name) } }
}

extension StatusProblem {
  /// Whether a list of expected vaults reports it, too: nothing can be read or is there, or the newest file is not whole.
  fileprivate var isInVerdicts: Bool {
    switch self {
    case .unreachable, .empty, .broken, .damaged, .noArchive: true
    default: false
    }
  }
}

extension TargetStatus {
  /// Whether neither it nor a vault in it needs attention.
  var isFine: Bool { isWell && isComplete }
}

extension VaultStatus {
  /// Whether it has no problem, lacks nothing, and no other machine has backed it up since.
  var isFine: Bool { problems.isEmpty && isComplete }

  /// Whether it lacks nothing, and no other machine has backed it up since.
  var isComplete: Bool { !lacksAnything && otherMachine == nil }
}
