import TestSupport
import Testing

/// A wrong passphrase of the keychain, told in the words of the command that it stopped.
struct WrongKeychainTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
    try machine.write("not the passphrase", to: "wrong")
  }

  private var wrong: [String] { ["--keychain-passphrase-from", machine.place("wrong")] }

  private func expectOwnWords(_ run: RunResult, _ outcome: String) {
    #expect(run.status == 12, "\(run.errors)")
    #expect(run.errors.contains("does not open the wallet's keychain"), "\(run.errors)")
    #expect(run.errors.contains(outcome), "\(run.errors)")
    #expect(!run.errors.contains("backup") && !run.errors.contains("--exclude"), "\(run.errors)")
  }

  @Test func `import speaks of an import`() throws {
    try machine.write(ImportedFiles.electrum, to: "wallet")
    let run = try machine.run(["import", machine.path("wallet")] + wrong)
    expectOwnWords(run, "nothing was imported")
  }

  @Test func `diff speaks of a comparison`() throws {
    let run = try machine.run(
      ["diff", "latest", "--live", "--target", machine.target] + machine.archiveSecret + wrong)
    expectOwnWords(run, "nothing was compared")
  }

  @Test func `config credential speaks of a change`() throws {
    let run = try machine.run(
      ["config", "credential", "add", "node", "--credential-from", "fd:0"] + wrong, stdin: "key")
    expectOwnWords(run, "nothing was changed")
  }

  @Test func `create speaks of the backup, and how to make one all the same`() throws {
    let run = try machine.run(
      ["create", "--target", machine.target] + machine.archiveSecret + Machine.quick + wrong, status: 12)
    #expect(run.errors.contains("so none was made") && run.errors.contains("--exclude secrets"))
  }
}
