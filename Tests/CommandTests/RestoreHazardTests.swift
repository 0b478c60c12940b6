import TestSupport
import Testing

/// Restores of wallets that are dangerous when old or live twice.
struct RestoreHazardTests {
  /// A machine with one wallet of a Lightning node and one of a validator, in an archive.
  private func machine(node: String = "node") throws -> Machine {
    let machine = try Machine()
    try machine.write(
      """
      {"version": 1, "wallets": [
        {"id": "\(node)", "name": "My node", "type": "lightning", "chainId": 0, "address": "", "balance": 0},
        {"id": "stake", "name": "My stake", "type": "validator", "chainId": 1, "address": "", "balance": 32}
      ], "transactionHistory": [], "addressBook": [], "settings": {}}
      """, to: "app.json")
    try machine.run(["import", machine.path("app.json"), "--format", "fueki-app"], status: 0)
    #expect(try machine.create().status == 0)
    return machine
  }

  private func restore(
    _ machine: Machine, _ more: [String] = [], through: [String] = ["/usr/bin/setsid", "--wait"]
  ) throws -> RunResult {
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + machine.secrets + more, through: through)
  }

  @Test func `without a terminal each danger has to be confirmed by name`() throws {
    let machine = try machine()
    let run = try restore(machine).expect(60)
    #expect(run.errors.contains("\"My node\" (lightning)") && run.errors.contains("forfeits"))
    #expect(run.errors.contains("--accept hazard=lightning --accept hazard=validator"))
    #expect(!machine.exists("restored"))
    let half = try restore(machine, ["--accept=hazard=lightning"])
    #expect(half.status == 60 && half.errors.contains("error: dangerous if an old copy"))
    #expect(!machine.exists("restored"))
    let confirmed = try restore(
      machine, ["--accept=hazard=lightning", "--accept=hazard=validator", "--json"])
    #expect(confirmed.status == 0, "\(confirmed.errors)")
    let hazards = try confirmed.json()["hazards"]?.elements ?? []
    #expect(hazards.map { $0["wallet"]?.text } == ["node", "stake"])
    #expect(hazards.map { $0["hazards"]?[0]?.text } == ["lightning", "validator"])
    #expect(confirmed.errors.contains("warning: the wallet \"My node\" (lightning)"))
  }

  @Test func `a chosen wallet is as dangerous when its id is typed in small letters`() throws {
    let id = "6F1E4C2A-0B57-4E0B-9A36-0D1B7C33A5F2"
    let machine = try machine(node: id)
    for typed in [id, id.lowercased()] {
      let run = try restore(machine, ["--wallet", typed])
      #expect(run.status == 60 && run.errors.contains("\"My node\" (lightning)"), "\(run.errors)")
      #expect(!machine.exists("restored"))
      let dry = try restore(machine, ["--wallet", typed, "--dry-run", "--json"])
      #expect(try dry.json()["hazards"]?.elements.count == 1 && dry.json()["proofs"]?.elements.count == 1)
    }
  }

  @Test func `a part without the wallets is not dangerous`() throws {
    let machine = try machine()
    #expect(try restore(machine, ["--only", "contacts,settings"]).status == 0)
  }

  @Test func `show and a dry run list them`() throws {
    let machine = try machine()
    let show = try machine.run(["show", "latest", "--target", machine.target] + machine.archiveSecret)
    #expect(show.text.contains("hazard    \"My node\": lightning"))
    let dry = try restore(machine, ["--dry-run", "--json"]).expect(0)
    #expect(try dry.json()["hazards"]?.elements.count == 2)
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `at a terminal each danger is asked for`() throws {
    let machine = try machine()
    let arguments =
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
      + machine.secrets
    let refused = try machine.type(
      [("type \"lightning\"", "yes"), ("(2 left)", "")], arguments)
    #expect(refused.status == 60, "\(refused.text)")
    #expect(!machine.exists("restored"))
    let agreed = try machine.type(
      [("type \"lightning\"", "lightning"), ("type \"validator\"", "validator")], arguments)
    #expect(agreed.status == 0, "\(agreed.text)")
    #expect(machine.exists("restored/wallet.sqlite"))
  }
}
