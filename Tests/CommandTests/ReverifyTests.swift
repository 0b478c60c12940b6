import FuekiSystem
import TestSupport
import Testing

/// `verify --reverify`: several nights, with libfaketime.
@Suite(.enabled(if: Installed.runs("/usr/bin/faketime"), "this machine has no faketime"))
struct ReverifyTests {
  /// So long that no archive is due in a test.
  private static let long = ["--reverify", "160000w"]

  /// Runs the program some nights from now; the times of files stay.
  private func run(
    _ machine: Machine, night: Int, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> RunResult {
    let clock = ["/usr/bin/env", "NO_FAKE_STAT=1", "/usr/bin/faketime", "-f", "+\(night)d"]
    return try machine.run(arguments, through: clock, environment: environment)
  }

  /// Whether each archive was read.
  private func read(_ run: RunResult) throws -> [JSONValue?] {
    (try run.json()["archives"]?.elements ?? []).map { $0["read"] }
  }

  @Test func `an unchanged archive is not read, and every output has the date`() throws {
    let machine = try Machine.withTwoArchives()
    let verify = ["verify", machine.target] + Self.long
    let first = try run(machine, night: 1, verify + ["--json"])
    #expect(
      try first.status == 0 && read(first) == [.bool(true), .bool(true)], "\(first.text)\(first.errors)")
    let counts = try first.json()["reverify"]
    #expect(counts?["read"] == .number(2) && counts?["unread"] == .number(0), "\(first.text)")
    #expect(counts?["record"] == .string("new") && counts?["recorded"] == .bool(true), "\(first.text)")

    let report = machine.path("report.xml")
    let second = try run(machine, night: 2, verify + ["--json", "--report", "junit=\(report)"])
    #expect(try second.status == 0 && read(second) == [.bool(false), .bool(false)], "\(second.text)")
    let date = try second.json()["archives"]?[0]?["verified_at"]?.text ?? "none"
    let earliest = try second.json()["reverify"]?["earliest"]?.text
    #expect(date.hasSuffix("Z") && date == earliest, "\(second.text)")
    let xml = String(decoding: try machine.read("report.xml"), as: UTF8.self)
    #expect(xml.contains("skipped=\"2\"") && xml.contains("<skipped message=\"verified on \(date)"), "\(xml)")
    let text = try run(machine, night: 3, verify).text
    #expect(text.contains("(checksums, verified on \(date), unchanged since)"), "\(text)")
    #expect(text.contains("0 archives read, and 2 archives not read"), "\(text)")

    let plain = try run(machine, night: 3, ["verify", machine.target, "--json"])
    #expect(try read(plain) == [nil, nil] && plain.json()["reverify"] == nil, "\(plain.text)")
  }

  @Test func `a new archive is read, and a damaged one every night`() throws {
    let machine = try Machine.withTwoArchives()
    let verify = ["verify", machine.target, "--json"] + Self.long
    #expect(try run(machine, night: 1, verify).status == 0)
    #expect(try machine.create().status == 0)
    #expect(try read(run(machine, night: 2, verify)) == [.bool(true), .bool(false), .bool(false)])
    try machine.damage(try #require(machine.archives().last))
    for night in 3...4 {
      let failed = try run(machine, night: night, verify)
      #expect(
        try failed.status == 20 && read(failed) == [.bool(true), .bool(false), .bool(false)], "\(night)")
    }
  }

  @Test func `every archive is read once the time is over`() throws {
    let machine = try Machine.withTwoArchives()
    for night in [1, 3] {
      let verified = try run(machine, night: night, ["verify", machine.target, "--json", "--reverify", "1d"])
      #expect(try read(verified) == [.bool(true), .bool(true)], "\(verified.text)")
    }
  }

  @Test func `an archive that is not read is not noted as verified`() throws {
    let machine = try Machine.withTwoArchives()
    let verify = ["verify", machine.target] + Self.long
    #expect(try run(machine, night: 1, verify).status == 0)
    let noted = try machine.read("state/activity.json")
    #expect(String(decoding: noted, as: UTF8.self).contains("\"verify\""))
    #expect(try run(machine, night: 9, verify).status == 0)
    #expect(try machine.read("state/activity.json") == noted)
  }

  @Test func `parts of several machines and folders of folders have one record`() throws {
    let machine = try Machine.withTwoArchives()
    try Directory.makePrivateDirectories(machine.path("bucket/a"))
    for name in try machine.archives() {
      try machine.copy(name, to: "bucket/a/\(name.split(separator: "/").last ?? "")")
    }
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: "bucket/b.fueki")
    let verify = ["verify", machine.path("bucket"), "--recursive", "--json"] + Self.long
    for part in 1...2 {
      let verified = try run(machine, night: part, verify + ["--shard", "\(part)/2"])
      #expect(verified.status == 0, "\(verified.text)\(verified.errors)")
    }
    let whole = try run(machine, night: 3, verify)
    #expect(try read(whole) == [.bool(false), .bool(false), .bool(false)], "\(whole.text)\(whole.errors)")
  }

  @Test func `a damaged record is reported, and everything is read`() throws {
    let machine = try Machine.withTwoArchives()
    let verify = ["verify", machine.target, "--json"] + Self.long
    #expect(try run(machine, night: 1, verify).status == 0)
    try machine.write("not a record", to: "state/verified")
    let second = try run(machine, night: 2, verify)
    #expect(try second.status == 0 && read(second) == [.bool(true), .bool(true)], "\(second.text)")
    #expect(second.errors.contains("record of verified or damaged archives is damaged"), "\(second.errors)")
    #expect(try second.json()["reverify"]?["record"] == .string("damaged"))
    #expect(try read(run(machine, night: 3, verify)) == [.bool(false), .bool(false)])
  }

  @Test func `a machine without state gets a record, and no secret is in it`() throws {
    let machine = try Machine.withTwoArchives()
    let elsewhere = ["FUEKI_STATE": machine.path("watcher/state")]
    let verify = ["verify", machine.target, "--json"] + Self.long
    for night in 1...2 {
      let verified = try run(machine, night: night, verify, environment: elsewhere)
      let expected = JSONValue.bool(night == 1)
      #expect(try verified.status == 0 && read(verified) == [expected, expected], "\(verified.errors)")
    }
    let record = try machine.read("watcher/state/verified")
    #expect(!String(decoding: record, as: UTF8.self).contains("target"))
    #expect(try FileStatus.of(machine.path("watcher/state/verified")).permissions == 0o600)
  }

  @Test(arguments: [["--depth", "structure"], ["--target", "target"], ["--reverify", "soon"]])
  func `it is for folders whose every byte is read`(_ more: [String]) throws {
    let machine = try Machine()
    let folder = more.first == "--target" ? [] : [machine.target]
    #expect(try machine.run(["verify"] + folder + ["--reverify", "1d"] + more).status == 64)
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `a remote's archives are recognized by time and size, which the period limits`() throws {
    let machine = try Machine.withTwoArchives()
    let remote = try RcloneRemote(.local, machine)
    let names = try machine.archives().map { String($0.split(separator: "/").last ?? "") }
    for name in names { try machine.copy("target/\(name)", to: "remote/wallet/\(name)") }
    let verify = ["verify", remote.target, "--json", "--reverify"]
    func night(_ number: Int, _ period: String) throws -> RunResult {
      try run(machine, night: number, verify + [period], environment: remote.environment)
    }
    let first = try night(1, "160000w")
    #expect(
      try first.status == 0 && read(first) == [.bool(true), .bool(true)], "\(first.text)\(first.errors)")
    let second = try night(2, "160000w")
    #expect(try second.status == 0 && read(second) == [.bool(false), .bool(false)], "\(second.text)")

    // An attacker who may set times hides damage from the listing until the archive is due.
    let changed = "remote/wallet/\(try #require(names.first))"
    let same = ["-r", machine.path("target/\(try #require(names.first))"), machine.path(changed)]
    try machine.damage(changed)
    #expect(try read(night(3, "160000w")).contains(.bool(true)), "its time changed")
    try machine.damage(changed)
    #expect(try BuiltBinary.run(program: "/usr/bin/touch", same).status == 0)
    #expect(try night(4, "160000w").status == 0)
    try machine.damage(changed)
    #expect(try BuiltBinary.run(program: "/usr/bin/touch", same).status == 0)
    let hidden = try night(5, "160000w")
    #expect(try hidden.status == 0 && read(hidden) == [.bool(false), .bool(false)], "\(hidden.text)")
    let found = try night(7, "1d")
    #expect(try found.status == 20 && read(found) == [.bool(true), .bool(true)], "\(found.text)")
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `without times and checksums everything is read, and the report says why`() throws {
    let machine = try Machine.withTwoArchives()
    let remote = try RcloneRemote(.local, machine)
    try machine.copy(try #require(machine.archives().last), to: "remote/wallet/a.fueki")
    let timeless = try remote.interfere(
      with: "lsjson", "real \"$@\" | sed 's/\"ModTime\":\"[^\"]*\"/\"ModTime\":\"2000-01-01T00:00:00Z\"/'")
    for night in 1...2 {
      let verify = ["verify", remote.target, "--json"] + Self.long
      let verified = try run(
        machine, night: night, verify, environment: remote.environment.merging(timeless) { $1 })
      #expect(
        try verified.status == 0 && read(verified) == [.bool(true)], "\(verified.text)\(verified.errors)")
      #expect(try verified.json()["reverify"]?["untagged"] == .number(1), "\(verified.text)")
      #expect(
        verified.errors.contains("the storage lists neither a time nor a checksum"), "\(verified.errors)")
    }
  }
}
