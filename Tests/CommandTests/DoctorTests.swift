import TestSupport
import Testing

/// The findings of `doctor`, which changes nothing.
struct DoctorTests {
  private func checks(_ run: RunResult) throws -> [String: JSONValue] {
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.doctor/1"))
    let checks = json["checks"]?.elements ?? []
    for check in checks {
      // Every fault comes with advice.
      #expect((check["result"] == .string("ok")) == (check["remedy"] == nil), "\(check)")
    }
    return Dictionary(uniqueKeysWithValues: checks.map { ($0["name"]?.text ?? "", $0) })
  }

  @Test func `a machine that can make backups has nothing that fails`() throws {
    let machine = try Machine()
    let before = (try machine.snapshot(of: "target"), try machine.snapshot(of: "state"))
    let run = try machine.run(["doctor", "--target", machine.target, "--json"] + machine.keychainSecret)
    let checks = try checks(run)
    #expect(run.status == 0, "\(run.text)")
    #expect(try run.json()["ok"] == .bool(true))
    let names = [
      "libsodium", "openssl", "zstd", "sqlite", "locked-memory", "memory", "entropy", "clock", "sandbox",
      "state",
      "data-directory", "store", "keychain", "last-drill", "wallets", "long-term",
      "target \(machine.target)",
      "archives \(machine.target)",
    ]
    #expect(Set(checks.keys) == Set(names))
    for name in ["libsodium", "openssl", "zstd", "sqlite"] {
      #expect(checks[name]?["detail"]?.text?.first?.isNumber == true, "\(name)")
    }
    #expect(checks["keychain"]?["detail"] == .string("opens; 2 key shares"))
    #expect(checks["target \(machine.target)"]?["result"] == .string("ok"))
    #expect(try machine.snapshot(of: "target") == before.0)
    #expect(try machine.snapshot(of: "state") == before.1)
  }

  @Test func `sources without a store of Fueki's are no fault`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("keys", to: "home/keys")
    try machine.write(
      "[[vault]]\nfrom = []\n[[source]]\nkind = \"file\"\npath = \"~/keys\"\n",
      to: "home/.config/fueki-backup/config.toml")
    let checks = try checks(machine.run(["doctor", "--json"]))
    #expect(checks["store"]?["result"] == .string("ok"), "\(String(describing: checks["store"]))")
    #expect(checks["store"]?["detail"]?.text?.contains("1 source") == true)
  }

  @Test func `a machine that watches others is checked for what it needs, and nothing is written`() throws {
    let machine = try Machine()
    let watcher = ["FUEKI_STATE": machine.path("watcher"), "FUEKI_DATADIR": machine.path("no-data")]
    func watch(_ arguments: [String]) throws -> RunResult { try machine.run(arguments, environment: watcher) }
    let (list, key) = (machine.path("list.toml"), machine.path("desk"))
    let written = try watch(
      ["status", "--target", machine.target, "--max-age", "26h", "--write-expected", list])
    try #require(written.status == 0, "\(written.errors)")
    let before = try machine.snapshot(of: "target")
    let unsigned = try watch(["doctor", "--expected", list, "--json"])
    let names = [
      "libsodium", "openssl", "zstd", "sqlite", "clock", "sandbox", "state", "list \(list)",
      "target \(machine.target)",
    ]
    #expect(try unsigned.status == 0 && Set(checks(unsigned).keys) == Set(names), "\(unsigned.text)")
    #expect(try checks(unsigned)["list \(list)"]?["result"] == .string("warning"))
    #expect(
      try checks(unsigned)["target \(machine.target)"]?["detail"]?.text == "can be read; 1 archive of 1 vault"
    )
    // A list that is not signed by the administrator, and a target that is gone.
    try machine.run(["key", "new-signer", "--no-passphrase", "--output", "\(key).key"], status: 0)
    let signed = ["doctor", "--expected", list, "--expected-signer", "\(key).pub"]
    let refused = try watch(signed)
    #expect(refused.status == 60 && refused.text.contains("failed: list \(list): "), "\(refused.text)")
    #expect(try machine.run(["key", "sign", list, "--sign-key", "\(key).key"]).status == 0)
    let well = try watch(signed + ["--json"])
    #expect(try checks(well)["list \(list)"]?["result"] == .string("ok"), "\(well.text)")
    let gone = try watch(signed + ["--target", machine.path("away")])
    #expect(gone.status == 60 && gone.text.contains("it is not there\n  hint: mount it"), "\(gone.text)")
    #expect(try machine.snapshot(of: "target") == before)
  }

  @Test func `a machine with nothing to back up gets no advice about secrets and drills`() throws {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    let run = try machine.run(
      ["doctor", "--target", machine.target, "--json"],
      environment: ["FUEKI_STATE": machine.path("watcher"), "FUEKI_DATADIR": machine.path("no-data")])
    let checks = try checks(run)
    #expect(run.status == 0 && checks["last-drill"] == nil && checks["keychain"] == nil, "\(run.text)")
    #expect(checks["store"]?["remedy"]?.text?.contains("--expected FILE") == true)
    #expect(checks["target \(machine.target)"]?["result"] == .string("ok"))
    #expect(checks["archives \(machine.target)"] == nil)
    #expect(try machine.snapshot(of: "target") == before)
  }

  @Test func `a secret that was not given is not asked for`() throws {
    let machine = try Machine()
    let checks = try checks(machine.run(["doctor", "--json"]))
    #expect(checks["keychain"]?["result"] == .string("warning"))
    #expect(checks["keychain"]?["remedy"]?.text?.contains("--keychain-key-file") == true)
  }

  @Test func `what would fail at night fails now, with what to do`() throws {
    let machine = try Machine()
    try machine.write("not the keychain's passphrase", to: "wrong")
    let gone = machine.path("unplugged")
    _ = try BuiltBinary.run(program: "/bin/chmod", ["644", "\(machine.data)/keychain.sealed"])
    let run = try machine.run(
      ["doctor", "--target", gone, "--keychain-passphrase-from", machine.place("wrong"), "--json"], status: 60
    )
    #expect(try run.json()["ok"] == .bool(false))
    let checks = try checks(run)
    for name in ["target \(gone)", "keychain", "data-directory"] {
      #expect(checks[name]?["result"] == .string("failed"), "\(name)")
    }
    #expect(checks["data-directory"]?["remedy"]?.text?.contains("chmod") == true)
    // In words too, and -q leaves what is not well.
    let text = try machine.run(["doctor", "--target", gone, "-q"], status: 60)
    #expect(text.text.contains("failed: target \(gone): it is not there\n  hint: "))
    #expect(!text.text.contains("ok: "))
    // Passed checks share one line, unless more is requested.
    let brief = try machine.run(["doctor", "--target", gone]).text
    #expect(brief.split(separator: "\n").filter { $0.hasPrefix("ok: ") }.count == 1)
    #expect(brief.contains(" checks, which -v lists\n"))
    // Problems to fix come first.
    let shown = try machine.run(["doctor", "-v", "--target", gone]).text.split(separator: "\n")
    let results = shown.compactMap { $0.split(separator: ":").first }.filter { !$0.hasPrefix(" ") }
    #expect(results.first == "failed" && results.last == "ok")
    #expect(results == ["failed", "warning", "ok"].flatMap { kind in results.filter { $0 == kind } })
  }

  @Test func `a target without room for another archive fails, and what an earlier trial left is removed`()
    throws
  {
    let machine = try Machine()
    try machine.write("left behind", to: "target/.fueki-trial-0011223344556677.tmp")
    // A limit on the size of files stands for a disk that is full.
    let run = try machine.run(
      ["doctor", "--target", machine.target, "--json"],
      through: ["/bin/sh", "-c", "ulimit -f 4; exec \"$@\"", "sh"], status: 60)
    #expect(try checks(run)["target \(machine.target)"]?["result"] == .string("failed"))
    #expect(try machine.names(in: "target").allSatisfy { $0.hasSuffix(".fueki") })
  }

  @Test func `a place counts by whatever path it is named, and no configuration as none`() throws {
    let machine = try Machine()
    try machine.write("", to: "etc/config.toml")
    func result(_ name: String, _ options: [String]) throws -> JSONValue? {
      try checks(try machine.run(["doctor", "--json"] + options))[name]?["result"]
    }
    let options = ["--config", "etc/config.toml", "--datadir", "home/../data/"]
    for name in ["configuration", "data-directory"] {
      #expect(try result(name, options) == .string("ok"), "\(name)")
    }
    _ = try BuiltBinary.run(
      program: "/bin/chmod", ["go+r", machine.path("etc/config.toml"), machine.path("data")])
    for name in ["configuration", "data-directory"] {
      #expect(try result(name, options) == .string("failed"), "\(name)")
    }
    #expect(try result("configuration", ["--config", "/dev/null"]) == nil)
  }

  @Test func `another vault's drill does not count, and a drill that found a difference is reported`() throws
  {
    let machine = try Machine()
    let target = ["--target", machine.target]
    #expect(try machine.run(["drill"] + target + machine.secretsToRead).status == 0)
    let own = try checks(machine.run(["doctor", "--json"]))["last-drill"]
    #expect(own?["result"] == .string("ok"))
    let id = try #require(
      machine.run(["show", "latest", "--json"] + target).json()["header"]?["vault"]?.text)
    let name = "state/drill-\(id).txt"
    let line = try machine.text(name)
    // The first drill of all that found one, as the state has it.
    try machine.write(line.replacing(" same ", with: " differs "), to: name)
    try machine.remove("state/activity.json")
    let differing = try checks(machine.run(["doctor", "--json"]))["last-drill"]
    #expect(differing?["result"] == .string("failed"))

    try machine.write(line, to: name)
    #expect(try machine.run(["drill"] + target + machine.secretsToRead).status == 0)
    let other = String(repeating: "5a", count: 16)
    try machine.write("[[vault]]\nid = \"\(other)\"\n", to: "config.toml")
    let run = try machine.run(["doctor", "--json", "--config", machine.path("config.toml")])
    let another = try checks(run)["last-drill"]
    #expect(another?["result"] == .string("warning") && another?["detail"] == .string("never"))
  }
}
