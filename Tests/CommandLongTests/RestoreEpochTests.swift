import FuekiSystem
import TestSupport
import Testing

/// Key shares that the wallet's own have replaced: a refresh leaves old shares useless.
struct RestoreEpochTests {
  private static let python = "/usr/bin/python3"
  private static let hasSQLite = Installed.runs(python, ["-c", "import sqlite3"])

  /// A wallet whose shares were refreshed since: the archive's are of epoch 1.
  private func refreshed() throws -> Machine {
    let machine = try Machine()
    try machine.restore("latest", to: "restored", ["--only", "profile"], status: 0)
    let script = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("UPDATE key_share_descriptors SET epoch = 2")
      store.commit()
      """
    let changed = try BuiltBinary.run(
      program: Self.python, ["-c", script, machine.path("restored/wallet.sqlite")])
    #expect(changed.status == 0, "\(changed.errors)")
    return machine
  }

  @Test(.enabled(if: hasSQLite, "this machine has no python3 with sqlite3"))
  func `older shares are refused with the reason, until they are wanted all the same`() throws {
    let machine = try refreshed()
    let before = try machine.read("restored/wallet.sqlite")

    let refused = try machine.restore("latest", to: "restored", status: 24)
    #expect(refused.errors.contains("of epoch 1, but the same key has shares of epoch 2"))
    #expect(refused.errors.contains("old shares cannot sign together with refreshed ones"))
    #expect(try machine.read("restored/wallet.sqlite") == before)
    #expect(!machine.exists("restored/keychain.sealed"))
    #expect(try machine.restore("latest", to: "restored", ["--dry-run"]).status == 24)
    // A restore without shares restores no older ones.
    try machine.restore("latest", to: "restored", ["--only", "history"], status: 0)

    try machine.restore(
      "latest", to: "restored", ["--accept=older", "--on-conflict", "replace"], status: 0)
    #expect(machine.exists("restored/keychain.sealed"))
  }

  @Test(
    .enabled(if: hasSQLite && Strace.isPermitted, "this machine has no python3 with sqlite3, or no strace"))
  func `going on without the consent that was given at first loses nothing that is staged`() throws {
    func restore(_ machine: Machine, _ through: [String]) throws -> RunResult {
      try machine.run(
        ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
          + ["--accept=older", "--on-conflict", "replace"] + machine.secrets, through: through)
    }
    let trial = try refreshed()
    let points = try Strace.points(trial, places: ["restor"]) { try restore(trial, $0) }
    // Until the keychain is in its place, there is nothing to continue with.
    let staged = points.drop { !$0.call.hasPrefix("rename") || !$0.line.contains("keychain.sealed") }
    let point = try #require(staged.first { $0.call == "pwrite64" && $0.line.contains("wallet.sqlite") })
    let machine = try refreshed()
    #expect(try restore(machine, point.inject("signal=INT")).status == 41)
    let resume = ["restore", "--resume", "--datadir", machine.path("restored")] + machine.archiveSecret
    try machine.run(resume, status: 24)
    let resumed = try machine.run(resume + ["--accept=older"], through: ["/usr/bin/setsid", "--wait"])
    #expect(resumed.status == 0 && !resumed.errors.contains("Starting over"), "\(resumed.errors)")
    #expect(machine.exists("restored/keychain.sealed"))
  }
}
