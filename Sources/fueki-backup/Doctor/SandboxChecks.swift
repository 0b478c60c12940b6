internal import ArgumentParser
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// Checks of the sandbox for commands that parse untrusted input.
enum SandboxChecks {
  /// Checks the kernel's support.
  static func kernel() -> Check {
    guard let version = Sandbox.version else {
      return .warning(
        "sandbox",
        "the kernel has no Landlock: files that a stranger may have written are read with all rights",
        remedy: "use Linux 5.13 or later with landlock among the security modules (lsm=)")
    }
    return .ok("sandbox", "Landlock \(version)")
  }

  /// Enters the sandbox of `verify`, and tries forbidden operations on a worker thread.
  static func trial(
    _ options: SandboxOptions, _ targets: [Target], _ configuration: Configuration, _ console: Console
  ) throws -> [Check] {
    let folders = targets.filter { $0.kind != .rclone }.flatMap { ["--target", $0.path] }
    var needs = try VerifyCommand.parse(["latest"] + folders).needs(configuration)
    // Those of a run that has a sandbox.
    needs.targets.removeAll { $0.kind == .rclone }
    needs.makesState = false
    _ = try options.enter(needs, configuration, console)
    return try trial()
  }

  /// Enters the sandbox of `restore`, and tries forbidden operations on a worker thread.
  static func restoreTrial(
    _ options: SandboxOptions, _ directory: String, _ targets: [Target], _ configuration: Configuration,
    _ console: Console
  ) throws -> [Check] {
    let folders = targets.filter { $0.kind != .rclone }.flatMap { ["--target", $0.path] }
    let order = RestoreOrder(into: directory, .everything, ofWallets: [], onConflict: .fail)
    let needs = try RestoreCommand.parse(["latest", "--files", "none"] + folders)
      .needs(order, configuration, orOneOf: [])
    var configuration = configuration
    _ = try RestoreSandbox.enter(options, needs, &configuration, console)
    return try trial()
  }

  private static func trial() throws -> [Check] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else {
      throw CommandError.usage("HOME is not set: there is no folder to try")
    }
    return [kernel()] + (try SandboxTrial.run(home: home)).map(check)
  }

  private static func check(_ finding: SandboxTrial.Finding) -> Check {
    let name = "sandbox-\(finding.attempt.rawValue)"
    guard !finding.isRefused else { return .ok(name, "refused: \(finding.subject)") }
    return .failed(
      name, "permitted: \(finding.subject)", remedy: "see what the check \"sandbox\" says about the kernel")
  }
}
