import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Remotes that fail, answer falsely or fall silent, and runs that are interrupted.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct RcloneFaultTests {
  /// A remote in a folder of this machine's, with an archive that is good.
  private func prepared() throws -> RcloneRemote {
    let remote = try RcloneRemote(.local, try Machine())
    #expect(try remote.create().status == 0)
    return remote
  }

  /// Expects the good archive unchanged, and a next run that makes another and removes the failed one's leftovers.
  private func expectRecovery(of remote: RcloneRemote, _ before: [String: [UInt8]], more: Int = 1) throws {
    for (path, bytes) in before { #expect(try remote.machine.read(path) == bytes, "\(path)") }
    let list = try remote.run(["list", remote.target, "--json"])
    for archive in try list.json()["archives"]?.elements ?? [] {
      #expect(archive["state"] == .string("complete"), "\(list.text)")
    }
    try remote.create(status: 0)
    let names = try remote.machine.names(in: "remote/wallet")
    #expect(names.allSatisfy { $0.hasSuffix(".fueki") } && names.count == before.count + more, "\(names)")
    #expect(try remote.machine.names(in: "state/outgoing").isEmpty)
    #expect(try remote.run(["verify", remote.target]).status == 0)
  }

  private func wallet(_ remote: RcloneRemote) throws -> [String: [UInt8]] {
    try remote.machine.snapshot(of: "remote/wallet")
  }

  @Test(arguments: [false, true])
  func `bytes that change on their way are noticed, with the remote's checksum and without`(
    _ hasChecksum: Bool
  ) throws {
    let remote = try prepared()
    let before = try wallet(remote)
    let spoil =
      "real \"$@\" && printf x | dd of=$remote/${last#local:} bs=1 seek=1000 conv=notrunc status=none"
    var through = try remote.interfere(with: "copyto", spoil)
    if !hasChecksum {
      // Without its features, a remote's checksums are unknown.
      through = try remote.interfere(
        with: "copyto", "\(spoil)\nelif [[ $1 == backend ]]; then\nexit 1")
    }
    let run = try remote.create(environment: through, status: 1)
    #expect(run.errors.contains(hasChecksum ? "checksum" : "reads back differently"), "\(run.errors)")
    #expect(try wallet(remote) == before)
    try expectRecovery(of: remote, before)
  }

  @Test func `a checksum that the remote has wrong stops the archive`() throws {
    let remote = try prepared()
    let before = try wallet(remote)
    let lie = try remote.interfere(
      with: "hashsum", "case $last in local:*) echo \"$(printf '%064d' 1)  x\" ;; *) real \"$@\" ;; esac")
    let run = try remote.create(environment: lie)
    #expect(run.status == 1 && run.errors.contains("the sha256 checksum"), "\(run.errors)")
    #expect(try wallet(remote) == before)
    try expectRecovery(of: remote, before)
  }

  @Test func `a name that is taken meanwhile keeps what it has`() throws {
    let remote = try prepared()
    let before = try wallet(remote)
    let rival = try remote.interfere(
      with: "moveto", "echo another | real rcat \"$last\" && real \"$@\"")
    try remote.create(environment: rival, status: 40)
    let now = try wallet(remote)
    #expect(now.count == before.count + 1)
    let taken = try #require(now.first { before[$0.key] == nil })
    #expect(taken.value == Array("another\n".utf8))
    try remote.machine.remove(taken.key)
    try expectRecovery(of: remote, before)
  }

  @Test func `an upload that fails leaves nothing, and its reason is shown`() throws {
    let remote = try prepared()
    let before = try wallet(remote)
    let full = try remote.interfere(
      with: "copyto",
      """
      head -c 1000 "${@: -2:1}" >$remote/${last#local:}
      echo '2026/01/01 00:00:00 ERROR : x: Failed to copy: quota exceeded' >&2; exit 1
      """)
    let run = try remote.create(environment: full)
    #expect(run.status == 1 && run.errors.contains("x: Failed to copy: quota exceeded"), "\(run.errors)")
    #expect(!run.errors.contains("2026/01/01"))
    #expect(try wallet(remote) == before)
    try expectRecovery(of: remote, before)
  }

  @Test(arguments: ["the upload", "the move, before it", "the move, after it"])
  func `a run that is killed leaves no part of an archive, and the next one tidies up`(
    _ place: String
  ) throws {
    let remote = try prepared()
    let before = try wallet(remote)
    let death = "kill -9 $PPID; exit 1"
    let script =
      switch place {
      case "the upload": ("copyto", "head -c 90000 \"${@: -2:1}\" >$remote/${last#local:}; \(death)")
      case "the move, before it": ("moveto", death)
      default: ("moveto", "real \"$@\"; \(death)")
      }
    let run = try remote.create(environment: try remote.interfere(with: script.0, script.1))
    #expect(run.ending == .killed(signal: SIGKILL), "\(run.errors)")
    #expect(try !remote.machine.names(in: "state/outgoing").isEmpty)
    // A moved archive is intact and keeps its place in the chain.
    try expectRecovery(of: remote, before, more: place == "the move, after it" ? 2 : 1)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a run that is asked to stop leaves nothing behind`(_ signal: Int32) throws {
    let remote = try prepared()
    let before = try wallet(remote)
    let stop = try remote.interfere(
      with: "copyto",
      "head -c 90000 \"${@: -2:1}\" >$remote/${last#local:}; kill -\(signal) $PPID; exec sleep 600")
    // The run must end much sooner.
    try remote.create(environment: stop, status: 130)
    #expect(try wallet(remote) == before)
    try expectRecovery(of: remote, before)
  }

  @Test func `a remote that fails does not stop the others`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.sftp, machine)
    remote.stop()
    let both = ["create", "--target", remote.target, "--target", machine.target, "--json"]
    let run = try remote.run(both + machine.secrets, status: 3)
    #expect(try run.json()["failed_targets"] == .array([.string(remote.target)]))
    #expect(try machine.archives().count == 2)
    #expect(try remote.create().status == 1)
    for command in [
      ["list", remote.target], ["verify", remote.target], ["status", "--target", remote.target],
    ] {
      let failed = try remote.run(command)
      #expect(failed.status == (command[0] == "status" ? 60 : 1), "\(failed.errors)")
      #expect((failed.errors + failed.text).contains("connection refused"), "\(failed.errors)")
    }
  }

  @Test func `a folder has its archive though the remote's upload fails, sealed once`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let broken = try remote.interfere(with: "copyto", "echo no >&2; exit 1")
    let both = ["create", "--target", remote.target, "--target", machine.target, "--json"]
    let run = try remote.run(both + machine.secrets, environment: broken, status: 3)
    #expect(try run.json()["failed_targets"] == .array([.string(remote.target)]))
    let again = try remote.run(both + machine.secrets, status: 0)
    let name = try #require(machine.archives().last)
    let last = try #require(name.split(separator: "/").last)
    #expect(try machine.read(name) == machine.read("remote/wallet/\(last)"))
    #expect(try again.json()["sequence"] == .number(3))
  }

  @Test func `a server that never answers is given up`() throws {
    let remote = try prepared()
    let before = try wallet(remote)
    // The first operation of the run, so that no other one has to answer in this time.
    let silent = try remote.interfere(with: "lsjson", "exec sleep 600")
    let run = try remote.create(environment: silent.merging(["FUEKI_DEADLINE": "2"]) { $1 })
    #expect(run.status == 1 && run.errors.contains("has not answered for 2 seconds"), "\(run.errors)")
    #expect(try wallet(remote) == before)
    try expectRecovery(of: remote, before)
  }

  @Test func `without rclone the package is named, and other targets get their archive`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let none = ["PATH": machine.path("home")]
    let run = try remote.create(environment: none)
    #expect(run.status == 1 && run.errors.contains("apt-get install rclone"), "\(run.errors)")
    let both = ["create", "--target", remote.target, "--target", machine.target] + machine.secrets
    let part = try remote.run(both, environment: none)
    #expect(part.status == 3 && part.errors.contains("rclone is not installed"), "\(part.errors)")
    #expect(try machine.archives().count == 2)
  }

  @Test func `what cannot be removed is named, and stays`() throws {
    let remote = try prepared()
    #expect(try remote.create().status == 0)
    let before = try wallet(remote)
    let prune = ["prune", "--keep-last", "1", "--target", remote.target]
    let stuck = try remote.interfere(with: "deletefile", "echo 'it is locked' >&2; exit 1")
    let failed = try remote.run(prune, environment: stuck)
    #expect(failed.status == 1 && failed.errors.contains("it is locked"), "\(failed.errors)")
    #expect(try wallet(remote) == before)
    #expect(try remote.run(prune).status == 0)
    #expect(try wallet(remote).count == 1)
  }
}
