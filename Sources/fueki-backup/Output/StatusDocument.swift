internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// `status --json`.
struct StatusDocument: Encodable {
  struct Vault: Encodable {
    let vault: String
    let label: String?
    let id: String?
    let sequence: UInt64?
    let created: String?
    let create: String?
    let verify: String?
    let drill: String?
    let prune: String?
    let kit: String?
    let failedDrill: String?
    let failedVerify: String?
    let missing: [String]
    let declinedKeys: [DeclinedKeysDocument]
    let wallets: [FindingDocument]
    let files: UInt64?
    let otherMachine: OtherMachineDocument?
    let problems: [String]
  }

  struct Target: Encodable {
    let path: String
    let vaults: [Vault]
    let problems: [String]
  }

  let schema = "fueki.status/1"
  let targets: [Target]
  let expected: [ExpectedDocument]?
  let expectedSignature: String?
  let uncovered: [UncoveredWallets.Item]?
  let ok: Bool

  /// - Parameters:
  ///   - whole: the outcome.
  ///   - isProblemsOnly: whether to leave out what is well.
  ///   - now: seconds since 1970.
  init(_ whole: StatusReport, isProblemsOnly: Bool = false, now: Int64) {
    let shown = isProblemsOnly ? whole.problemsOnly : whole
    expected = shown.expected.map { $0.map { ExpectedDocument($0, now: now) } }
    uncovered = whole.uncovered
    expectedSignature = whole.listSignature?.rawValue
    targets = shown.targets.map { report in
      Target(
        path: report.path,
        vaults: report.vaults.map { vault in
          let times = vault.last.mapValues { Times.text(UInt64(max(0, $0))) }
          return Vault(
            vault: vault.vault.hex, label: vault.name, id: vault.newest?.statedDigest.hex,
            sequence: vault.newest?.facts.sequence,
            created: vault.newest.map { Times.text($0.facts.created) },
            create: times[.create], verify: times[.verify], drill: times[.drill], prune: times[.prune],
            kit: times[.kit], failedDrill: vault.failedDrill.map(Times.text),
            failedVerify: vault.failedVerification.map(Times.text),
            missing: vault.missing, declinedKeys: vault.declinedKeys.map(DeclinedKeysDocument.init),
            wallets: vault.findings.map(FindingDocument.remembered),
            files: vault.placedFiles, otherMachine: vault.otherMachine.map(OtherMachineDocument.init),
            problems: shown.sentences(vault.problems))
        }, problems: shown.sentences(report.problems))
    }
    ok = whole.isWell && whole.isComplete
  }
}
