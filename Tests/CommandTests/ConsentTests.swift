import TestSupport
import Testing

/// `--accept`.
struct ConsentTests {
  @Test func `a command lists the risks that it takes, and refuses others`() throws {
    let help = try BuiltBinary.run(["create", "--help-all"]).text
    for name in ["weak-passphrase", "new-passphrase", "loss[=NAME]", "new-disk", "synced-keys"] {
      #expect(help.contains(name), "\(help)")
    }
    let other = try BuiltBinary.run(["create", "--accept", "older"])
    #expect(other.status == 64 && other.errors.contains("weak-passphrase"), "\(other.errors)")
    for unknown in ["everything", "older=x", "hazard", "loss="] {
      #expect(try BuiltBinary.run(["restore", "x", "--accept", unknown]).status == 64, "\(unknown)")
    }
  }

  @Test(arguments: [["--accept", "weak-passphrase"], ["--accept=weak-passphrase"]])
  func `a weak passphrase needs the consent`(_ consent: [String]) throws {
    let machine = try Machine()
    try machine.write("1234", to: "weak")
    let words =
      ["key", "new-signer", "-o", machine.path("k"), "--signing-passphrase-from", machine.place("weak")]
    let refused = try machine.run(words)
    #expect(refused.status == 64 && refused.errors.contains("--accept weak-passphrase"), "\(refused.errors)")
    #expect(try machine.run(words + consent).status == 0)
  }

  @Test func `an older archive needs the consent`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let words =
      ["restore", "1", "-t", machine.target, "--datadir", machine.path("new"), "--dry-run"]
      + machine.archiveSecret
    let refused = try machine.run(words)
    #expect(refused.status == 24 && refused.errors.contains("--accept older"), "\(refused.errors)")
    #expect(try machine.run(words + ["--accept", "older"]).status == 0)
  }
}
