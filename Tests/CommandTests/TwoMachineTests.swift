import CommandSupport
import TestSupport
import Testing

/// An old machine that comes back after a restore elsewhere.
struct TwoMachineTests {
  /// An old machine that backs up its files, and a new machine that restored them and continues.
  private struct Pair {
    let lost: LostMachine
    var machine: Machine { lost.machine }

    init() throws {
      lost = try LostMachine()
      try lost.write(Array("a note".utf8), to: "home/docs/note")
      try lost.create([source("home")])
      try lost.restore()
      #expect(try lost.putBack().status == 0)
    }

    private func source(_ home: String) -> String { "file:\(machine.path("\(home)/docs"))" }

    func create(isNew: Bool, _ more: [String] = []) throws -> RunResult {
      let sources = isNew ? ["store", source("new-home")] : [source("home")]
      return try machine.run(
        ["create", "--target", machine.target, "--accept=synced-keys", "--json"] + machine.secrets
          + sources.flatMap { ["--from", $0] } + more, environment: isNew ? lost.other : [:])
    }

    /// Changes the passphrase on the new machine.
    func changePassphrase() throws {
      try machine.write("as good as the first one, 34 bytes", to: "changed")
      try machine.run(
        ["key", "change-passphrase", "latest", "--target", machine.target, "--new-passphrase-from"]
          + [machine.place("changed")] + machine.archiveSecret + Machine.quick,
        environment: lost.other, status: 0)
    }

    /// Restores an archive on a third machine; its files go into a folder of that name.
    func restore(_ number: Int) throws -> RunResult {
      try machine.run(
        ["restore", "\(number)", "--no-resync", "--target", machine.target]
          + ["--datadir", machine.path("data-\(number)"), "--files", machine.path("files-\(number)")]
          + machine.secrets, environment: ["FUEKI_STATE": machine.path("state-\(number)")])
    }
  }

  @Test func `each machine is told that the other one has gone on, and every archive restores whole`() throws
  {
    let pair = try Pair()
    let machine = pair.machine
    let begun = try pair.create(isNew: true).expect(0)
    let old = try pair.create(isNew: false).expect(3)
    #expect(try old.json()["sequence"] == .number(3))
    #expect(try old.json()["other_machine"]?["sequence"] == .number(2))
    #expect(
      try old.json()["other_machine"]?["id"] == begun.json()["id"]
        && old.json()["other_machine"]?["signer"]?.text?.count == 64)
    #expect(
      old.errors.contains("another machine has backed up this vault since this machine did: archive 2"),
      "\(old.errors)")
    let path = try #require(begun.json()["archive"]?.text)
    #expect(old.errors.contains("fueki-backup restore \(path)"), "\(old.errors)")
    #expect(try old.json()["other_machine"]?["path"] == .string(path))
    let new = try pair.create(isNew: true).expect(3)
    #expect(try new.json()["sequence"] == .number(4))
    #expect(try new.json()["other_machine"]?["sequence"] == .number(3))
    // A machine that continues alone gets no report.
    let alone = try pair.create(isNew: true)
    #expect(try alone.status == 0 && alone.json()["other_machine"] == nil, "\(alone.errors)")
    for number in 1...5 {
      let run = try pair.restore(number)
      #expect(run.status == 0, "\(number): \(run.errors)\(run.text)")
      #expect(try machine.read("files-\(number)/docs/note") == Array("a note".utf8), "\(number)")
    }
  }

  @Test func `status names the other machine's archive, and says what to do`() throws {
    let pair = try Pair()
    let machine = pair.machine
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[vault]]
      passphrase_file = "\(machine.path("passphrase"))"
      """, to: "config.toml")
    func status() throws -> RunResult {
      try machine.run(["status", "--json", "--config", machine.path("config.toml")])
    }
    func other(_ run: RunResult) throws -> JSONValue? {
      try run.json()["targets"]?[0]?["vaults"]?[0]?["other_machine"]
    }
    let alone = try status()
    #expect(try alone.status == 0 && other(alone) == nil, "\(alone.text)\(alone.errors)")
    let begun = try pair.create(isNew: true).expect(0)
    let told = try status().expect(3)
    #expect(try other(told)?["id"] == begun.json()["id"] && other(told)?["sequence"] == .number(2))
    let text = try machine.run(["status", "--config", machine.path("config.toml")])
    let path = try #require(begun.json()["archive"]?.text)
    #expect(text.text.contains("ANOTHER MACHINE: another machine has backed up this vault"), "\(text.text)")
    #expect(text.text.contains("fueki-backup restore \(path)"), "\(text.text)")
    // Once this machine has gone on behind it, it is no news any more.
    #expect(try pair.create(isNew: false).status == 3)
    let after = try status()
    #expect(try after.status == 0 && other(after) == nil, "\(after.text)")
  }

  @Test func `an archive that anybody can have planted is no other machine's`() throws {
    let pair = try Pair()
    let machine = pair.machine
    #expect(try pair.create(isNew: true).status == 0)
    // Nothing here opens it.
    let status = try machine.run(["status", "--json", "--target", machine.target])
    #expect(
      try status.json()["targets"]?[0]?["vaults"]?[0]?["other_machine"] == nil, "\(status.text)")
  }

  @Test func `a machine whose passphrase another one has changed makes no archive with the old one`() throws {
    let pair = try Pair()
    let machine = pair.machine
    #expect(try pair.create(isNew: true).status == 0)
    // The passphrase is still common: this machine learns the other one's signer.
    #expect(try pair.create(isNew: false).status == 3)
    try pair.changePassphrase()
    let count = try machine.archives().count
    let old = try pair.create(isNew: false)
    #expect(old.status == 12 && old.text.contains("does not open the vault's last archive"), "\(old.text)")
    #expect(try machine.archives().count == count)
    try pair.create(isNew: false, ["--accept=new-passphrase"]).expect(3)
  }

  @Test func `an archive of an unknown machine with another passphrase is warned of`() throws {
    let pair = try Pair()
    try pair.changePassphrase()
    let old = try pair.create(isNew: false)
    #expect(old.errors.contains("If another machine of yours made it"), "\(old.text)\(old.errors)")
  }

  @Test func `a file that only the other machine has is missed`() throws {
    let pair = try Pair()
    try pair.lost.write(Array("only here".utf8), to: "new-home/docs/second")
    #expect(try pair.create(isNew: true).status == 0)
    let old = try pair.create(isNew: false).expect(3)
    let losses = try old.json()["losses"]?.elements ?? []
    #expect(losses.count == 1 && losses.first?["sequence"] == .number(2), "\(old.errors)")
  }

  @Test func `a run that makes an archive only on a change continues the other machine's, too`() throws {
    let pair = try Pair()
    #expect(try pair.create(isNew: false, ["--on-change"]).status == 0)
    let unchanged = try pair.create(isNew: false, ["--on-change"])
    #expect(try unchanged.status == 0 && unchanged.json()["unchanged"] == .bool(true), "\(unchanged.errors)")
    let new = try pair.create(isNew: true)
    #expect(try new.status == 3 && new.json()["sequence"] == .number(3), "\(new.errors)")
    let old = try pair.create(isNew: false, ["--on-change"])
    #expect(try old.status == 3 && old.json()["sequence"] == .number(4), "\(old.errors)")
    #expect(try pair.create(isNew: false, ["--on-change"]).status == 0)
  }

  @Test func `archives that both machines made in one place are a fork for each of them`() throws {
    let pair = try Pair()
    let machine = pair.machine
    // The service that copies the folder is late.
    try machine.copy("target", to: "before")
    #expect(try pair.create(isNew: true).status == 0)
    let theirs = try #require(machine.archives().last)
    try machine.copy(theirs, to: "theirs")
    try machine.remove("target")
    try machine.copy("before", to: "target")
    #expect(try pair.create(isNew: false).status == 0)
    try machine.copy("theirs", to: theirs)
    for isNew in [false, true] {
      let run = try pair.create(isNew: isNew).expect(25)
      #expect(try run.json()["hint"]?.text?.contains("--adopt") == true)
    }
    let adopted = try pair.create(isNew: true, ["--adopt"])
    #expect(try adopted.status == 0 && adopted.json()["sequence"] == .number(3), "\(adopted.errors)")
    #expect(try pair.restore(3).status == 0)
  }
}
