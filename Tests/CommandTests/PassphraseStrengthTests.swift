import FuekiSystem
import TestSupport
import Testing

/// The handling of a new passphrase.
struct PassphraseStrengthTests {
  /// Guessed within 10^12.8 attempts.
  static let doubtful = "1829374650192"

  private static let rename = """
    import sqlite3, sys
    store = sqlite3.connect(sys.argv[1])
    store.execute('UPDATE wallets SET name = ? WHERE row_id = (SELECT min(row_id) FROM wallets)', sys.argv[2:])
    store.commit()
    """

  private func create(_ machine: Machine, _ secret: String, _ more: [String] = []) throws -> RunResult {
    try machine.write(secret, to: "chosen")
    return try machine.run(
      ["create", "--target", machine.target, "-p", machine.path("chosen")]
        + machine.keychainSecret + Machine.quick + more)
  }

  @Test(arguments: ["password1234", "qwertyuiop12", "Passw0rd!2024", "iloveyou2024"])
  func `the first archive is not sealed with what people choose`(_ secret: String) throws {
    let machine = try Machine()
    try machine.remove("state")
    try machine.remove("target")
    try Directory.makePrivateDirectories(machine.target)
    let run = try create(machine, secret).expect(64)
    #expect(run.errors.contains("against 1000 graphics cards") && run.errors.contains("64 MiB and 2 passes"))
    #expect(run.errors.contains("--accept weak-passphrase"))
    #expect(try machine.archives().isEmpty)
  }

  @Test func `every command with a new passphrase refuses a guessable passphrase`() throws {
    let machine = try Machine()
    try machine.write("Passw0rd!2024", to: "weak")
    let latest = ["latest", "--target", machine.target] + machine.archiveSecret
    let weak = machine.path("weak")
    let commands = [
      ["create", "--target", machine.target, "-p", weak] + machine.keychainSecret,
      ["key", "add"] + latest + ["--new-passphrase-from", "file:\(weak)"],
      ["key", "change-passphrase"] + latest + ["--new-passphrase-from", "file:\(weak)"],
      [
        "key", "new-signer", "--output", machine.path("new.key"), "--signing-passphrase-from", "file:\(weak)",
      ],
      ["init", "--target", machine.target, "--signing-passphrase-from", "file:\(weak)"]
        + machine.keychainSecret,
      ["restore"] + latest + [
        "--datadir", machine.path("new"), "--keychain-passphrase-from", "file:\(weak)",
      ],
    ]
    for command in commands {
      let run = try machine.run(command + Machine.quick)
      #expect(run.status == 64, "\(command) \(run.errors)")
      #expect(run.errors.contains("this passphrase can be guessed"), "\(command) \(run.errors)")
    }
    #expect(try machine.archives().count == 1)
    for name in ["new", "new.key", "home/.config/fueki-backup/config.toml"] { #expect(!machine.exists(name)) }
  }

  @Test func `a passphrase that lasts days is accepted, with a warning that says how long`() throws {
    let machine = try Machine()
    let secret = machine.path("chosen")
    try machine.write(Self.doubtful, to: "chosen")
    func generate(_ name: String, _ cost: [String]) throws -> RunResult {
      try machine.run(
        ["key", "new-signer", "--output", machine.path(name), "--signing-passphrase-from", "file:\(secret)"]
          + cost)
    }
    // 6.3·10^12 guesses, of which 1,000 cards make 14.3 million a second, or of twice the memory half as many.
    for (name, cost, time) in [
      ("one", Machine.quick, "about 5 days"),
      ("two", ["--kdf-memory", "128", "--kdf-passes", "2"], "about 10 days"),
    ] {
      let run = try generate(name, cost)
      #expect(run.status == 0 && machine.exists(name))
      #expect(run.errors.contains("lasts \(time) against 1000 graphics cards"), "\(run.errors)")
      #expect(run.errors.contains("100 random bits"))
    }
    try machine.write("correct horse battery staple", to: "chosen")
    let strong = try generate("three", Machine.quick)
    #expect(strong.status == 0 && !strong.errors.contains("warning"), "\(strong.errors)")
  }

  @Test func `label, wallets and the machine's name are known words`() throws {
    let machine = try Machine()
    try create(machine, "kvistgrund-solhoj7", ["--label", "Kvistgrund Solhøj"]).expect(64)
    let renamed = try BuiltBinary.run(
      program: "/usr/bin/python3", ["-c", Self.rename, "\(machine.data)/wallet.sqlite", "Fyrgrund Ådal"])
    #expect(renamed.status == 0, "\(renamed.errors)")
    try create(machine, "fyrgrund-adal7").expect(64)
    // Neither is weak where nothing has such a name.
    #expect(try create(machine, "kvistgrund-solhoj7", ["--accept=new-passphrase"]).status == 0)
    let latest = ["latest", "--target", machine.target, "-p", machine.path("chosen")]
    try machine.write("Fyrgrund-Adal_8", to: "new")
    try machine.run(
      ["key", "change-passphrase"] + latest + ["--new-passphrase-from", machine.place("new")] + Machine.quick,
      status: 64)
  }

  @Test func `a vault that a weak passphrase opens already goes on, with a warning`() throws {
    let machine = try Machine()
    let weak = ["--accept=weak-passphrase", "--accept=new-passphrase"]
    #expect(try create(machine, "Passw0rd!2024", weak).status == 0)
    let night = try create(machine, "Passw0rd!2024").expect(0)
    #expect(night.errors.split(separator: "\n").filter { $0.contains("open with it already") }.count == 1)
    // A disk without any of the vault's archives proves nothing.
    try Directory.makePrivateDirectories(machine.path("empty"))
    let away = try machine.run(
      ["create", "--target", machine.path("empty"), "-p", machine.path("chosen")]
        + machine.keychainSecret + Machine.quick)
    #expect(away.status == 0 && away.errors.contains("this passphrase can be guessed"), "\(away.errors)")
    // Another one is chosen now.
    let another = try create(
      machine, "iloveyou2024", ["--target", machine.path("empty"), "--accept=new-passphrase"])
    #expect(another.status == 64, "\(another.errors)")
    #expect(try machine.archives().count == 3)
  }
}
