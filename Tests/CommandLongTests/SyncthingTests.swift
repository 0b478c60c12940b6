import FuekiSystem
import TestSupport
import Testing

/// Two machines whose targets a real Syncthing keeps alike.
@Suite(.enabled(if: SyncthingPeer.program != nil, "this machine has no syncthing"))
struct SyncthingTests {
  private func pair() throws -> (machines: [Machine], peers: [SyncthingPeer]) {
    let machines = [try Machine(), try Machine()]
    let peers = try machines.enumerated().map { index, machine in
      try SyncthingPeer("peer\(index)", root: machine.root, folder: machine.target)
    }
    return (machines, peers)
  }

  private func start(_ peers: [SyncthingPeer], sendingAtMost rate: Int = 0) throws {
    try peers[0].start(with: peers[1], sendingAtMost: rate)
    try peers[1].start(with: peers[0])
  }

  private func wait(_ seconds: Double, _ what: @autoclosure () -> Comment, until done: () throws -> Bool)
    throws
  {
    let deadline = SystemClock.monotonicSeconds + seconds
    while SystemClock.monotonicSeconds < deadline {
      if try done() { return }
      SystemClock.sleep(seconds: 0.1)
    }
    Issue.record(what())
  }

  private func list(_ machine: Machine) throws -> [JSONValue] {
    let list = try machine.run(["list", machine.target, "--json"], status: 0)
    return try list.json()["archives"]?.elements ?? []
  }

  private func states(_ machine: Machine) throws -> Set<String> {
    Set(try list(machine).compactMap { $0["state"]?.text })
  }

  @Test(.timeLimit(.minutes(60)))
  func `an archive on each side is a fork on both, and a conflict copy is one`() throws {
    let (machines, peers) = try pair()
    // Apart: each makes the second archive, and each has its own under a third name.
    for machine in machines {
      #expect(try machine.create().status == 0)
      let own = try #require(machine.archives().last)
      try machine.copy(own, to: "target/mine.fueki")
    }
    try start(peers)
    try wait(150, "the folders did not become alike: \(peers.map(\.log))") {
      let names = try machines.map { try $0.names(in: "target").filter { $0.hasSuffix(".fueki") } }
      return names[0] == names[1] && names[0].count == 5
    }
    for peer in peers { peer.kill() }
    for machine in machines {
      let archives = try list(machine)
      #expect(archives.count == 5)
      let second = archives.filter { $0["sequence"] == .number(2) }
      #expect(Set(second.compactMap { $0["id"]?.text }).count == 2)
      #expect(second.filter { $0["fork_of"]?.text != nil }.count == 2)
      #expect(second.filter { $0["identical_to"]?.text != nil }.count == 2)
      let copies = archives.filter { $0["path"]?.text?.contains(".sync-conflict-") == true }
      #expect(copies.count == 1 && copies[0]["state"] == .string("conflict-copy"))
      #expect(try machine.run(["verify", machine.target]).status == 25)
      #expect(try machine.create().status == 25)
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a transfer that breaks off is incomplete until it goes on`() throws {
    let (machines, peers) = try pair()
    try machines[0].run(["demo", "--keep", machines[0].path("demo"), "--transactions", "10000"])
      .expect(0)
    let name = try #require(machines[0].names(in: "demo/backups").first)
    let bytes = try machines[0].read("demo/backups/\(name)")
    // Half a mebibyte is sent at once, whatever the limit. The rest would take longer than any timeout here.
    try start(peers, sendingAtMost: max(16, (bytes.count - (512 << 10)) / 1024 / 180))
    try wait(150, "the peers did not meet") { peers[1].log.contains("Established secure connection") }
    try machines[0].write(bytes, to: "target/\(name)")
    let temporary = ".syncthing.\(name).tmp"
    try wait(150, "no transfer began: \(peers[1].log)") {
      guard machines[1].exists("target/\(temporary)") else { return false }
      let run = try BuiltBinary.run(
        program: "/usr/bin/stat", ["-c", "%b", machines[1].path("target/\(temporary)")])
      return (Int(run.text.filter(\.isNumber)) ?? 0) > 128
    }
    peers[1].kill()
    let broken = try list(machines[1])
    #expect(broken.count == 2)
    #expect(try states(machines[1]) == ["complete", "incomplete"])
    #expect(try machines[1].run(["verify", machines[1].target]).status == 21)
    #expect(try machines[1].run(["verify", machines[1].path("target/\(temporary)")]).status == 21)
    // A user's copy would have this name.
    try machines[1].copy("target/\(temporary)", to: "target/copy.fueki")
    #expect(try machines[1].run(["verify", machines[1].path("target/copy.fueki")]).status == 21)
    try machines[1].remove("target/copy.fueki")

    peers[0].kill()
    try start(peers)
    try wait(300, "the transfer did not end: \(peers[1].log)") { machines[1].exists("target/\(name)") }
    #expect(try states(machines[1]) == ["complete"])
    #expect(try machines[1].run(["verify", machines[1].target]).status == 0)
    #expect(try machines[1].read("target/\(name)") == bytes)
  }
}
