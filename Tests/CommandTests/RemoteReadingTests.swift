import FuekiSystem
import Glibc
import TestSupport
import Testing

/// How much of a remote's archives is read, and by how many runs of rclone.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct RemoteReadingTests {
  private static let copies = 6

  /// A remote with several files of one archive, under names that are not an archive's own.
  private func prepared(copies: Int = copies) throws -> RcloneRemote {
    let machine = try Machine()
    let archive = try #require(machine.archives().first)
    let remote = try RcloneRemote(.local, machine)
    let bytes = try machine.read(archive)
    for number in 1...copies {
      // Names are escaped on their way.
      try machine.write(bytes, to: "remote/wallet/copy #\(number) ü 100%.fueki")
    }
    return remote
  }

  private func runs(_ remote: RcloneRemote) throws -> [String] {
    try remote.machine.text("runs").split(separator: "\n")
      .map { String($0.prefix { $0 != " " }) }
  }

  @Test func `one rclone reads the ends of all archives`() throws {
    let remote = try prepared()
    let counted = try remote.interfere(
      with: "serve",
      """
      $rclone "$@" & child=$!
      while grep wchar /proc/$child/io >$root/counted; do mv $root/counted $root/served; sleep 0.01; done
      """)
    let list = try remote.run(["list", remote.target, "--json"], environment: counted, status: 0)
    let archives = try list.json()["archives"]?.elements ?? []
    #expect(archives.count == Self.copies)
    #expect(try runs(remote) == ["lsjson", "serve"])
    let served = try remote.machine.text("served").filter(\.isNumber)
    #expect(Int(served) ?? .max < Self.copies * 20_000, "\(served)")
  }

  /// A server that answers falsely, in rclone's place.
  private func falsely(_ fault: String, on remote: RcloneRemote) throws -> [String: String] {
    let script = """
      import re, socket, sys, threading, time
      fault = sys.argv[1]
      def serve(client):
        while request := client.recv(65536):
          first, last = map(int, re.search(rb"bytes=(\\d+)-(\\d+)", request).groups())
          count = last - first + 1
          if fault == "silent": time.sleep(600)
          status = 200 if fault == "another status" else 206
          said = count - 1 if fault == "another length" else count
          sent = {"cut": count // 2, "too long": count + 1}.get(fault, said)
          head = b"HTTP/1.1 %d Answer\\r\\nContent-Length: %d\\r\\n\\r\\n" % (status, said)
          client.sendall((b"" if fault == "no HTTP" else head) + bytes(sent))
          if fault == "cut": return client.close()
      server = socket.create_server(("127.0.0.1", 0))
      print(f"serving on http://127.0.0.1:{server.getsockname()[1]}/", file=sys.stderr, flush=True)
      while True:
        threading.Thread(target=serve, args=[server.accept()[0]], daemon=True).start()
      """
    try remote.machine.write(script, to: "false.py")
    return try remote.interfere(with: "serve", "exec /usr/bin/python3 $root/false.py '\(fault)'")
  }

  @Test(arguments: [
    "exit 1", "echo http://127.0.0.1:1/ >&2; exec sleep 600",
    // It ends among the archives.
    "exec timeout -s KILL 0.2 $rclone \"$@\"",
  ])
  func `each archive is read by itself if the server is missing or ends`(_ fault: String) throws {
    let remote = try prepared()
    try expectReadAlone(remote, try remote.interfere(with: "serve", fault))
  }

  @Test(
    .enabled(if: PythonServer.canRun, "this machine has no Python"),
    arguments: ["another status", "another length", "cut", "no HTTP", "too long"])
  func `each archive is read by itself if the server answers falsely`(_ fault: String) throws {
    let remote = try prepared()
    try expectReadAlone(remote, try falsely(fault, on: remote))
    #expect(try runs(remote).contains("cat"))
  }

  private func expectReadAlone(_ remote: RcloneRemote, _ faulty: [String: String]) throws {
    let expected = try remote.run(["list", remote.target, "--json"])
    let list = try remote.run(["list", remote.target, "--json"], environment: faulty, status: 0)
    #expect(try list.json() == expected.json())
    try remote.run(["verify", remote.target, "--json"], environment: faulty, status: 0)
  }

  @Test(.enabled(if: PythonServer.canRun, "this machine has no Python"), arguments: [false, true])
  func `a server that falls silent is given up`(_ isConnected: Bool) throws {
    let remote = try prepared()
    let silent =
      isConnected
      ? try falsely("silent", on: remote) : try remote.interfere(with: "serve", "exec sleep 600")
    let list = try remote.run(
      ["list", remote.target], environment: silent.merging(["FUEKI_DEADLINE": "2"]) { $1 })
    #expect(list.status == 1 && list.errors.contains("has not answered for 2 seconds"), "\(list.errors)")
  }

  @Test(arguments: ["list", "create"])
  func `a listing that drips is given up, however much of it comes`(_ command: String) throws {
    let remote = try prepared()
    let dripping = try remote.interfere(with: "lsjson", "while printf ' '; do sleep 0.1; done")
    let environment = dripping.merging(["FUEKI_DEADLINE": "2"]) { $1 }
    let run =
      try command == "list"
      ? remote.run(["list", remote.target], environment: environment)
      : remote.create(environment: environment)
    #expect(
      run.status == 1 && run.errors.contains("its answer has not ended after 2 seconds"), "\(run.errors)")
  }

  @Test func `a damaged archive is reported as before`() throws {
    let remote = try prepared()
    let name = "remote/wallet/copy #1 ü 100%.fueki"
    let bytes = try remote.machine.read(name)
    try remote.machine.write(Array(bytes.prefix(bytes.count - 9)), to: name)
    let list = try remote.run(["list", remote.target, "--json"])
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(states.filter { $0 == "incomplete" }.count == 1, "\(list.text)")
  }

  /// Flips a bit in the middle of a file.
  @Test func `verification lists a remote once and downloads its archives through one rclone`() throws {
    let remote = try prepared()
    try remote.machine.damage("remote/wallet/copy #2 ü 100%.fueki")
    let counted = try remote.interfere(with: "nothing", ":")
    let verify = try remote.run(["verify", remote.target, "--json"], environment: counted, status: 20)
    #expect(try runs(remote) == ["lsjson", "serve"])
    let archives = try verify.json()["archives"]?.elements ?? []
    let list = try remote.run(["list", remote.target, "--json"]).json()["archives"]?.elements ?? []
    #expect(archives.map { $0["path"]?.text } == list.map { $0["path"]?.text })
    for archive in archives {
      let isDamaged = archive["path"]?.text?.contains("#2") ?? false
      #expect(archive["verdict"]?.text == (isDamaged ? "damaged" : "ok"), "\(verify.text)")
    }
  }

  @Test(arguments: ["exit 1", "exec timeout -s KILL 0.2 $rclone \"$@\""])
  func `without that server, verification downloads each archive by itself`(_ fault: String) throws {
    let remote = try prepared()
    try remote.machine.damage("remote/wallet/copy #2 ü 100%.fueki")
    let faulty = try remote.interfere(with: "serve", fault)
    let verify = try remote.run(["verify", remote.target, "--json"], environment: faulty, status: 20)
    let verdicts = try verify.json()["archives"]?.elements.compactMap { $0["verdict"]?.text } ?? []
    #expect(verdicts.count { $0 == "ok" } == Self.copies - 1 && verdicts.contains("damaged"), "\(verdicts)")
    // A quick machine is done before the server ends.
    if fault == "exit 1" { #expect(try runs(remote).contains("cat")) }
  }

  @Test func `long archives are downloaded by the rclone that read their ends`() throws {
    let machine = try Machine(isPrepared: false)
    var generator = TestSeed.random()
    let bytes = (0..<3_000_000 / 8).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    try machine.write(bytes, to: "home/app/noise")
    try machine.run(
      ["create", "--from", "file:\(machine.path("home/app"))", "--target", machine.target]
        + ["--accept=synced-keys"] + machine.archiveSecret + Machine.quick, status: 0)
    let archive = try machine.read(try #require(machine.archives().first))
    let remote = try RcloneRemote(.local, machine)
    for number in 1...4 { try machine.write(archive, to: "remote/wallet/\(number).fueki") }
    try machine.damage("remote/wallet/3.fueki")
    let served = try remote.interfere(with: "nothing", ":")
    let verify = try remote.run(["verify", remote.target, "--json"], environment: served, status: 20)
    let archives = try verify.json()["archives"]?.elements ?? []
    #expect(archives.count == 4)
    for archive in archives {
      let isDamaged = archive["path"]?.text?.contains("/3.fueki") ?? false
      #expect(archive["verdict"]?.text == (isDamaged ? "damaged" : "ok"), "\(verify.text)")
    }
    let operations = try runs(remote)
    #expect(operations == ["lsjson", "serve"], "\(operations)")
  }

  @Test(arguments: [
    "rm -f \"$remote/wallet/copy #1 ü 100%.fueki\"; real \"$@\"",
    "real \"$@\" | head -c 9000",
    // Object storage returns this for a file that is not there.
    "exit 0",
    "echo 'x: SlowDown: reduce your request rate, status code: 503' >&2; exit 1",
  ])
  func `an archive that cannot be downloaded whole fails the verification`(_ fault: String) throws {
    let remote = try prepared(copies: 2)
    let faulty = try remote.interfere(
      with: "cat", "if [[ $last == *'#1'* && $* != *--offset* ]]; then\n\(fault)\nelse\nreal \"$@\"\nfi")
    let verify = try remote.run(["verify", remote.target, "--json"], environment: faulty, status: 1)
    let failed = try verify.json()["archives"]?.elements.filter { $0["verdict"]?.text == "unreadable" } ?? []
    #expect(failed.count == 1, "\(verify.text)")
  }

  // MARK: objects that vanish

  @Test(arguments: [2, copies])
  func `an object that vanishes after it was listed is listed as unreadable, and fails verify and status`(
    _ count: Int
  ) throws {
    let remote = try prepared(copies: count)
    func problems(_ run: RunResult) throws -> [JSONValue] {
      try run.json()["targets"]?.elements.first?["problems"]?.elements ?? []
    }
    let status = ["status", "--target", remote.target, "--json"]
    #expect(try problems(remote.run(status)).isEmpty)
    func vanishing() throws -> [String: String] {
      let name = "copy #1 ü 100%.fueki"
      try remote.machine.write(
        try remote.machine.read("remote/wallet/copy #2 ü 100%.fueki"), to: "remote/wallet/\(name)")
      return try remote.interfere(with: "lsjson", "real \"$@\"; rm -f \"$remote/wallet/\(name)\"")
    }
    let list = try remote.run(["list", remote.target, "--json"], environment: vanishing())
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(states.count == count && states.count { $0 == "unreadable" } == 1, "\(list.text)\(list.errors)")
    let verify = try remote.run(["verify", remote.target, "--json"], environment: vanishing())
    let verdicts = try verify.json()["archives"]?.elements.compactMap { $0["verdict"]?.text } ?? []
    #expect(
      verify.status == 1 && verdicts.count { $0 == "unreadable" } == 1, "\(verify.text)\(verify.errors)")
    let seen = try remote.run(status, environment: vanishing(), status: 60)
    #expect(try problems(seen).contains { $0.text?.contains("copy #1") ?? false }, "\(seen.text)")
  }

  /// A remote with the first and second archive of a vault, under their own names.
  private func withHistory() throws -> RcloneRemote {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let remote = try RcloneRemote(.local, machine)
    for archive in try machine.archives() {
      try machine.write(
        try machine.read(archive), to: "remote/wallet/\(archive.split(separator: "/").last ?? "")")
    }
    return remote
  }

  @Test func `an archive that another machine prunes meanwhile is no fault, and is not verified`() throws {
    let remote = try withHistory()
    let pruned = try remote.interfere(with: "lsjson", "real \"$@\"; rm -f $remote/wallet/*-000001-*")
    let list = try remote.run(["list", remote.target, "--json"], environment: pruned)
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(states.sorted() == ["complete", "removed"], "\(list.text)\(list.errors)")
    let again = try withHistory()
    let verify = try again.run(
      ["verify", again.target, "--json"],
      environment: again.interfere(with: "lsjson", "real \"$@\"; rm -f $remote/wallet/*-000001-*"))
    try expectUnverified(verify)
  }

  /// Expects that the first archive is reported as removed, and only the second has a verdict.
  private func expectUnverified(_ verify: RunResult) throws {
    #expect(verify.status == 0, "\(verify.text)\(verify.errors)")
    let paths = try verify.json()["archives"]?.elements.compactMap { $0["path"]?.text } ?? []
    #expect(paths.count == 1 && paths[0].contains("-000002-"), "\(verify.text)")
    let warnings = try verify.json()["warnings"]?.elements.compactMap(\.text) ?? []
    #expect(warnings.contains { $0.contains("-000001-") && $0.contains("not verified") }, "\(verify.text)")
  }

  @Test(arguments: [1, 2])
  func `an archive that vanishes while others are verified fails unless a later one is there`(
    _ number: Int
  ) throws {
    let remote = try withHistory()
    let removing = try remote.interfere(
      with: "cat",
      "[[ $last == *-00000\(number)-* && $* != *--offset* ]] && rm -f \"$remote/${last#local:}\"; real \"$@\""
    )
    let verify = try remote.run(["verify", remote.target, "--json"], environment: removing)
    guard number == 2 else { return try expectUnverified(verify) }
    #expect(verify.status == 1, "\(verify.text)\(verify.errors)")
  }

  @Test func `a superseded archive that is still listed, but missing, is unreadable`() throws {
    let remote = try withHistory()
    let hidden = try remote.interfere(with: "cat", "[[ $last == *-000001-* ]] && exit 4; real \"$@\"")
    let list = try remote.run(["list", remote.target, "--json"], environment: hidden)
    let states = try list.json()["archives"]?.elements.compactMap { $0["state"]?.text } ?? []
    #expect(states.sorted() == ["complete", "unreadable"], "\(list.text)\(list.errors)")
    #expect(try remote.run(["verify", remote.target], environment: hidden).status == 1)
  }
}
