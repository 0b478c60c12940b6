import FuekiSystem
import TestSupport
import Testing

/// The metrics of `status --prometheus`, and the alerts that are made of them.
struct StatusMetricsTests {
  private static let promtool = "/usr/bin/promtool"
  private static let hasPromtool = (try? File.open(promtool)) != nil
  private static let rules = "\(SourceTree.path)/.ci/packaging/monitoring"

  private func metrics(
    _ machine: Machine, status: Int32, _ options: [String] = []
  ) throws -> [String: Double] {
    try machine.run(
      ["status", "--target", machine.target, "--prometheus", machine.path("fueki.prom")] + options,
      status: status)
    var values: [String: Double] = [:]
    for line in try machine.text("fueki.prom").split(separator: "\n")
    where !line.hasPrefix("#") {
      let place = try #require(line.lastIndex(of: " "))
      let name = line.prefix { $0 != "{" && $0 != " " }
      values[String(name)] = Double(line[line.index(after: place)...])
    }
    return values
  }

  @Test func `a vault that is well, and one whose newest archive is damaged`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let well = try metrics(machine, status: 0)
    #expect(well["fueki_backup_target_ok"] == 1 && well["fueki_backup_vault_problems"] == 0)
    #expect(well["fueki_backup_vault_newest_number"] == 2 && well["fueki_backup_vault_missing"] == 0)
    let now = Double(SystemClock.now / 1_000_000)
    for name in ["vault_newest", "vault_last_create", "vault_last_verify", "status"] {
      let time = try #require(well["fueki_backup_\(name)_timestamp_seconds"])
      #expect(time <= now && time > now - 3600, "\(name)")
    }
    #expect(well["fueki_backup_vault_last_drill_timestamp_seconds"] == nil)
    // The collector is another user.
    let folder = try Directory.open(machine.path("."))
    #expect(try folder.status(of: "fueki.prom").permissions == 0o644)

    let newest = try #require(machine.archives().last)
    try machine.damage(newest)
    #expect(try machine.run(["verify", machine.target]).status == 20)
    let damaged = try metrics(machine, status: 60)
    #expect(damaged["fueki_backup_target_ok"] == 0 && damaged["fueki_backup_vault_problems"] == 1)
  }

  @Test func `a target that is not there, and one with a name to escape`() throws {
    let machine = try Machine()
    let name = "dis\"k\\ \n"
    try machine.copy("target", to: name)
    let run = try machine.run([
      "status", "--target", machine.path(name), "--target", machine.path("none"), "--target",
      machine.path("none"), "--prometheus", machine.path("fueki.prom"),
    ])
    #expect(run.status == 60)
    let text = try machine.text("fueki.prom")
    #expect(text.contains("dis\\\"k\\\\ \\n\",vault=\""))
    let missing = text.split(separator: "\n").filter { $0.contains("/none\"}") }
    #expect(missing.count == 2 && missing.allSatisfy { $0.hasSuffix("\"} 0") || $0.hasSuffix("\"} 1") })
  }

  @Test(.enabled(if: hasPromtool, "promtool is not on this machine"))
  func `Prometheus's own tool accepts the metrics, and the alerts fire when they should`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    _ = try metrics(machine, status: 0)
    let check = try BuiltBinary.run(
      program: "/bin/sh", ["-c", "\(Self.promtool) check metrics < \"$0\"", machine.path("fueki.prom")])
    #expect(check.status == 0, "\(check.text) \(check.errors)")
    let alerts = try BuiltBinary.run(
      program: "/bin/sh", ["-c", "cd \"$0\" && \(Self.promtool) test rules alerts.test.yml", Self.rules])
    #expect(alerts.status == 0, "\(alerts.text) \(alerts.errors)")
  }

  private static let parser = InstalledProgram.python(with: "prometheus_client.openmetrics.parser")

  @Test(.enabled(if: parser != nil, "no Python here has prometheus_client"))
  func `the parser of OpenMetrics reads back any owner, and each problem of an expected vault`() throws {
    let machine = try Machine()
    let list = machine.path("list.toml")
    #expect(try machine.run(["status", "--target", machine.target, "--write-expected", list]).status == 0)
    let owner = "a \"b\" \\ ]]> \u{2028}{c=\"d\"} 1\n# EOF"
    let escaped = owner.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    let keys = "owner = \"\(escaped)\"\nrecipients = 9\nmax_drill_age = \"1d\"\ntarget = "
    let text = try machine.text("list.toml")
    try machine.write(text.replacing("target = ", with: keys), to: "list.toml")
    try machine.write(owner, to: "owner")
    _ = try metrics(machine, status: 60, ["--expected", list])
    let script = """
      import sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
      families = {family.name: family for family in read(open(sys.argv[1], newline="").read())}
      problems = families["fueki_backup_expected_problem"].samples
      assert sorted(s.labels["status"] for s in problems) == ["not-drilled", "without-recipient"], problems
      assert {s.labels["owner"] for s in problems} == {open(sys.argv[2], newline="").read()}, problems
      assert [s.value for s in families["fueki_backup_expected_ok"].samples] == [0]
      """
    let run = try BuiltBinary.run(
      program: try #require(Self.parser), ["-c", script, machine.path("fueki.prom"), machine.path("owner")])
    #expect(run.status == 0, "\(run.text) \(run.errors)")
  }

  @Test(.enabled(if: hasPromtool, "promtool is not on this machine"))
  func `alerts and dashboard ask for metrics that status writes`() throws {
    let machine = try Machine()
    try machine.run(
      ["drill", "latest", "--no-live", "--target", machine.target] + machine.archiveSecret, status: 0)
    let list = machine.path("list.toml")
    #expect(try machine.run(["status", "--target", machine.target, "--write-expected", list]).status == 0)
    _ = try metrics(machine, status: 0, ["--expected", list])
    let script = """
      import json, re, subprocess, sys
      metrics, folder = open(sys.argv[1]).read(), sys.argv[2]
      known = set(re.findall(r"^# TYPE (\\w+)", metrics, re.M))
      board = json.load(open(folder + "/grafana.json"))
      asked = [t["expr"] for p in board["panels"] for t in p["targets"]]
      rules = {"groups": [{"name": "board", "rules": [{"record": f"r{i}", "expr": e} for i, e in enumerate(asked)]}]}
      json.dump(rules, open(sys.argv[3], "w"))
      subprocess.run(["\(Self.promtool)", "check", "rules", sys.argv[3]], check=True)
      used = set(re.findall(r"fueki_backup_\\w+", open(folder + "/alerts.yml").read() + " ".join(asked)))
      assert len(used) >= 8 and used <= known, used - known
      assert {"fueki_backup_expected_ok", "fueki_backup_expected_problem"} <= used, used
      """
    let run = try BuiltBinary.run(
      program: Wallets.python,
      ["-c", script, machine.path("fueki.prom"), Self.rules, machine.path("board.json")])
    #expect(run.status == 0, "\(run.text) \(run.errors)")
  }

  /// Says which alerts the metrics of a file raise that stay the same for an hour.
  private static let alarm = """
    import json, re, subprocess, sys
    lines = [l for l in open(sys.argv[1]).read().split("\\n") if l and not l.startswith("#")]
    values = [l.rsplit(" ", 1) for l in lines]
    now = next(float(v) for name, v in values if name == "fueki_backup_status_timestamp_seconds")
    series = [{"series": name, "values": f"{float(v) - (now if '_timestamp_' in name else 0)}x8"} for name, v in values]
    test = {"interval": "15m", "input_series": series, "promql_expr_test": [
      {"expr": 'count by (alertname) (ALERTS{alertstate="firing",severity="critical"})', "eval_time": "1h",
       "exp_samples": [{"labels": f'{{alertname="{sys.argv[3]}"}}', "value": 1}]}]}
    json.dump({"rule_files": [sys.argv[2]], "evaluation_interval": "15m", "tests": [test]}, open(sys.argv[4], "w"))
    sys.exit(subprocess.run(["\(promtool)", "test", "rules", sys.argv[4]]).returncode)
    """

  @Test(.enabled(if: hasPromtool, "promtool is not on this machine"), arguments: [true, false])
  func `one damaged archive raises one alert, with a list and without`(_ isCut: Bool) throws {
    let machine = try Machine()
    try #require(try machine.create().status == 0)
    let list = machine.path("list.toml")
    try #require(
      try machine.run(["status", "--target", machine.target, "--write-expected", list]).status == 0)
    let newest = try #require(machine.archives().last)
    var bytes = try machine.read(newest)
    bytes[bytes.count / 2] ^= 1
    try machine.write(isCut ? Array(bytes.prefix(bytes.count - 5000)) : bytes, to: newest)
    _ = try machine.run(["verify", machine.target])
    for (options, alert) in [([], "BackupProblem"), (["--expected", list], "ExpectedVaultProblem")] {
      _ = try metrics(machine, status: 60, ["--max-verify-age", "8d"] + options)
      let run = try BuiltBinary.run(
        program: Wallets.python,
        [
          "-c", Self.alarm, machine.path("fueki.prom"), "\(Self.rules)/alerts.yml", alert,
          machine.path("test.json"),
        ])
      #expect(run.status == 0, "\(run.text) \(run.errors)")
    }
  }
}
