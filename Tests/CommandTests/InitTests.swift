import FuekiSystem
import TestSupport
import Testing

/// Setting a machine up, by a person and by a script.
struct InitTests {
  // The identity of age's own test vectors, which belongs to no person.
  private static let recipient = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"
  private static let config = "home/.config/fueki-backup/config.toml"

  @Test func `with everything given, a timer's create needs nothing more than its keychain`() throws {
    let machine = try Machine()
    let run = try machine.run(
      ["init", "--target", machine.target, "--target-kind", "local", "--label", "ours", "--no-passphrase"]
        + ["--recipient", Self.recipient] + machine.keychainSecret + ["--json"], status: 0)
    let json = try run.json()
    #expect(json["unattended_needs"]?.elements.count == 1)
    #expect(json["vault"]?.text?.count == 32 && json["signer"]?.text?.hasPrefix("fueki-signer ") == true)
    let folder = try Directory.open(machine.path("home/.config/fueki-backup"))
    #expect(try folder.status().permissions & 0o777 == 0o700)
    for name in ["config.toml", "signing.key", "signing.pub"] {
      #expect(try folder.status(of: name).permissions & 0o777 == 0o600, "\(name)")
    }
    #expect(try machine.run(["config", "validate"]).status == 0)
    let made = try machine.run(["create", "--json"] + machine.keychainSecret, status: 0)
    let archive = try #require(try made.json()["archive"]?.text)
    #expect(archive.contains("/ours-"))
    let verify = try machine.run(["verify", "latest", "--json"], status: 0)
    #expect(try verify.json()["archives"]?[0]?["authenticity"] == .string("trusted-signer"))
    // The first archive was signed by the key that this machine had made, which is not the configured one.
    #expect(try machine.run(["verify", machine.target]).status == 0)
    #expect(try machine.run(["verify", machine.target, "--trusted-signer", "config"]).status == 23)
  }

  @Test func `what is there is never overwritten`() throws {
    let machine = try Machine()
    let command = ["init", "--target", machine.target, "--no-passphrase"]
    #expect(try machine.run(command).status == 0)
    let before = try machine.snapshot(of: "home")
    #expect(try machine.run(command).status == 40)
    #expect(try machine.snapshot(of: "home") == before)
    // The key that is there is taken again.
    try machine.remove(Self.config)
    let again = try machine.run(command)
    #expect(again.status == 0 && again.text.contains("took the signing key"), "\(again.errors)")
    #expect(try machine.snapshot(of: "home") == before)
  }

  @Test func `nothing is written where something is missing or wrong`() throws {
    let machine = try Machine()
    try machine.write("not the keychain's passphrase", to: "wrong")
    let cases: [([String], Int32)] = [
      ([], 64), (["--target", machine.path("none")], 10), (["--target", machine.target], 12),
      (["--target", machine.target, "--no-sign-key", "--recipient", "age1nobody"], 64),
      (
        [
          "--target", machine.target, "--no-sign-key", "--keychain-passphrase-from",
          machine.place("wrong"),
        ], 12
      ),
      (["--target", machine.target, "--sign-key", machine.path("none")], 12),
      (["--target", machine.target, "--sign-key", "x", "--no-sign-key"], 64),
    ]
    for (more, status) in cases {
      let run = try machine.run(["init"] + more)
      #expect(run.status == status, "\(more) \(run.errors)")
      #expect(!machine.exists("home/.config"), "\(more)")
    }
    // A path from where the program is run holds from anywhere else too.
    try machine.run(["init", "--target", "target", "--no-sign-key"], status: 0)
    #expect(try machine.text(Self.config).contains("\"\(machine.target)\""))
  }

  @Test func `the missing settings of an unattended machine are listed`() throws {
    let machine = try Machine()
    let run = try machine.run(["init", "--target", machine.target, "--no-sign-key"], status: 0)
    #expect(run.text.contains("fueki-passphrase") && run.text.contains("fueki-keychain-passphrase"))
    // A new machine has no wallet yet.
    let new = try Machine(isPrepared: false)
    let empty = try new.run(["init", "--target", new.target, "--no-sign-key"])
    #expect(empty.status == 0 && empty.text.contains("fueki-backup import"), "\(empty.errors)")
  }

  @Test func `the file that the environment names for the passphrase becomes the configuration's`() throws {
    let machine = try Machine(isPrepared: false)
    let file = ["FUEKI_PASSPHRASE_FILE": machine.path("passphrase")]
    let command = ["init", "--target", machine.target, "--no-sign-key"]
    try machine.write("1234", to: "weak")
    try machine.write(Machine.passphrase, to: "open", permissions: 0o644)
    for name in ["weak", "open", "none"] {
      let run = try machine.run(command, environment: ["FUEKI_PASSPHRASE_FILE": machine.path(name)])
      #expect(run.status != 0 && !machine.exists("home/.config"), "\(name) \(run.errors)")
    }
    let run = try machine.run(command, environment: file, status: 0)
    #expect(!run.text.contains("$CREDENTIALS_DIRECTORY/fueki-passphrase"), "\(run.text)")
    let text = try machine.text(Self.config)
    #expect(text.contains("passphrase_file = \"\(machine.path("passphrase"))\""), "\(text)")
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `on a terminal it asks`() throws {
    let machine = try Machine()
    let secret = "of the signing key, typed by hand"
    let run = try machine.type(
      [
        ("data directory", ""), ("folder", machine.target), ("elsewhere", "no"),
        ("recipients", Self.recipient),
        ("new passphrase", secret), ("again", secret),
      ], ["init"] + Machine.quick)
    #expect(run.status == 0, "\(run.text)")
    #expect(!run.text.contains(secret))
    let text = try machine.text(Self.config)
    #expect(text.contains("kind = \"local\"") && text.contains(Self.recipient) && text.contains(machine.data))
    try machine.write(secret, to: "signing.pass")
    try machine.run(
      ["create", "--signing-passphrase-from", machine.place("signing.pass")] + machine.keychainSecret,
      status: 0)
  }
}
