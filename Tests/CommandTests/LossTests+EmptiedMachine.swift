import FuekiSystem
import TestSupport
import Testing

/// Machines that have lost all of their wallets.
extension LossTests {
  @Test func `a machine with none of its wallets left makes no archive until that is accepted`() throws {
    let machine = try Self.machine(["one"])
    try machine.write(ImportedFiles.electrum, to: "home/wallets/savings")
    let source = ["--from", "electrum:\(machine.path("home/wallets/savings"))"]
    #expect(try Self.create(machine, ["one"], source).status == 0)
    for more in [[], ["--accept=loss=~/wallets/savings"]] {
      let run = try Self.create(machine, ["one"], more).expect(60)
      #expect(run.errors.contains("1 wallet of the last archive and none now"), "\(run.errors)")
    }
    #expect(try machine.archives().count == 1)
    #expect(try Self.create(machine, ["one"], ["--accept=loss"]).status == 0)
    #expect(try Self.create(machine, ["one"]).status == 0)
  }

  @Test func `a machine whose only source lost its last wallet makes no archive, and status says it`() throws
  {
    let machine = try Machine(isPrepared: false)
    let wallets = "home/.electrum/wallets"
    try machine.write(ImportedFiles.electrum, to: "\(wallets)/default_wallet")
    let settings = try machine.configure(onlySource: "electrum", at: machine.path(wallets))
    func create(_ more: [String] = []) throws -> RunResult {
      try machine.run(["create"] + settings + machine.archiveSecret + Machine.quick + more)
    }
    #expect(try create().status == 0)
    try machine.remove("\(wallets)/default_wallet")
    for more in [[], ["--on-change"]] {
      let run = try create(more)
      #expect(run.status == 60 && run.errors.contains("looks like an emptied machine"), "\(run.errors)")
      let status = try machine.run(["status"] + settings)
      #expect(status.status != 0 && status.text.contains("looks emptied"), "\(status.text)")
    }
    try machine.write(ImportedFiles.electrum, to: "\(wallets)/default_wallet")
    #expect(try create().status == 0)
    #expect(try machine.run(["status"] + settings).status == 0)
  }
}
