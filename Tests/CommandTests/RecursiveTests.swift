import FuekiSystem
import TestSupport
import Testing

/// `--recursive`, `--max-age` and `--problems-only` of `list`, `verify` and `status`.
struct RecursiveTests {
  /// A machine with a folder of folders: its own archive in `bucket/alice/2026`, another vault's in `bucket/bob`.
  private func bucket() throws -> Machine {
    let machine = try Machine()
    for name in ["bucket/alice/2026", "bucket/bob"] {
      try Directory.makePrivateDirectories(machine.path(name))
    }
    let archive = try #require(machine.archives().first)
    try machine.copy(archive, to: "bucket/alice/2026/a.fueki")
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: "bucket/bob/b.fueki")
    return machine
  }

  private func paths(_ run: RunResult, _ machine: Machine) throws -> [String] {
    (try run.json()["archives"]?.elements ?? []).compactMap { $0["path"]?.text }
      .map { $0.replacing(machine.path("bucket") + "/", with: "") }.sorted()
  }

  @Test func `a folder of folders is empty with a hint, and recursive finds all of it`() throws {
    let machine = try bucket()
    let bucket = machine.path("bucket")
    let plain = try machine.run(["list", bucket])
    #expect(plain.status == 0 && plain.errors.contains("use --recursive"), "\(plain.errors)")
    let status = try machine.run(["status", "--target", bucket])
    #expect(status.status == 60 && status.text.contains("use --recursive"), "\(status.text)")
    let verify = try machine.run(["verify", bucket])
    #expect(verify.status == 10 && verify.errors.contains("use --recursive"), "\(verify.errors)")

    let all = ["alice/2026/a.fueki", "bob/b.fueki"]
    let list = try machine.run(["list", bucket, "--recursive", "--json"])
    #expect(try list.status == 0 && paths(list, machine) == all, "\(list.text)\(list.errors)")
    let verified = try machine.run(["verify", bucket, "--recursive", "--json"])
    #expect(try paths(verified, machine) == all, "\(verified.text)\(verified.errors)")
    let found = try machine.run(["status", "--target", bucket, "--recursive", "--json"])
    let targets = try found.json()["targets"]?.elements.compactMap { $0["path"]?.text } ?? []
    #expect(targets == ["\(bucket)/alice/2026", "\(bucket)/bob"], "\(found.text)")
  }

  @Test func `without subfolders there is no such hint`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("empty/sub"))
    let list = try machine.run(["list", machine.path("empty")])
    #expect(list.status == 0 && !list.errors.contains("--recursive"), "\(list.errors)")
  }

  @Test func `only problems are shown, and all of them count`() throws {
    let machine = try bucket()
    let damaged = "bucket/bob/b.fueki"
    var bytes = try machine.read(damaged)
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: damaged)
    let verify = ["verify", machine.path("bucket"), "--recursive", "--problems-only"]
    let run = try machine.run(verify + ["--json"])
    #expect(try run.status == 20 && paths(run, machine) == ["bob/b.fueki"], "\(run.text)")
    let text = try machine.run(verify).text
    #expect(text.contains("b.fueki") && !text.contains("a.fueki"), "\(text)")
    try machine.write(Array(bytes.prefix(bytes.count / 2)), to: damaged)
    let list = try machine.run(["list", machine.path("bucket"), "--recursive", "--problems-only", "--json"])
    #expect(try list.status == 0 && paths(list, machine) == ["bob/b.fueki"], "\(list.text)")
  }

  @Test func `vaults whose newest archive is too old end list and verify with 60`() throws {
    let machine = try bucket()
    let bucket = [machine.path("bucket"), "--recursive"]
    for command in ["list", "verify"] {
      #expect(try machine.run([command] + bucket + ["--max-age", "5200w"]).status == 0, "\(command)")
      let old = try machine.run([command] + bucket + ["--max-age", "0s", "--json"])
      #expect(old.status == 60, "\(command): \(old.errors)")
      let warnings = try old.json()["warnings"]?.elements.compactMap(\.text) ?? []
      #expect(warnings.contains { $0.contains("the newest archive is ") }, "\(command): \(warnings)")
    }
  }

  @Test func `recursive verification needs a folder`() throws {
    let machine = try Machine()
    #expect(try machine.run(["verify", "--recursive", "--target", machine.target]).status == 64)
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `a remote's folders are listed once`() throws {
    let machine = try bucket()
    let remote = try RcloneRemote(.local, machine)
    try machine.remove("remote/wallet")
    try machine.copy("bucket", to: "remote/wallet")
    let counted = try remote.interfere(with: "nothing", ":")
    for command in [
      ["list", remote.target], ["status", "--target", remote.target], ["verify", remote.target],
    ] {
      let run = try remote.run(command + ["--recursive", "--json"], environment: counted, status: 0)
      let document = try run.json()
      let found = document["archives"]?.elements ?? document["targets"]?.elements ?? []
      let paths = found.compactMap { $0["path"]?.text }
      #expect(paths.count == 2 && paths.contains { $0.hasPrefix("\(remote.target)/alice/2026") }, "\(paths)")
      let runs = try machine.text("runs").split(separator: "\n")
      #expect(runs.count { $0.hasPrefix("lsjson") } == 1, "\(runs)")
      try machine.remove("runs")
    }
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `a remote that cannot be searched fails the verification`() throws {
    let machine = try bucket()
    let remote = try RcloneRemote(.local, machine)
    try machine.remove("remote/wallet")
    try machine.copy("bucket", to: "remote/wallet")
    try machine.copy("bucket/bob/b.fueki", to: "remote/wallet/b.fueki")
    // Without it, only the archives of the first directory would be verified.
    let failing = try remote.interfere(
      with: "lsjson", "[[ $* == *--recursive* ]] && { echo 'x: SlowDown' >&2; exit 1; }; real \"$@\"")
    let verify = try remote.run(["verify", remote.target, "--recursive"], environment: failing)
    #expect(verify.status == 1 && verify.errors.contains("SlowDown"), "\(verify.text)\(verify.errors)")
  }
}
