internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// The numbers of `status --prometheus`: what alerts are made of, with no secret.
struct StatusMetrics {
  private typealias Labels = [PrometheusText.Label]

  private var metrics = PrometheusText()
  private let targets: [(labels: Labels, report: TargetStatus)]
  private let vaults: [(labels: Labels, vault: VaultStatus)]
  /// The targets with problems that only the list reports, which has an alert of its own.
  private let listed: Set<ExactText>

  /// The file's text.
  ///
  /// Its last line is what OpenMetrics requires, and a comment in Prometheus's own format.
  var text: String { metrics.text + "# EOF\n" }

  /// Ages are at `now`, in seconds since 1970.
  init(_ report: StatusReport, now: Int64) {
    targets = report.targets.map { ([("target", $0.path)], $0) }
    vaults = targets.flatMap { labels, report in
      report.vaults.map { (labels + [("vault", $0.vault.hex), ("name", $0.name ?? "")], $0) }
    }
    let troubled = Set(report.troubled.map { ExactText($0.path) })
    listed =
      report.expected == nil ? [] : Set(report.targets.map { ExactText($0.path) }).subtracting(troubled)
    metrics.begin("fueki_backup_status_timestamp_seconds", .gauge, help: "When status wrote this file.")
    metrics.add(Double(now))
    addTargets()
    addVaults()
    if let expected = report.expected { add(expected) }
  }

  private mutating func add(_ expected: [ExpectedVaults.Verdict]) {
    let labeled = expected.map { verdict -> (labels: Labels, verdict: ExpectedVaults.Verdict) in
      (
        [
          ("vault", verdict.vault.hex), ("name", verdict.label?.text ?? ""),
          ("owner", verdict.expected?.owner ?? ""),
        ], verdict
      )
    }
    metrics.begin("fueki_backup_expected_ok", .gauge, help: "1 if the vault is as the list expects it.")
    for (labels, verdict) in labeled { metrics.add(verdict.problems.isEmpty ? 1 : 0, labels) }
    metrics.begin(
      "fueki_backup_expected_problem", .gauge,
      help: "1 for each problem of a vault by the list, such as late.")
    for (labels, verdict) in labeled {
      for problem in verdict.problems { metrics.add(1, labels + [("status", problem.word)]) }
    }
    metrics.begin(
      "fueki_backup_expected_newest_timestamp_seconds", .gauge,
      help: "When the newest archive that counts was made, by its header.")
    for (labels, verdict) in labeled {
      if let newest = verdict.newest { metrics.add(Double(newest.created), labels) }
    }
  }

  private mutating func addTargets() {
    metrics.begin(
      "fueki_backup_target_ok", .gauge,
      help: "1 if the target and its vaults have no problem and lack nothing.")
    for (labels, report) in targets { metrics.add(report.isWell && report.isComplete ? 1 : 0, labels) }
    metrics.begin(
      "fueki_backup_target_problems", .gauge,
      help: "Problems of the target itself that no list reports, such as a full disk.")
    for (labels, report) in targets {
      metrics.add(listed.contains(ExactText(report.path)) ? 0 : Double(report.problems.count), labels)
    }
  }

  private mutating func addVaults() {
    add("problems", "Problems of the vault's backup in this target.") { Double($0.problems.count) }
    add("missing", "Things that the newest archive lacks and earlier archives or its sources have.") {
      Double($0.gaps.count + $0.losses.count)
    }
    add("other_machine", "1 if another machine has backed up the vault since this one did.") {
      $0.otherMachine == nil ? 0 : 1
    }
    add("newest_number", "The number of the newest archive.") { $0.newest.map { Double($0.facts.sequence) } }
    add("newest_timestamp_seconds", "When the newest archive was made, by its header.") {
      $0.newest.map { Double($0.facts.created) }
    }
    let kinds: [(Activity.Kind, String)] = [
      (.create, "an archive was last made here, or found to be current"),
      (.verify, "the newest archive was last found whole"),
      (.drill, "the last drill that went well was made"),
      (.prune, "old archives were last removed"),
    ]
    for (kind, meaning) in kinds {
      add("last_\(kind.rawValue)_timestamp_seconds", "When \(meaning), by this machine.") {
        $0.last[kind].map { Double($0) }
      }
    }
    add("failed_drill", "1 if the last drill found a difference.") { $0.failedDrill == nil ? 0 : 1 }
    add("failed_verify", "1 if the last verification found the newest archive damaged.") {
      $0.failedVerification == nil ? 0 : 1
    }
    add("faulty_wallets", "Wallets whose backup is faulty.") { Double($0.findings.count { $0.isFaulty }) }
  }

  /// Adds a metric of vaults; a vault without a value has no sample.
  private mutating func add(_ name: String, _ help: String, _ value: (VaultStatus) -> Double?) {
    metrics.begin("fueki_backup_vault_\(name)", .gauge, help: help)
    for (labels, vault) in vaults { if let value = value(vault) { metrics.add(value, labels) } }
  }
}
