import FuekiSystem
import TestSupport
import Testing

/// The experience of a user who restores from a folder that others can write to.
@Suite(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
struct StrangerRestoreTests {
  private func restore(_ machine: Machine, _ more: [String] = [], _ archive: String = "latest") throws
    -> RunResult
  {
    try machine.restore(archive, to: "restored", ["--no-resync"] + more)
  }

  @Test func `a restore begins with a line that says what it restores`() throws {
    let machine = try Plants.made.get().machine()
    let run = try restore(machine).expect(0)
    let first = try #require(run.errors.split(separator: "\n").first)
    #expect(first.contains(", number 3, made 20") && first.contains(", the newest of 3 here"), "\(first)")
    #expect(first.contains(", signed by ") && first.contains(", a signer of this vault, "), "\(first)")
    try machine.remove("restored")
    let older = try restore(machine, [], machine.path(machine.own()[0]))
    #expect(older.errors.contains(", number 1, made 20") && older.errors.contains("not the newest of 3 here"))
  }

  @Test(arguments: [Plant.sealed, .another, .unsigned])
  func `on a new machine the newest that the secret opens is named`(_ plant: Plant) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: [plant])
    try machine.forget()
    let run = try restore(machine).expect(12)
    let name = try plants.name(of: plant)
    let own = try #require(machine.own().last)
    #expect(run.errors.contains("does not open the newest archive here, \(machine.path("target/\(name)"))"))
    #expect(run.errors.contains("it opens archive 3 of 20"), "\(run.errors)")
    #expect(run.errors.contains("and 1 newer archive is here, which may be a stranger's"), "\(run.errors)")
    #expect(run.errors.contains("restore \(machine.path(own))"), "\(run.errors)")
    #expect(!machine.exists("restored"))
    let put = try machine.run(
      ["put-back", "latest", "--target", machine.target, "--files", machine.path("files")]
        + machine.archiveSecret)
    #expect(put.status == 12 && put.errors.contains("it opens archive 3 of 20"), "\(put.errors)")
    #expect(put.errors.contains("restore \(machine.path(own))") && !machine.exists("files"), "\(put.errors)")
    // Choosing the archive is the remedy, and its only passphrase proves the vault's signers.
    try restore(machine, [], machine.path(own)).expect(0)
    let list = try machine.run(["list", machine.target, "--json"]).json()["archives"]
    #expect(list?.elements.map { $0["whose"] == .string("mine") } == [false, true, true, true])
  }

  @Test func `a secret that opens nothing is a wrong one, as before`() throws {
    let machine = try Plants.made.get().machine(with: [.unsigned])
    try machine.forget()
    try machine.write("a passphrase of nobody at all, long enough", to: "passphrase")
    let run = try restore(machine)
    #expect(run.status == 12 && run.errors.contains("this secret does not open the archive"))
  }

  @Test func `a plant that the person's own key opens is restored with a word, and steers nothing`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: [.sealed])
    try machine.forget()
    let run = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + ["--no-resync", "--identity", machine.path("identity")] + machine.keychainSecret + Machine.quick,
      status: 0)
    #expect(run.errors.contains("unsigned, the newest of 4 here"), "\(run.errors)")
    #expect(run.errors.contains("nothing shows that this archive is yours"), "\(run.errors)")
    #expect(try !machine.names(in: "state").contains { $0.hasPrefix("vault-") })
    // The passphrase opens the person's own archives, and proves them alone.
    let create = try machine.run(
      ["create", "--target", machine.target, "--datadir", machine.path("restored")] + machine.secrets,
      status: 0)
    #expect(create.errors.contains("continues after number 3"), "\(create.errors)")
  }

  @Test(arguments: ["cut", "no header"])
  func `a file above the newest that cannot be used stops latest, and yields to --accept older`(
    _ damage: String
  ) throws {
    let machine = try Plants.made.get().machine()
    let own = try machine.own()
    var bytes = try machine.read(own[2])
    if damage == "cut" {
      bytes.removeLast(bytes.count / 2)
    } else {
      for index in 0..<4_096 { bytes[index] = 0 }
      bytes.removeLast(bytes.count / 2)
    }
    try machine.write(bytes, to: own[2])
    let status: Int32 = damage == "cut" ? 21 : 20
    for words in [["restore", "latest", "--datadir", machine.path("restored")], ["verify", "latest"]] {
      let more = words[0] == "restore" ? machine.secrets : []
      let run = try machine.run(words + ["--target", machine.target] + more, status: status)
      #expect(run.errors.contains(machine.path(own[2])), "\(run.errors)")
      #expect(run.errors.contains("The newest that can be used is \(machine.path(own[1]))"), "\(run.errors)")
    }
    #expect(!machine.exists("restored"))
    let accepted = try restore(machine, ["--accept=older"])
    #expect(accepted.status == 0 && accepted.errors.contains(", number 2, "), "\(accepted.errors)")
    // It steers nothing else: the next archive comes behind what this machine knows.
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(4))
    #expect(try machine.read(own[2]) == bytes)
  }

  @Test func `a newest archive with damaged bytes stops latest, and yields to --accept older`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: [.unsigned])
    let own = try machine.own()
    try machine.damage(own[2])
    let run = try restore(machine).expect(20)
    #expect(run.errors.contains("the newest that verifies is \(machine.path(own[1]))"), "\(run.errors)")
    #expect(!machine.exists("restored"))
    let accepted = try restore(machine, ["--accept=older"]).expect(0)
    #expect(accepted.errors.contains("the newest archive does not verify (damaged)"), "\(accepted.errors)")
    #expect(accepted.errors.contains(", number 2, "), "\(accepted.errors)")
  }

  @Test(arguments: ["too-new", "over-limit"])
  func `an unreadable planted archive keeps no machine from learning the signers`(
    _ fault: String
  ) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    try machine.forget()
    // Among the vault's numbers: it is one of those that are tried.
    let name = "target/planted-20261122T060000Z-000002-0123456789ab.fueki"
    try machine.plant(name, vault: plants.vault, number: 2, fault)
    let own = try #require(machine.own().last { !$0.contains("planted") })
    let run = try restore(machine, [], machine.path(own)).expect(0)
    #expect(!run.errors.contains("nothing shows that this archive is yours"), "\(run.errors)")
    try machine.remove(name)
    let list = try machine.run(["list", machine.target, "--json"]).json()["archives"]
    #expect(list?.elements.map { $0["whose"] == .string("mine") } == [true, true, true])
  }

  @Test(arguments: [("too-new", Int32(30)), ("over-limit", 32)])
  func `an unreadable planted archive above the newest is listed, with the readable newest`(
    _ fault: String, _ status: Int32
  ) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    try machine.forget()
    let name = "target/planted-20261122T060000Z-000009-0123456789ab.fueki"
    try machine.plant(name, vault: plants.vault, number: 9, fault)
    let run = try restore(machine).expect(status)
    let own = try #require(machine.own().last { !$0.contains("planted") })
    #expect(
      run.errors.contains(machine.path(name)) && run.errors.contains(machine.path(own)), "\(run.errors)")
    #expect(!machine.exists("restored"))
    try restore(machine, ["--accept=older"]).expect(0)
  }
}
