import CommandSupport
import TestSupport
import Testing

/// A policy's directory on a remote with the machine's name.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct MachineFolderTests {
  @Test(arguments: [RcloneRemote.Kind.local, .webdav])
  func `the first backup makes a remote's directory with this machine's name, and no later one`(
    _ kind: RcloneRemote.Kind
  ) throws {
    let machine = try Machine.following()
    let remote = try RcloneRemote(kind, machine)
    func issue(_ path: String, number: Int) throws {
      try machine.issue("[[target]]\npath = \"rclone:\(kind.rawValue):\(path)\"", number: number)
    }
    try issue("wallet/{host}", number: 2)
    let checked = try remote.run(["config", "validate"])
    #expect(checked.status == 0, "\(checked.text)\(checked.errors)")
    let doctor = try remote.run(["doctor", "-v"])
    #expect(doctor.text.contains(": the first backup makes it"), "\(doctor.text)")
    #expect(try machine.names(in: "remote/wallet").isEmpty)
    let made = try remote.run(["create"] + machine.secrets)
    let host = try #require(try machine.names(in: "remote/wallet").first)
    #expect(made.status == 0, "\(made.text)\(made.errors)")
    #expect(try machine.names(in: "remote/wallet/\(host)").count == 1)
    #expect(try remote.run(["create"] + machine.secrets).status == 0)

    // A directory that is gone is no new one, and its loss is reported with the command that makes it.
    try remote.rclone(["purge", "\(kind.rawValue):wallet/\(host)"])
    let gone = try remote.run(["create"] + machine.secrets)
    #expect(gone.status == 3 && !machine.exists("remote/wallet/\(host)"), "\(gone.errors)")
    let named = try remote.run(["list", "rclone:\(kind.rawValue):wallet/\(host)"])
    #expect(named.status == 10 && named.errors.contains("rclone mkdir"), "\(named.errors)")
    // A directory above that is missing may be mistyped.
    try issue("walet/{host}", number: 3)
    #expect(try remote.run(["config", "validate"]).status == 10)
    #expect(try remote.run(["create"] + machine.secrets).status == 3 && !machine.exists("remote/walet"))
  }

  @Test(.enabled(if: RcloneRemote.python != nil, "this machine has no moto, which serves S3"))
  func `a bucket, which has no directories, gets one with this machine's name`() throws {
    let machine = try Machine.following()
    let remote = try RcloneRemote(.s3, machine)
    try machine.issue("[[target]]\npath = \"rclone:s3:bucket/{host}\"", number: 2)
    let checked = try remote.run(["config", "validate"])
    #expect(checked.status == 0, "\(checked.text)\(checked.errors)")
    for count in 1...2 {
      let made = try remote.run(["create"] + machine.secrets)
      #expect(made.status == 0, "\(made.text)\(made.errors)")
      let files = try remote.rclone(["lsf", "--recursive", "--files-only", "s3:bucket"]).text.split(
        separator: "\n")
      #expect(files.count == count && Set(files.map { $0.prefix { $0 != "/" } }).count == 1, "\(files)")
      #expect(files.allSatisfy { $0.hasSuffix(".fueki") }, "\(files)")
    }
    let status = try remote.run(["status"])
    #expect(status.status == 0, "\(status.text)\(status.errors)")
  }
}
