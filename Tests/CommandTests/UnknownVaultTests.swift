import Glibc
import TestSupport
import Testing

/// Expected vaults whose archives cannot be read, or do not count.
struct UnknownVaultTests {
  /// Runs a program without root's right to read every file.
  private static let unprivileged =
    geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  private static let canBeUnprivileged =
    unprivileged.isEmpty || Installed.runs("/usr/bin/setpriv", [unprivileged[1], "/bin/true"])

  @Test(.enabled(if: canBeUnprivileged, "root cannot give up its rights here"))
  func `a file that may not be read is not missing`() throws {
    let machine = try Machine.withBucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(
      try machine.watch(["status", "--target", bucket, "--recursive", "--write-expected", list]).status == 0)
    let closed = try BuiltBinary.run(program: "/bin/chmod", ["000", bucket + "/bob/b.fueki"])
    try #require(closed.status == 0, "\(closed.errors)")
    func look(_ arguments: [String], command: String = "status") throws -> RunResult {
      try machine.watch([command, "--expected", list] + arguments, through: Self.unprivileged)
    }
    let run = try look(["--html", machine.path("page.html")])
    #expect(run.status == 60 && run.text.contains(": 1 unreachable."), "\(run.text)\(run.errors)")
    let row = run.text.split(separator: "\n").first { $0.hasPrefix("unreachable ") }
    #expect(
      row?.contains("b.fueki: permission denied") == true && row?.contains(" unknown ") == true, "\(run.text)"
    )
    let page = try machine.text("page.html")
    #expect(page.contains(">unknown</td>"), "\(page)")
    let json = try look(["--json"])
    let words = try json.verdicts().values.map { [$0["status"]?.text, $0["newest"]?.text] }
    #expect(words.contains(["unreachable", "unknown"]) && words.contains(["ok", "whole"]), "\(json.text)")
    let verified = try look(["--json"], command: "verify")
    #expect(
      try verified.verdicts().values.contains { $0["status"]?.text == "unreachable" }, "\(verified.text)")
  }

  @Test func `a bucket that is gone has one line with the number of its vaults`() throws {
    let machine = try Machine.withBucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(
      try machine.watch(["status", "--target", bucket, "--recursive", "--write-expected", list]).status == 0)
    try machine.remove("bucket")
    let verified = try machine.watch(["verify", "--expected", list], status: 60)
    let warnings = verified.errors.split(separator: "\n").filter { $0.contains("not verified") }
    #expect(
      warnings.count == 1 && warnings[0].contains("all 2 targets in \(bucket), with 2 vaults"), "\(warnings)")
    for run in [verified, try machine.watch(["status", "--expected", list])] {
      let rows = run.text.split(separator: "\n").filter { $0.hasPrefix("unreachable ") }
      #expect(rows.count == 1 && rows[0].contains("2 vaults") && rows[0].contains(bucket), "\(run.text)")
    }
    let all = try machine.watch(["status", "--expected", list, "--verbose"])
    #expect(all.text.split(separator: "\n").count { $0.hasPrefix("unreachable ") } == 2, "\(all.text)")
    #expect(try machine.watch(["status", "--expected", list, "--json"]).verdicts().count == 2)
  }

  @Test func `a foreign vault whose newest archive is damaged is both`() throws {
    let machine = try Machine.withBucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(
      try machine.watch(["status", "--target", bucket + "/alice", "--write-expected", list]).status == 0)
    try machine.damage("bucket/bob/b.fueki")
    let verified = try machine.watch(["verify", bucket, "--recursive", "--expected", list])
    let run = try machine.watch(["status", "--target", bucket, "--recursive", "--expected", list])
    #expect(verified.status == 20 && run.status == 60)
    for text in [verified.text, run.text] {
      let row = text.split(separator: "\n").first { $0.hasPrefix("foreign ") }
      #expect(row?.contains("damaged: number ") == true, "\(text)")
    }
    let json = try machine.watch(["status", "--target", bucket, "--recursive", "--expected", list, "--json"])
    let foreign = try json.verdicts().values.first { $0["status"]?.text == "foreign" }
    #expect(
      foreign?["problems"]?.elements.map { $0["status"]?.text } == ["foreign", "damaged"], "\(json.text)")
  }

  @Test func `an archive that another key signed is not called missing or broken`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    let list = machine.path("list.toml")
    let target = ["--target", machine.target]
    #expect(try machine.watch(["status"] + target + ["--write-expected", list]).status == 0)
    let text = try machine.text("list.toml")
    let changed = text.replacing(
      /signers = \["[0-9a-f]+"\]/, with: "signers = [\"\(String(repeating: "ab", count: 32))\"]")
    try #require(changed != text, "\(text)")
    try machine.write(changed, to: "list.toml")
    let run = try machine.watch(["status", "--expected", list] + target)
    #expect(run.status == 60 && run.text.contains(" signed by another key "), "\(run.text)\(run.errors)")
    let json = try machine.watch(["status", "--expected", list, "--json"] + target)
    #expect(try json.verdicts().values.map { $0["newest"]?.text } == ["other-signer"], "\(json.text)")
  }

  @Test func `a damaged archive is found here where the machine knows the vault`() throws {
    let machine = try Machine.withBucket()
    let list = machine.path("list.toml")
    let target = ["--target", machine.target]
    #expect(try machine.watch(["status"] + target + ["--write-expected", list]).status == 0)
    let newest = try #require(machine.archives().last)
    try machine.damage(newest)
    #expect(try machine.run(["verify", machine.target]).status == 20)
    let run = try machine.run(["status", "--expected", list, "--json"] + target, status: 60)
    #expect(try run.verdicts().values.map { $0["status"]?.text } == ["damaged"], "\(run.text)")
  }
}
