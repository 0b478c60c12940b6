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

  @Test(arguments: [
    ("import WALLET", "nothing was imported"), ("diff latest --live", "nothing was compared"),
    ("config credential add node --credential-from fd:0", "nothing was changed"),
  ])
  func `other commands than create speak of what they do themselves`(
    _ words: String, _ outcome: String
  ) throws {
    try machine.write(ImportedFiles.electrum, to: "wallet")
    let command = words.split(separator: " ").map { $0 == "WALLET" ? machine.path("wallet") : String($0) }
    let secret = words.hasPrefix("diff") ? ["--target", machine.target] + machine.archiveSecret : []
    let run = try machine.run(command + secret + wrong, stdin: "key", status: 12)
    #expect(run.errors.contains("does not open the wallet's keychain"), "\(run.errors)")
    #expect(run.errors.contains(outcome), "\(run.errors)")
    #expect(!run.errors.contains("backup") && !run.errors.contains("--exclude"), "\(run.errors)")
  }

  @Test func `create speaks of the backup, and how to make one all the same`() throws {
    let run = try machine.run(
      ["create", "--target", machine.target] + machine.archiveSecret + Machine.quick + wrong, status: 12)
    #expect(run.errors.contains("so none was made") && run.errors.contains("--exclude secrets"))
  }
}
