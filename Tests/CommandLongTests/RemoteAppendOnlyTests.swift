import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Append-only remotes: S3 with object lock, served on the loopback device, and remotes without one.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct RemoteAppendOnlyTests {
  private func configured(_ kind: RcloneRemote.Kind) throws -> (RcloneRemote, [String]) {
    let machine = try Machine()
    try machine.remove("state")
    let remote = try RcloneRemote(kind, machine)
    let text = "[[target]]\npath = \"\(remote.target)\"\nkind = \"rclone\"\nappend_only = true\n"
    try machine.write(text, to: "config.toml")
    return (remote, ["--config", machine.path("config.toml")])
  }

  /// Two archives, and the commands that would take something away.
  private func addTwice(_ remote: RcloneRemote, _ config: [String]) throws {
    for count in 1...2 {
      try remote.run(["create"] + config + remote.machine.secrets, status: 0)
      #expect(try remote.names().filter { $0.hasSuffix(".fueki") }.count == count)
    }
    let before = try remote.names()
    let pruned = try remote.run(["prune", "--keep-last", "1"] + config)
    #expect(pruned.status == 0 && pruned.text.contains("nothing was removed"), "\(pruned.text)")
    #expect(try remote.names() == before)
    #expect(try remote.run(["verify", "latest"] + config).status == 0)
  }

  private static let trial = "fueki-append-only"

  @Test(
    .enabled(if: RcloneRemote.python != nil, "this machine has no moto, which serves S3"),
    arguments: [true, false])
  func `doctor finds versions that can be removed, and says that locked ones stay`(isLocked: Bool) throws {
    let (remote, config) = try configured(.s3)
    try remote.keepVersions(locking: isLocked)
    try addTwice(remote, config)
    let wanted = isLocked ? "keeps what is there" : "files can be removed there"
    for _ in 1...2 {
      let doctor = try remote.run(["doctor", "-v"] + config)
      #expect(doctor.text.contains(wanted), "\(doctor.text)\(doctor.errors)")
      // The marker hides the file, and a second look makes no second version of it.
      #expect(try !remote.names().contains { $0.hasPrefix(Self.trial) })
      let versions = try remote.rclone(["lsf", "--s3-versions", remote.folder]).text.split(separator: "\n")
      #expect(versions.filter { $0.hasPrefix(Self.trial) }.count == (isLocked ? 1 : 0), "\(versions)")
      #expect(versions.filter { $0.hasSuffix(".fueki") }.count == 2, "\(versions)")
    }
    #expect(try remote.run(["verify", remote.target] + config).status == 0)
  }

  @Test(arguments: [RcloneRemote.Kind.local, .sftp])
  func `a remote without versions lets files be removed, and doctor says so`(_ kind: RcloneRemote.Kind) throws
  {
    let (remote, config) = try configured(kind)
    try addTwice(remote, config)
    let doctor = try remote.run(["doctor", "-v"] + config)
    #expect(doctor.text.contains("files can be removed there"), "\(doctor.text)\(doctor.errors)")
    #expect(try remote.names().allSatisfy { $0.hasSuffix(".fueki") })
  }

  @Test func `a refusal is told from a line that is down`() throws {
    let (remote, config) = try configured(.local)
    try addTwice(remote, config)
    let (kept, unknown) = ("keeps what is there", "It is not known whether the remote enforces it")
    let log = "2026/01/01 00:00:00 ERROR : file: Couldn't delete: "
    for (answer, wanted) in [
      ("AccessDenied: Access Denied\n\tstatus code: 403, request id: x", kept),
      ("InvalidRequest: Object is WORM protected and cannot be overwritten", kept),
      ("sftp: \"Permission denied\" (SSH_FX_PERMISSION_DENIED)", kept),
      ("connection reset by peer", unknown),
      ("dial tcp 127.0.0.1:40312: connect: connection refused", unknown),
      ("SlowDown: 503, request id: 9F403E", unknown),
    ] {
      // The count of failures comes last, and has no reason.
      let said =
        "\(log)\(answer)\n2026/01/01 00:00:00 Failed to delete with 2 errors: last error was: one file\n"
      try remote.machine.write(said, to: "said")
      let path = try remote.interfere(with: "deletefile", "cat $root/said >&2; exit 1")
      let doctor = try remote.run(["doctor", "-v"] + config, environment: path)
      #expect(doctor.text.contains(wanted), "\(answer): \(doctor.text)\(doctor.errors)")
    }
  }
}
