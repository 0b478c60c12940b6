import FuekiSystem
import TestSupport
import Testing

/// Servers' keys in the wallet's keychain, as a person keeps and uses them.
@Suite(.enabled(if: AnsweringServer.canRun, "python3's http.server is not on this machine"))
struct EndpointKeyTests {
  /// Only the sealed file contains it, and no output does.
  private static let key = "canary-of-the-server-Wq93kd"

  private func add(_ name: String, _ more: [String] = [], to machine: Machine) throws -> RunResult {
    try machine.run(
      ["config", "credential", "add", name, "--credential-from", "fd:0"] + machine.keychainSecret + more,
      stdin: Self.key + "\n")
  }

  private func configure(_ machine: Machine, _ text: String) throws -> [String] {
    try machine.write(text, to: "config.toml")
    return ["--config", machine.path("config.toml")]
  }

  private func endpoint(_ server: AnsweringServer, _ more: String = "credential_keychain = \"node\"")
    -> String
  {
    """
    [[endpoint]]
    kind = "ethereum-rpc"
    url = "http://127.0.0.1:\(server.port)/v3"
    \(more)

    """
  }

  @Test func `a key is kept under its name, replaced only when told, listed and removed`() throws {
    let machine = try Machine()
    let list = ["config", "credential", "list"] + machine.keychainSecret
    #expect(try machine.run(list).text == "")
    #expect(try add("node", to: machine).status == 0)
    #expect(try add("prices", to: machine).status == 0)
    #expect(try machine.run(list).text == "node\nprices\n")
    #expect(try machine.run(list + ["--json"]).json()["credentials"]?.elements.count == 2)
    let again = try add("node", to: machine)
    #expect(again.status == 40 && again.errors.contains("--replace"), "\(again.errors)")
    #expect(try add("node", ["--replace", "--json"], to: machine).status == 0)
    let remove = ["config", "credential", "remove", "node"] + machine.keychainSecret
    #expect(try machine.run(remove).status == 0)
    let gone = try machine.run(remove)
    #expect(gone.status == 10 && gone.errors.contains("has no endpoint's key \"node\""), "\(gone.errors)")
    #expect(try machine.run(list).text == "prices\n")
    // The wallet's own secrets are still there.
    #expect(try machine.create().status == 0)
    let empty = try machine.run(
      ["config", "credential", "add", "none", "--credential-from", "fd:0"] + machine.keychainSecret,
      stdin: "\n")
    #expect(empty.status != 0)
    #expect(try machine.run(list).text == "prices\n")
    let nowhere = try machine.run(list + ["--datadir", machine.path("nowhere")])
    #expect(nowhere.status == 10 && nowhere.errors.contains("credential_file"), "\(nowhere.errors)")
  }

  @Test func `only the server receives the key`() throws {
    let machine = try Machine()
    let server = try AnsweringServer(on: machine)
    #expect(try add("node", to: machine).status == 0)
    let configuration = try configure(machine, endpoint(server))
    let commands: [[String]] = [
      ["resync", "-v", "--policy", "network-only", "--metrics-file", machine.path("metrics")]
        + machine.keychainSecret,
      ["resync", "--json", "--policy", "network-only"] + machine.keychainSecret,
      ["config", "show"], ["config", "show", "--json"], ["config", "validate"],
      ["config", "validate", "--json"],
      ["doctor", "-v"] + machine.keychainSecret, ["doctor", "--json"] + machine.keychainSecret,
      ["config", "credential", "list", "-v"] + machine.keychainSecret,
      ["create", "--target", machine.target, "-v", "--json"] + machine.secrets,
    ]
    for body in ["\(Self.key) is refused", #"{"id":1,"error":{"code":-32000,"message":"bad key"}}"#] {
      try server.answer(body, status: body.hasPrefix("{") ? 200 : 401)
      for command in commands {
        let run = try machine.run(command + configuration)
        #expect(!run.text.contains(Self.key) && !run.errors.contains(Self.key), "\(command)")
        if command[0] == "resync" {
          #expect(run.status == 50, "\(run.errors)")
          let told = try server.requests()
          #expect(!told.isEmpty && told.allSatisfy { $0.contains("Authorization: Bearer \(Self.key)") })
          #expect(told.allSatisfy { !$0.split(separator: "|")[0].contains(Self.key) })
        } else {
          #expect(run.status == 0, "\(command) \(run.errors)")
          #expect(try server.requests().isEmpty)
        }
      }
    }
    for name in ["home", "state", "tmp", "target", "data", "metrics", "config.toml"]
    where machine.exists(name) {
      let files =
        name.contains(".") || name == "metrics"
        ? [name: try machine.read(name)] : try machine.snapshot(of: name)
      for (path, bytes) in files {
        #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.key), "\(path)")
      }
    }
  }

  @Test func `what is shown is where the key is, and never a command that prints it`() throws {
    let machine = try Machine()
    let server = try AnsweringServer(on: machine)
    let named = try machine.run(["config", "show"] + configure(machine, endpoint(server)))
    #expect(named.text.contains("credential_keychain = \"node\"    # \(machine.path("config.toml")), line 4"))
    let command = endpoint(server, "credential_command = \"echo \(Self.key)\"")
    let shown = try machine.run(["config", "show"] + configure(machine, command))
    #expect(shown.status == 0 && shown.text.contains("credential_command = \"(not shown)\""))
    #expect(!shown.text.contains(Self.key))
    let both = endpoint(server, "credential_keychain = \"node\"\ncredential_file = \"key\"")
    let refused = try machine.run(["config", "validate"] + configure(machine, both), status: 64)
    #expect(refused.errors.contains("has both \"credential_keychain\" and \"credential_file\""))
  }

  @Test func `a key that is not there is named before any server is asked`() throws {
    let machine = try Machine()
    let server = try AnsweringServer(on: machine)
    let configuration = try configure(machine, endpoint(server))
    let missing = try machine.run(["resync"] + machine.keychainSecret + configuration)
    #expect(
      missing.status == 10 && missing.errors.contains("config credential add node"), "\(missing.errors)")
    let doctor = try machine.run(["doctor", "--json"] + machine.keychainSecret + configuration)
    #expect(
      doctor.status == 60 && doctor.text.contains("has no endpoint's key \\\"node\\\""), "\(doctor.text)")
    // Without what opens the keychain it is not known whether it has the key.
    #expect(try machine.run(["doctor"] + configuration).status == 0)
    let closed = try machine.run(["resync"] + configuration)
    #expect(closed.status == 12 && closed.errors.contains("--keychain-passphrase-from"), "\(closed.errors)")
    try machine.write("not this one, 31 bytes of it", to: "wrong")
    try machine.run(
      ["resync", "--keychain-passphrase-from", machine.place("wrong")] + configuration, status: 12)
    let elsewhere = try machine.run(
      ["config", "validate"] + configuration, environment: ["FUEKI_DATADIR": machine.path("none")])
    #expect(
      elsewhere.status == 10 && elsewhere.text.contains("that could hold \"node\""), "\(elsewhere.text)")
    let file = try configure(machine, endpoint(server, "credential_file = \"no-such-key\""))
    let unreadable = try machine.run(["config", "validate"] + file)
    #expect(unreadable.status == 10 && unreadable.text.contains("no-such-key cannot be read"))
    #expect(try server.requests().isEmpty)
  }

  @Test func `a restore brings the keys back under their names, and its resync uses them`() throws {
    let machine = try Machine()
    let server = try AnsweringServer(on: machine)
    try server.answer("no", status: 403)
    #expect(try add("node", to: machine).status == 0)
    // Without private keys it stays where it is.
    #expect(try machine.create(["--include-private-keys", "--accept=synced-keys"]).status == 0)
    let configuration = try configure(machine, endpoint(server))
    let restored = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + machine.secrets + configuration)
    #expect([0, 50].contains(restored.status), "\(restored.errors)")
    #expect(!restored.text.contains(Self.key) && !restored.errors.contains(Self.key))
    #expect(!restored.text.contains("endpoint-key") && !restored.errors.contains("endpoint-key"))
    let told = try server.requests()
    #expect(!told.isEmpty && told.allSatisfy { $0.contains("Authorization: Bearer \(Self.key)") })
    let list = try machine.run(
      ["config", "credential", "list", "--datadir", machine.path("restored")] + machine.keychainSecret)
    #expect(list.text == "node\n", "\(list.errors)")
  }
}
