import FuekiSystem
import TestSupport
import Testing

/// What `doctor` finds, and that it changes nothing.
struct DoctorTests {
  private func checks(_ run: RunResult) throws -> [String: JSONValue] {
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.doctor/1"))
    let checks = json["checks"]?.elements ?? []
    for check in checks {
      // Whoever is told of a fault is told what to do.
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
      "libsodium", "openssl", "zstd", "sqlite", "locked-memory", "memory", "entropy", "clock", "state",
      "data-directory", "store", "keychain", "last-drill", "target \(machine.target)",
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
      ["doctor", "--target", gone, "--keychain-passphrase-file", machine.path("wrong"), "--json"])
    #expect(run.status == 60)
    #expect(try run.json()["ok"] == .bool(false))
    let checks = try checks(run)
    for name in ["target \(gone)", "keychain", "data-directory"] {
      #expect(checks[name]?["result"] == .string("failed"), "\(name)")
    }
    #expect(checks["data-directory"]?["remedy"]?.text?.contains("chmod") == true)
    // In words too, and -q leaves what is not well.
    let text = try machine.run(["doctor", "--target", gone, "-q"])
    #expect(text.status == 60)
    #expect(text.text.contains("failed: target \(gone): it is not there\n  hint: "))
    #expect(!text.text.contains("ok: "))
  }

  @Test func `a target without room for another archive fails, and what an earlier trial left is removed`()
    throws
  {
    let machine = try Machine()
    try machine.write("left behind", to: "target/.fueki-trial-0011223344556677.tmp")
    // A limit on the size of files stands for a disk that is full.
    let run = try machine.run(
      ["doctor", "--target", machine.target, "--json"],
      through: ["/bin/sh", "-c", "ulimit -f 4; exec \"$@\"", "sh"])
    #expect(run.status == 60, "\(run.text)")
    #expect(try checks(run)["target \(machine.target)"]?["result"] == .string("failed"))
    #expect(try machine.names(in: "target").allSatisfy { $0.hasSuffix(".fueki") })
  }
}
