import FuekiSystem
import TestSupport
import Testing

/// Commands that make and remove archives, in a folder with a stranger's: one row of the table of attacks each.
@Suite(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
struct StrangerWritingTests {
  private func strangers(_ machine: Machine) throws -> [String: [UInt8]] {
    let own = Set(try machine.own())
    return try machine.snapshot(of: "target").filter { !own.contains($0.key) }
  }

  private func prune(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(["prune", "--target", machine.target, "--keep-last", "1"] + more)
  }

  @Test func `the next archive comes behind one's own, and the strangers' are named`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: Plant.allCases)
    let before = try machine.snapshot(of: "target")
    for (more, sequence) in [([], 4.0), (["--adopt"], 5), (["--on-change"], 6)] {
      let run = try machine.create(more + ["--json"], status: 0)
      #expect(try run.json()["sequence"] == .number(sequence))
      for plant in Plant.allCases {
        #expect(try run.errors.contains("\(plants.name(of: plant)) is a stranger's"), "\(run.errors)")
      }
    }
    // Strangers' above it are no change.
    let unchanged = try machine.create(["--on-change", "--json"])
    #expect(try unchanged.status == 0 && unchanged.json()["unchanged"] == .bool(true))
    let after = try machine.snapshot(of: "target")
    #expect(before.allSatisfy { after[$0.key] == $0.value } && after.count == before.count + 3)
  }

  @Test func `prune counts and removes only one's own`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: Plant.allCases)
    let before = try strangers(machine)
    let newest = try #require(machine.own().last)
    let run = try prune(machine, ["--json"]).expect(0)
    #expect(try machine.own() == [newest])
    #expect(try strangers(machine) == before)
    let target = try run.json()["targets"]?[0]
    #expect(
      target?["foreign"]?.elements.compactMap { $0["whose"] }
        == Array(repeating: .string("stranger"), count: 4))
    for plant in Plant.allCases {
      let name = try plants.name(of: plant)
      #expect(run.errors.contains("\(name) is a stranger's, so it was neither counted nor removed"))
    }
  }

  @Test func `prune without state removes nothing`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: Plant.allCases)
    try machine.forget()
    let before = try machine.snapshot(of: "target")
    let run = try prune(machine).expect(3)
    #expect(run.errors.contains("nothing shows that an archive in \(machine.target) is yours"))
    #expect(try machine.snapshot(of: "target") == before)
    // With the vault's signer alone it knows again.
    let owner = try plants.machine()
    try machine.run(
      ["key", "trust", owner.madeKey().line, "--target", machine.target], status: 0)
    try prune(machine).expect(0)
    #expect(try machine.own().count == 1 && strangers(machine).count == 4)
  }

  @Test func `in an unsigned vault, this machine's archives are kept and others are left`()
    throws
  {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    // As before this machine made keys: only archives of its own, unsigned.
    try machine.remove("state")
    for archive in try machine.own() { try machine.remove(archive) }
    for _ in 0..<3 { #expect(try machine.create(["--unsigned"]).status == 0) }
    try plants.plant([.unsigned, .sealed], on: machine)
    let before = try strangers(machine)
    let own = try machine.own()
    // Their owner is unknown, because one machine may have made both.
    let refused = try machine.create(["--unsigned"])
    #expect(refused.status == 25 && refused.errors.contains("archive 70"), "\(refused.errors)")
    try prune(machine).expect(0)
    #expect(try machine.own() == [own[2]])
    #expect(try strangers(machine) == before)
    let checkpoint = try machine.run(
      ["checkpoint", "export", "latest", "--target", machine.target, "--sign-key", try signingKey(machine)])
    #expect(checkpoint.status == 0 && checkpoint.text.contains(" 3 "), "\(checkpoint.errors)")
    #expect(checkpoint.errors.contains("nothing shows whose it is. It is ignored"), "\(checkpoint.errors)")
  }

  private func signingKey(_ machine: Machine) throws -> String {
    let path = machine.path("named.key")
    try #require(try machine.run(["key", "new-signer", "--output", path, "--no-passphrase"]).status == 0)
    return path
  }

  @Test func `a plant in one of several targets costs the others nothing`() throws {
    let plants = try Plants.made.get()
    let signed = try plants.machine(with: [.unsigned])
    try Directory.makePrivateDirectories(signed.path("second"))
    let both = try signed.create(["--target", signed.path("second"), "--json"]).expect(0)
    #expect(try both.json()["targets"]?.elements.count == 2)

    // With an unknown owner, the folder with the plant is abandoned, and the other gets its archive.
    let machine = try plants.machine()
    try machine.remove("state")
    for archive in try machine.own() { try machine.remove(archive) }
    #expect(try machine.create(["--unsigned"]).status == 0)
    try plants.plant([.unsigned], on: machine)
    try Directory.makePrivateDirectories(machine.path("second"))
    let before = try machine.snapshot(of: "target")
    let run = try machine.create(["--unsigned", "--target", machine.path("second"), "--json"], status: 3)
    #expect(try run.json()["failed_targets"] == .array([.string(machine.target)]))
    #expect(try machine.snapshot(of: "target") == before)
    #expect(try machine.own(in: "second").count == 1)
  }

  @Test func `a huge number is neither adopted nor gone on from`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    try machine.remove("state")
    for archive in try machine.own() { try machine.remove(archive) }
    try plants.plant([.huge], on: machine)
    let key = try signingKey(machine)
    for more in [[], ["--adopt"], ["--adopt", "--sign-key", key]] {
      let run = try machine.create(more)
      #expect(run.status == (more.isEmpty ? 23 : 25), "\(run.errors)")
      #expect(try machine.archives().count == 1)
    }
    // Even one of the vault's own signer, because a million archives in between are implausible.
    let owner = try plants.machine()
    let own = try owner.madeKey()
    let limit: UInt64 = 3 + 1 << 20
    // One that is not too far ahead is another machine's, and is reported.
    for (sequence, status) in [(limit + 1, Int32(25)), (limit, 3)] {
      let elsewhere = try plants.machine()
      try elsewhere.write(
        Machine.state(sequence: sequence - 1), to: "state/vault-\(plants.vault).json")
      try Directory.makePrivateDirectories(elsewhere.path("far"))
      let far = try elsewhere.run(
        ["create", "--target", elsewhere.path("far"), "--sign-key", elsewhere.path(own.path)]
          + elsewhere.secrets)
      #expect(far.status == 0, "\(far.errors)")
      let name = try #require(elsewhere.names(in: "far").first)
      try owner.write(elsewhere.read("far/\(name)"), to: "target/\(name)")
      let run = try owner.create()
      #expect(run.status == status, "\(sequence) \(run.errors)")
      let sentence = status == 25 ? "no real vault gets that far" : "another machine has backed up this vault"
      #expect(run.errors.contains(sentence), "\(run.errors)")
      try owner.remove("target/\(name)")
    }
  }

  @Test func `one's own that is gone is missed, whatever stands in its place`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    #expect(try machine.create().status == 0)
    let status = ["status", "--target", machine.target]
    #expect(try machine.run(status).status == 0)
    for archive in try machine.own() { try machine.remove(archive) }
    try plants.plant(Plant.allCases, on: machine)
    let run = try machine.run(status)
    #expect(run.status == 60 && run.text.contains("is gone"), "\(run.text)")
    #expect(run.text.contains("there is no whole archive of yours"), "\(run.text)")
    // One that a change of keys made is one's own newest, too.
    let other = try plants.machine()
    #expect(try other.create().status == 0)
    let changed = try other.run(
      ["key", "add", "latest", "--target", other.target, "--recipient", plants.recipient]
        + other.archiveSecret)
    #expect(changed.status == 0, "\(changed.errors)")
    try other.remove(#require(other.own().last))
    let missed = try other.run(["status", "--target", other.target])
    #expect(missed.status == 60 && missed.text.contains("is gone"), "\(missed.text)")
  }

  @Test func `a newest archive whose bytes are gone is found, and a new one is made`() throws {
    let machine = try Plants.made.get().machine()
    #expect(try machine.create(["--on-change"]).status == 0)
    let status = ["status", "--target", machine.target]
    #expect(try machine.run(status).status == 0)
    let newest = try #require(machine.own().last)
    var bytes = try machine.read(newest)
    for place in stride(from: 8_000, to: bytes.count - 30_000, by: 1_000) { bytes[place] ^= 0xFF }
    try machine.write(bytes, to: newest)
    // Looked at a day ago, as a machine of every night has.
    let activity = try machine.text(of: "state/activity.json")
    try machine.write(Self.aged(activity), to: "state/activity.json")
    let damaged = try machine.run(status)
    #expect(damaged.status == 60 && damaged.text.contains("is damaged: make a new one"), "\(damaged.text)")
    let run = try machine.create(["--on-change", "--json"])
    #expect(run.status == 0 && run.errors.contains("is damaged: a new one is made"), "\(run.errors)")
    #expect(try run.json()["sequence"] == .number(5))
    #expect(try machine.run(status).status == 0)
  }

  /// Every time in it a day and a half earlier.
  private static func aged(_ activity: String) -> String {
    activity.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.contains("\"time\""), let colon = line.lastIndex(of: ":"),
        let time = Int(line[line.index(after: colon)...].filter(\.isNumber))
      else { return String(line) }
      return "\(line[...colon]) \(time - 130_000)" + (line.hasSuffix(",") ? "," : "")
    }.joined(separator: "\n")
  }
}
