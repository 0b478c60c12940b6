import FuekiSystem
import TestSupport
import Testing

/// A place that a passphrase may come from: the options, then the environment's in the order in which they win.
enum SecretPlace: String, CaseIterable, CustomTestStringConvertible {
  case file
  case command
  case descriptor
  case credentials
  case fileVariable
  case variable

  var testDescription: String { rawValue }

  /// Returns the options and environment that provide the archive's passphrase from this source.
  func use(_ secret: String, on machine: Machine) throws -> Offer {
    let path = machine.path("from-\(rawValue)")
    switch self {
    case .file:
      try machine.write(secret, to: "from-file")
      return Offer(arguments: ["-p", path])
    case .command:
      try machine.write(secret, to: "from-command")
      return Offer(arguments: ["-p", "command:cat '\(path)'"])
    case .descriptor: return Offer(arguments: ["-p", "fd:0"], stdin: secret)
    case .credentials:
      try machine.write(secret, to: "credentials/fueki-passphrase")
      return Offer(environment: ["CREDENTIALS_DIRECTORY": machine.path("credentials")])
    case .fileVariable:
      try machine.write(secret, to: "from-fileVariable")
      return Offer(environment: ["FUEKI_PASSPHRASE_FILE": path])
    case .variable: return Offer(environment: ["FUEKI_PASSPHRASE": secret])
    }
  }

  struct Offer {
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var stdin = ""

    static func + (a: Offer, b: Offer) -> Offer {
      Offer(
        arguments: a.arguments + b.arguments, environment: a.environment.merging(b.environment) { $1 },
        stdin: a.stdin + b.stdin)
    }
  }
}

struct SecretSourceTests {
  private func contents(_ machine: Machine, _ offer: SecretPlace.Offer, through: [String] = []) throws
    -> RunResult
  {
    try machine.run(
      ["verify", "latest", "--target", machine.target, "--depth", "contents"] + offer.arguments,
      through: through, environment: offer.environment, stdin: offer.stdin)
  }

  @Test(arguments: SecretPlace.allCases)
  func `each place gives the passphrase, and only the environment's own value is warned of`(
    _ place: SecretPlace
  ) throws {
    let machine = try Machine()
    let run = try contents(machine, try place.use(Machine.passphrase, on: machine)).expect(0)
    #expect(run.errors.contains("warning: FUEKI_PASSPHRASE ") == (place == .variable))
  }

  @Test(arguments: [
    (SecretPlace.file, SecretPlace.credentials), (.command, .credentials), (.descriptor, .credentials),
    (.credentials, .fileVariable), (.fileVariable, .variable),
  ])
  func `an earlier place wins over a later one`(_ earlier: SecretPlace, _ later: SecretPlace) throws {
    let machine = try Machine()
    let right = try earlier.use(Machine.passphrase, on: machine)
    try contents(machine, right + later.use("wrong", on: machine)).expect(0)
    // Not the right one by a second try either.
    let wrong = try earlier.use("wrong", on: machine)
    #expect(try contents(machine, wrong + later.use(Machine.passphrase, on: machine)).status == 12)
  }

  @Test(arguments: [SecretPlace.file, .command, .descriptor, .credentials, .fileVariable])
  func `one newline at the end is removed and nothing else`(_ place: SecretPlace) throws {
    let machine = try Machine()
    for end in ["\n", "\r\n"] {
      let good = try contents(machine, place.use(Machine.passphrase + end, on: machine))
      #expect(good.status == 0 && !good.errors.contains("counts as a part of it"))
    }
    for other in ["\n\n", "\r", " ", "\r\n\n", " \r\n", " \n", "\t"] {
      let run = try contents(machine, place.use(Machine.passphrase + other, on: machine))
      #expect(run.status == 12, "\(other.debugDescription)")
      #expect(run.errors.contains("counts as a part of it"), "\(other.debugDescription)")
    }
  }

  @Test func `the environment's own value is taken whole`() throws {
    let machine = try Machine()
    try contents(machine, SecretPlace.variable.use(Machine.passphrase + "\n", on: machine)).expect(12)
  }

  @Test(arguments: [
    "", "\n", String(repeating: "x", count: 1025), String(repeating: "x", count: 1025) + "\n",
    String(repeating: "x", count: 5000), "with a \0 in it",
  ])
  func `an empty, too long or NUL passphrase is no passphrase`(_ secret: String) throws {
    let machine = try Machine()
    for place in [SecretPlace.file, .command, .descriptor] {
      let made = try machine.run(
        ["create", "--target", machine.target] + machine.keychainSecret + Machine.quick
          + place.use(secret, on: machine).arguments, stdin: secret)
      #expect(made.status == 64, "\(place): \(made.errors)")
      #expect(try machine.archives().count == 1)
      #expect(!made.errors.contains("xxxxxx"))
    }
  }

  @Test func `a passphrase of 1,024 bytes serves`() throws {
    let machine = try Machine()
    let long = String(repeating: "0123 abcd EFGH.:", count: 64)
    try machine.write(long + "\n", to: "long")
    try machine.run(
      ["create", "--target", machine.target, "-p", machine.path("long")]
        + machine.keychainSecret
        + Machine.quick + ["--accept=weak-passphrase", "--accept=new-passphrase"], status: 0)
    #expect(try contents(machine, SecretPlace.file.use(long, on: machine)).status == 0)
  }

  @Test(arguments: [UInt16(0o640), 0o604, 0o660, 0o620])
  func `a file that others can read or change is refused`(_ permissions: UInt16) throws {
    let machine = try Machine()
    try machine.write(Machine.passphrase, to: "open", permissions: permissions)
    let file = machine.path("open")
    for offer in [
      SecretPlace.Offer(arguments: ["-p", file]),
      SecretPlace.Offer(environment: ["FUEKI_PASSPHRASE_FILE": file]),
    ] {
      let run = try contents(machine, offer).expect(64)
      #expect(run.errors.contains("chmod 600"))
    }
    try machine.run(
      ["create", "--target", machine.target, "--keychain-passphrase-from", "file:\(file)"]
        + machine.archiveSecret, status: 64)
  }

  @Test func `a file that is not there, or a command that fails, gives no secret`() throws {
    let machine = try Machine()
    let missing = try contents(
      machine, SecretPlace.Offer(arguments: ["-p", machine.path("none")]))
    #expect(missing.status == 12, "\(missing.errors)")
    let failing = try contents(
      machine,
      SecretPlace.Offer(arguments: ["-p", "command:cat '\(machine.path("passphrase"))'; exit 3"]))
    #expect(failing.status == 12)
    #expect(failing.errors.contains("the command"))
  }

  @Test(arguments: [
    ["verify", "latest", "--depth", "contents"], ["restore", "latest", "--datadir", "new"], ["create"],
  ])
  func `no secret and no terminal ends with 12 and names the remedy`(_ command: [String]) throws {
    let machine = try Machine()
    let run = try machine.run(
      command + ["--target", machine.target], through: ["/usr/bin/setsid", "--wait"], status: 12)
    #expect(run.errors.contains("--passphrase-from"))
    #expect(!machine.exists("new"))
    #expect(try machine.archives().count == 1)
  }

  @Test func `a keychain with no secret and no terminal stops a backup, unless secrets are left out`() throws
  {
    let machine = try Machine()
    let arguments = ["create", "--target", machine.target] + machine.archiveSecret + Machine.quick
    let run = try machine.run(arguments, through: ["/usr/bin/setsid", "--wait"], status: 12)
    #expect(run.errors.contains("--keychain-key-file"))
    #expect(try machine.archives().count == 1)
    #expect(try machine.run(arguments + ["--exclude", "secrets"]).status == 0)
  }

  @Test func `a wrong passphrase is told from damage`() throws {
    let machine = try Machine()
    try machine.write("not the passphrase", to: "wrong")
    let run = try contents(
      machine, SecretPlace.Offer(arguments: ["-p", machine.path("wrong")]))
    #expect(run.status == 12)
    #expect((run.text + run.errors).contains("this is not damage"))
  }

  @Test func `a wrong keychain passphrase stops a backup`() throws {
    let machine = try Machine()
    try machine.write("not the passphrase", to: "wrong")
    let run = try machine.run(
      ["create", "--target", machine.target, "--keychain-passphrase-from", machine.place("wrong")]
        + machine.archiveSecret + Machine.quick, status: 12)
    #expect(run.errors.contains("keychain"))
    #expect(try machine.archives().count == 1)
  }

  @Test func `the keychain's secret has the same places, and a name of its own`() throws {
    let machine = try Machine()
    let secret = try machine.text("keychain.pass")
    try machine.write(secret, to: "credentials/fueki-keychain-passphrase")
    try machine.write(Machine.passphrase, to: "credentials/fueki-passphrase")
    let environments = [
      ["CREDENTIALS_DIRECTORY": machine.path("credentials")],
      ["FUEKI_KEYCHAIN_PASSPHRASE_FILE": machine.path("keychain.pass")],
      ["FUEKI_KEYCHAIN_PASSPHRASE": secret],
    ]
    for environment in environments {
      let run = try machine.run(
        ["create", "--target", machine.target] + machine.archiveSecret + Machine.quick,
        environment: environment, status: 0)
      #expect(
        run.errors.contains("warning: FUEKI_KEYCHAIN_PASSPHRASE ")
          == environment.keys.contains("FUEKI_KEYCHAIN_PASSPHRASE"))
    }
  }

  @Test func `a passphrase that can be guessed is refused for a new archive unless insisted on`() throws {
    let machine = try Machine()
    try machine.write("password", to: "weak")
    let arguments =
      ["create", "--target", machine.target, "-p", machine.path("weak")]
      + machine.keychainSecret
      + Machine.quick
    let run = try machine.run(arguments, status: 64)
    #expect(run.errors.contains("--accept weak-passphrase"))
    #expect(try machine.archives().count == 1)
    #expect(try machine.run(arguments + ["--accept=weak-passphrase", "--accept=new-passphrase"]).status == 0)
  }
}
