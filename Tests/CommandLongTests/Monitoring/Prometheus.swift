import FuekiSystem
import Glibc
import TestSupport

/// A Prometheus with an Alertmanager, on the loopback device, with the packages' alerting rules.
///
/// Alerts that last a quarter of an hour before they are sent are sent at once.
final class Prometheus {
  private static let program = "/usr/bin/prometheus"
  private static let manager = "/usr/bin/prometheus-alertmanager"
  static let canRun = Installed.runs(program) && Installed.runs(manager)

  private var processes: [Int32] = []

  /// Starts both.
  init(watching names: [String], at server: String, in machine: Machine) throws {
    let folder = "\(SourceTree.path)/.ci/packaging/monitoring"
    let rules = String(decoding: try File.open("\(folder)/alerts.yml").readAll(limit: 1 << 20), as: UTF8.self)
    let atOnce = rules.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("        for: ") ? "        for: 0s" : String(line)
    }
    try machine.write(atOnce.joined(separator: "\n"), to: "alerts.yml")
    let (place, managerPlace) = (Self.place(), Self.place())
    let jobs = names.map { name in
      """
        - job_name: \(name)
          metrics_path: /\(name)
          static_configs: [{targets: ["\(server)"], labels: {instance: \(name)}}]
      """
    }
    try machine.write(
      """
      global: {scrape_interval: 1s, evaluation_interval: 1s}
      rule_files: [alerts.yml]
      alerting: {alertmanagers: [{static_configs: [{targets: ["\(managerPlace)"]}]}]}
      scrape_configs:
      \(jobs.joined(separator: "\n"))

      """, to: "prometheus.yml")
    try machine.write(
      """
      route: {receiver: watch, group_by: ["..."], group_wait: 0s, group_interval: 1s}
      receivers: [{name: watch, webhook_configs: [{url: "http://\(server)/"}]}]

      """, to: "alertmanager.yml")
    try start(
      Self.manager,
      [
        "--config.file=\(machine.path("alertmanager.yml"))", "--storage.path=\(machine.path("alertmanager"))",
        "--web.listen-address=\(managerPlace)", "--cluster.listen-address=",
      ])
    try start(
      Self.program,
      [
        "--config.file=\(machine.path("prometheus.yml"))",
        "--storage.tsdb.path=\(machine.path("prometheus"))",
        "--web.listen-address=\(place)",
      ])
  }

  deinit { stop() }

  /// Ends both.
  func stop() {
    for process in processes {
      _ = kill(process, SIGKILL)
      _ = try? ChildEnding.wait(for: process)
    }
    processes = []
  }

  private static func place() -> String {
    let place = Loopback.place()
    return "\(place.host):\(place.port)"
  }

  private func start(_ program: String, _ arguments: [String]) throws {
    var command = ChildCommand(
      executable: program, arguments: [program] + arguments,
      environment: ["PATH=/usr/bin:/bin"].map { Array($0.utf8) })
    let nothing = try File.open("/dev/null")
    let sink = try File.open("/dev/null")
    command.streams = (nothing.descriptor, sink.descriptor, sink.descriptor)
    processes.append(try command.start())
  }
}
