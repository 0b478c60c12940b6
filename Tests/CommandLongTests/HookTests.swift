import FuekiSystem
import TestSupport
import Testing

/// The person's own commands around a run.
struct HookTests {
  /// Makes a machine whose hooks each record their variables.
  private func machine(_ hooks: [String] = ["before", "after", "failed", "finally"], _ more: String = "")
    throws
    -> Machine
  {
    let machine = try Machine()
    try machine.write("#!/bin/sh\necho \"said by $1\"\nenv > \"seen-$1\"\necho \"$1\" >> order\n", to: "note")
    let lines = hooks.map { "\($0) = \"sh note \($0)\"\n" }.joined()
    try machine.write("[hooks]\n\(lines)\(more)", to: "config.toml")
    return machine
  }

  private func order(_ machine: Machine) throws -> [String] {
    guard machine.exists("order") else { return [] }
    defer { try? machine.remove("order") }
    return try machine.text("order").split(separator: "\n").map(String.init)
  }

  /// The variables that a hook had.
  private func seen(_ hook: String, by machine: Machine) throws -> [String: String] {
    var variables: [String: String] = [:]
    for line in try machine.text("seen-\(hook)").split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    }
    return variables
  }

  private func configuration(_ machine: Machine) -> [String] { ["--config", machine.path("config.toml")] }

  @Test func `hooks are told of a run that went well`() throws {
    let machine = try machine()
    let made = try machine.create(configuration(machine) + ["--json"], status: 0)
    // A hook's output is no result.
    let document = try made.json()
    #expect(made.errors.contains("said by before\n") && made.errors.contains("said by finally\n"))
    #expect(try order(machine) == ["before", "after", "finally"])
    let before = try seen("before", by: machine)
    #expect(before["FUEKI_HOOK"] == "before" && before["FUEKI_COMMAND"] == "create")
    #expect(before["FUEKI_STATUS"] == nil && before["FUEKI_ARCHIVE"] == nil)
    for hook in ["after", "finally"] {
      let told = try seen(hook, by: machine)
      #expect(told["FUEKI_STATUS"] == "0" && told["FUEKI_ERROR_ID"] == nil && told["FUEKI_HOOK"] == hook)
      #expect(told["FUEKI_ARCHIVE"] == document["archive"]?.text)
      #expect(told["FUEKI_ARCHIVE_ID"] == document["id"]?.text)
      #expect(told["FUEKI_SEQUENCE"] == "2" && told["FUEKI_TARGETS"] == machine.target)
      #expect(told["FUEKI_VAULT"]?.count == 32)
      #expect(told["FUEKI_STATE"] == machine.state)
    }
    for arguments in [
      ["verify", machine.target], ["prune", "--target", machine.target, "--keep-last", "9"],
    ] {
      #expect(try machine.run(arguments + configuration(machine)).status == 0)
      #expect(try order(machine) == ["before", "after", "finally"])
      #expect(try seen("after", by: machine)["FUEKI_COMMAND"] == arguments[0])
      #expect(try seen("after", by: machine)["FUEKI_VAULT"]?.count == 32)
    }
    for arguments in [["create", "--dry-run"] + machine.keychainSecret, ["list", machine.target]] {
      #expect(try machine.run(arguments + configuration(machine)).status == 0)
    }
    #expect(try order(machine).isEmpty)
  }

  @Test func `hooks are told of a run that failed, and why`() throws {
    let machine = try machine()
    try machine.write("not the passphrase", to: "keychain.pass")
    try machine.create(configuration(machine), status: 12)
    #expect(try order(machine) == ["before", "failed", "finally"])
    for hook in ["failed", "finally"] {
      let told = try seen(hook, by: machine)
      #expect(told["FUEKI_STATUS"] == "12" && told["FUEKI_ERROR_ID"] == "wrong-secret")
      #expect(told["FUEKI_ARCHIVE"] == nil)
    }
    // A status that is no error's own counts too, and an outer run's facts are not this one's.
    try machine.run(
      ["verify", machine.path("none.fueki")] + configuration(machine),
      environment: ["FUEKI_ARCHIVE": "of another", "FUEKI_STATUS": "0"], status: 10)
    #expect(try seen("failed", by: machine)["FUEKI_STATUS"] == "10")
    #expect(try seen("failed", by: machine)["FUEKI_ARCHIVE"] == nil)
    try machine.write("nonsense", to: "target/nonsense.fueki")
    #expect(try machine.run(["verify", machine.target] + configuration(machine)).status == 19)
    #expect(try seen("failed", by: machine)["FUEKI_ERROR_ID"] == "not-an-archive")
  }

  @Test func `where the hook before fails nothing is done`() throws {
    let machine = try machine(["failed", "finally"], "before = \"echo no disk; exit 7\"\n")
    let archives = try machine.archives()
    let run = try machine.create(configuration(machine), status: 1)
    #expect(run.errors.contains("no disk\n"))
    #expect(run.errors.contains("the hook \"before\" ended with status 7, so create did not begin"))
    #expect(run.errors.contains("config.toml, line 4"))
    #expect(try order(machine) == ["failed", "finally"])
    #expect(try seen("failed", by: machine)["FUEKI_STATUS"] == "1")
    #expect(try machine.archives() == archives)
  }

  @Test func `another hook that fails is a warning`() throws {
    let machine = try machine([], "after = \"exit 3\"\nfinally = \"kill -9 $$\"\n")
    let run = try machine.create(configuration(machine), status: 0)
    #expect(run.errors.contains("warning: the hook \"after\" ended with status 3"))
    #expect(run.errors.contains("warning: the hook \"finally\" was ended by signal 9"))
    #expect(try machine.archives().count == 2)
  }

  @Test func `no hook has a secret, not in its environment and not in an open file`() throws {
    let machine = try machine()
    let keychain = try machine.text("keychain.pass")
    try machine.write(
      "[hooks]\n"
        + ["before", "after", "finally"].map { hook in
          "\(hook) = \"env > seen-\(hook); ls /proc/self/fd > files-\(hook); cat > taken-\(hook) <&7; true\"\n"
        }.joined(), to: "config.toml")
    try Directory.makePrivateDirectories(machine.path("credentials"))
    let command =
      "exec 7< passphrase; exec \"$0\" \"$@\" -p fd:7"
    let run = try BuiltBinary.run(
      program: "/bin/sh",
      ["-c", command, try PreparedMachine.binary(), "create", "--target", machine.target]
        + configuration(machine) + Machine.quick,
      environment: [
        "HOME": machine.path("home"), "FUEKI_STATE": machine.state, "FUEKI_DATADIR": machine.data,
        "FUEKI_PASSPHRASE": Machine.passphrase, "FUEKI_KEYCHAIN_PASSPHRASE": keychain,
        "FUEKI_SIGNING_PASSPHRASE": Machine.passphrase, "FUEKI_NEW_PASSPHRASE_FILE": Machine.passphrase,
        "CREDENTIALS_DIRECTORY": machine.path("credentials"),
      ], cwd: machine.root)
    #expect(run.status == 0, "\(run.errors)")
    for hook in ["before", "after", "finally"] {
      let environment = try seen(hook, by: machine)
      #expect(environment["FUEKI_COMMAND"] == "create")
      #expect(!environment.keys.contains { $0.contains("PASSPHRASE") || $0.contains("CREDENTIALS") })
      #expect(!environment.values.contains { $0.contains(Machine.passphrase) || $0.contains(keychain) })
      #expect(try machine.read("taken-\(hook)").isEmpty)
      let files = try machine.text("files-\(hook)").split(separator: "\n")
      #expect(files.count <= 4, "\(files)")
    }
  }
}

/// The server for health checks.
struct HealthCheckTests {
  private static let reason: Comment = "this machine has no python3"

  /// Options that name a configuration with a check at this port, the URL's path a capability.
  private func watched(_ machine: Machine, _ port: String, _ more: String = "") throws -> [String] {
    try machine.write(
      "[health]\nurl = \"http://127.0.0.1:\(port)/ping/canary-5e1f?k=v\"\n\(more)", to: "config.toml")
    return ["--config", machine.path("config.toml")]
  }

  @Test(.enabled(if: HealthServer.canRun, reason))
  func `start, success and failure are told`() throws {
    let machine = try Machine()
    let server = try HealthServer(.well, on: machine)
    let configuration = try watched(machine, server.port)
    let (start, fail) = ("GET /ping/canary-5e1f/start?k=v", "GET /ping/canary-5e1f/fail?k=v")
    let made = try machine.create(configuration)
    #expect(made.status == 0 && !made.errors.contains("warning"), "\(made.errors)")
    #expect(try server.requests() == [start, "GET /ping/canary-5e1f?k=v"])
    #expect(try machine.run(["verify", machine.path("none.fueki")] + configuration).status == 10)
    #expect(try server.requests() == [start, fail])
    try machine.write(
      "[hooks]\nbefore = \"false\"\n" + machine.text("config.toml"),
      to: "config.toml")
    #expect(try machine.create(configuration).status == 1)
    #expect(try server.requests() == [start, fail])
    for arguments in [
      ["create", "--dry-run"] + machine.keychainSecret, ["status", "--target", machine.target],
    ] {
      #expect(try machine.run(arguments + configuration).status == 0)
    }
    #expect(try server.requests().isEmpty)
  }

  @Test(.enabled(if: HealthServer.canRun, reason))
  func `a check is told of the commands and vaults that are its own`() throws {
    let machine = try Machine()
    let server = try HealthServer(.well, on: machine)
    let more =
      "commands = [\"verify\"]\nvaults = [\"mine\"]\n[[vault]]\nname = \"mine\"\n[[vault]]\nname = \"club\"\n"
    let configuration = try watched(machine, server.port, more)
    let verify = ["verify", machine.target] + configuration
    #expect(try machine.create(configuration + ["--vault", "mine"]).status == 0)
    #expect(try machine.run(verify).status == 0)
    #expect(try machine.run(verify + ["--vault", "club"]).status == 0)
    #expect(try server.requests().isEmpty)
    #expect(try machine.run(verify + ["--vault", "mine"]).status == 0)
    #expect(try server.requests().count == 2)
  }

  @Test(.enabled(if: HealthServer.canRun, reason), arguments: [HealthServer.Manner.error, .redirect, .never])
  fileprivate func `a server that does not do its part is a warning, and soon`(_ manner: HealthServer.Manner)
    throws
  {
    let machine = try Machine()
    let server = try HealthServer(manner, on: machine)
    let configuration = try watched(machine, server.port)
    let run = try machine.run(["verify", machine.target, "-v"] + configuration)
    #expect(run.status == 0 && !run.timedOut)
    #expect(
      run.errors.contains("warning: the health check at http://127.0.0.1:\(server.port)/… "), "\(run.errors)")
    #expect(!run.errors.contains("canary"))
    // A lost request is sent once more at the end, and never elsewhere.
    #expect(try server.requests().count == 3)
  }

  @Test func `a server that is away is a warning, and the URL is not shown`() throws {
    let machine = try Machine()
    let configuration = try watched(machine, "1")
    for arguments in [["verify", machine.target, "-v"], ["verify", machine.target, "--json"]] {
      let run = try machine.run(arguments + configuration, status: 0)
      #expect(run.errors.contains("cannot be reached"))
      #expect(!(run.text + run.errors).contains("canary"))
    }
    for arguments in [["config", "show"], ["config", "show", "--json"], ["config", "validate"]] {
      let run = try machine.run(arguments + configuration, status: 0)
      #expect(!(run.text + run.errors).contains("canary"))
    }
    #expect(
      try machine.run(["config", "show"] + configuration).text.contains("url = \"http://127.0.0.1:1/…\""))
  }
}
