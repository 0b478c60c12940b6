import FuekiSystem
import Glibc
import TestSupport
import Testing

/// `status --expected`: the list of the vaults that should be backed up.
struct ExpectedVaultTests {
  /// A watcher: a machine without a state, which only sees the folders.
  private func watch(
    _ machine: Machine, _ arguments: [String], command: String = "status", through: [String] = []
  ) throws -> RunResult {
    try machine.run(
      [command] + arguments, through: through,
      environment: ["FUEKI_STATE": machine.path("watcher"), "FUEKI_DATADIR": machine.path("no-data")])
  }

  /// Runs a program without root's right to read every file.
  private static let unprivileged =
    geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  private static let canBeUnprivileged =
    unprivileged.isEmpty || Installed.runs("/usr/bin/setpriv", [unprivileged[1], "/bin/true"])

  private func verdicts(_ run: RunResult) throws -> [String: JSONValue] {
    let all = try run.json()["expected"]?.elements ?? []
    return Dictionary(all.map { ($0["vault"]?.text ?? "", $0) }) { $1 }
  }

  /// A machine whose vault's archives are in `bucket/alice`, and another vault's in `bucket/bob`.
  private func bucket() throws -> Machine {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    try Directory.makePrivateDirectories(machine.path("bucket/bob"))
    try machine.copy("target", to: "bucket/alice")
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: "bucket/bob/b.fueki")
    return machine
  }

  @Test func `a list made from what is there finds all of it, and then what is missing, foreign or late`()
    throws
  {
    let machine = try bucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    let made = try watch(
      machine, ["--target", bucket, "--recursive", "--write-expected", list])
    #expect(made.status == 0, "\(made.text)\(made.errors)")
    let folder = try Directory.open(machine.path("."))
    #expect(try folder.status(of: "list.toml").permissions == 0o600)
    let text = String(decoding: try machine.read("list.toml"), as: UTF8.self)
    #expect(text.hasPrefix("# fueki/1 expected vaults\n") && text.contains("target = \"\(bucket)/alice\""))

    // Without another option the list's own targets are read.
    let well = try watch(machine, ["--expected", list, "--json"])
    #expect(well.status == 0, "\(well.text)\(well.errors)")
    #expect(try verdicts(well).values.map { $0["status"]?.text } == ["ok", "ok"])
    #expect(try watch(machine, ["--expected", list]).text.hasPrefix("All 2 expected vaults are well."))

    try machine.write(
      text.replacing("target = ", with: "owner = \"The desk\"\nmax_age = \"1s\"\ntarget = "),
      to: "strict.toml")
    let late = try watch(machine, ["--expected", machine.path("strict.toml"), "--json"])
    let lateVerdicts = try verdicts(late)
    #expect(late.status == 60 && lateVerdicts.values.allSatisfy { $0["owner"]?.text == "The desk" })
    #expect(lateVerdicts.values.contains { $0["status"]?.text == "late" })

    try machine.remove("bucket/bob/b.fueki")
    try machine.copy("bucket/alice", to: "bucket/carol")
    let missing = try watch(machine, ["--target", bucket, "--recursive", "--expected", list, "--json"])
    let words = try verdicts(missing).values.compactMap { $0["status"]?.text }.sorted()
    #expect(missing.status == 60 && words == ["missing", "ok"], "\(missing.text)\(missing.errors)")
    // Where only the other folder is read, nothing is claimed of this one.
    let part = try watch(machine, ["--target", bucket + "/alice", "--expected", list, "--json"])
    #expect(part.status == 0 && part.errors.contains("1 vault of the list"), "\(part.text)\(part.errors)")
    #expect(try verdicts(part).count == 1)
  }

  @Test func `a vault that is not in the list is foreign, and problems come first`() throws {
    let machine = try bucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(
      try watch(machine, ["--target", bucket + "/alice", "--write-expected", list]).status == 0)
    let run = try watch(
      machine,
      [
        "--target", bucket, "--recursive", "--expected", list, "--html", machine.path("page.html"),
        "--prometheus",
      ]
        + [machine.path("fueki.prom")])
    #expect(
      run.status == 60 && run.text.hasPrefix("The only expected vault is well. 1 vault is not in the list."))
    var rows = run.text.split(separator: "\n").dropFirst(2)
    #expect(rows.popLast()?.hasPrefix("Only the beginning and the end of each archive were read") == true)
    #expect(rows.count == 1 && rows.first?.hasPrefix("foreign ") == true, "\(run.text)")
    let all = try watch(machine, ["--target", bucket, "--recursive", "--expected", list, "--verbose"])
    rows = all.text.split(separator: "\n").dropFirst(2)
    #expect(rows.first?.hasPrefix("foreign ") == true && rows.dropFirst().first?.hasPrefix("ok ") == true)
    #expect(all.text.contains("DRILLED"), "\(all.text)")
    let page = String(decoding: try machine.read("page.html"), as: UTF8.self)
    #expect(page.contains("<h2 id=\"expected\">") && page.contains("foreign"))
    #expect(
      page.contains("class=\"verdict bad\">The only expected vault is well. 1 vault is not in the list."))
    let script = try #require(page.firstMatch(of: /<script>([^<]*)<\/script>/)?.output.1)
    let digest = try BuiltBinary.run(
      program: "/usr/bin/python3",
      [
        "-c",
        "import base64, hashlib, sys; print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())",
      ], stdin: Array(script.utf8))
    #expect(
      digest.text.count > 40 && page.contains("script-src 'sha256-\(digest.text.prefix { $0 != "\n" })'"))
    for forbidden in ["http://", "https://", "src=", "url(", "@import", "onclick"] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    let metrics = String(decoding: try machine.read("fueki.prom"), as: UTF8.self)
    #expect(metrics.contains("fueki_backup_expected_problem{") && metrics.contains("status=\"foreign\"} 1"))
    let only = try watch(
      machine, ["--target", bucket, "--recursive", "--expected", list, "--problems-only", "--json"])
    #expect(try verdicts(only).count == 1 && only.status == 60)
    let lines = try watch(
      machine, ["--target", bucket, "--recursive", "--expected", list, "--problems-only"])
    #expect(!lines.text.contains("\nok ") && !lines.text.contains("DRILLED"), "\(lines.text)")
  }

  @Test func `a vault's line has the reason: a folder that is gone, or a file that is cut`() throws {
    let machine = try bucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(try watch(machine, ["--target", bucket, "--recursive", "--write-expected", list]).status == 0)
    let whole = try machine.read("bucket/bob/b.fueki")
    try machine.write(Array(whole.dropLast(whole.count / 3)), to: "bucket/bob/b.fueki")
    try machine.remove("bucket/alice")
    let run = try watch(machine, ["--expected", list])
    #expect(run.status == 60)
    #expect(
      run.text.hasPrefix("2 of 2 expected vaults have problems: 1 unreachable, 1 incomplete."), "\(run.text)")
    let lines = run.text.split(separator: "\n").dropFirst(2).dropLast()
    #expect(lines.count == 2, "\(run.text)")
    #expect(lines.first?.contains("its target cannot be read: target not found: \(bucket)/alice") == true)
    // As list and verify call it.
    #expect(lines.last?.hasPrefix("incomplete ") == true && lines.last?.contains("is incomplete") == true)
    #expect(try machine.run(["list", bucket + "/bob"]).text.contains("incomplete "))
    #expect(try machine.run(["verify", bucket + "/bob"]).text.hasPrefix("incomplete: b.fueki"))
    let unlisted = try watch(machine, ["--target", bucket + "/bob"])
    #expect(unlisted.status == 60 && !unlisted.text.contains("All is well"), "\(unlisted.text)")
    #expect(unlisted.text.contains("PROBLEM: b.fueki is incomplete"), "\(unlisted.text)")
    let other = try watch(machine, ["--expected", machine.path("none.toml")])
    #expect(other.status == 64 && other.errors.contains("error: \(machine.path("none.toml")): no such file"))
    #expect(other.errors.contains("fueki-backup-status(1)") && !other.errors.contains("config(5)"))
  }

  @Test(.enabled(if: canBeUnprivileged, "root cannot give up its rights here"))
  func `a file that may not be read is not missing`() throws {
    let machine = try bucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(try watch(machine, ["--target", bucket, "--recursive", "--write-expected", list]).status == 0)
    let closed = try BuiltBinary.run(program: "/bin/chmod", ["000", bucket + "/bob/b.fueki"])
    try #require(closed.status == 0, "\(closed.errors)")
    func look(_ arguments: [String], command: String = "status") throws -> RunResult {
      try watch(machine, ["--expected", list] + arguments, command: command, through: Self.unprivileged)
    }
    let run = try look(["--html", machine.path("page.html")])
    #expect(run.status == 60 && run.text.contains(": 1 unreachable."), "\(run.text)\(run.errors)")
    let row = run.text.split(separator: "\n").first { $0.hasPrefix("unreachable ") }
    #expect(
      row?.contains("b.fueki: permission denied") == true && row?.contains(" unknown ") == true, "\(run.text)"
    )
    let page = String(decoding: try machine.read("page.html"), as: UTF8.self)
    #expect(page.contains(">unknown</td>"), "\(page)")
    let json = try look(["--json"])
    let words = try verdicts(json).values.map { [$0["status"]?.text, $0["newest"]?.text] }
    #expect(words.contains(["unreachable", "unknown"]) && words.contains(["ok", "whole"]), "\(json.text)")
    let verified = try look(["--json"], command: "verify")
    #expect(
      try verdicts(verified).values.contains { $0["status"]?.text == "unreachable" }, "\(verified.text)")
  }

  @Test func `a bucket that is gone has one line with the number of its vaults`() throws {
    let machine = try bucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(try watch(machine, ["--target", bucket, "--recursive", "--write-expected", list]).status == 0)
    try machine.remove("bucket")
    let verified = try watch(machine, ["--expected", list], command: "verify")
    #expect(verified.status == 60)
    let warnings = verified.errors.split(separator: "\n").filter { $0.contains("not verified") }
    #expect(
      warnings.count == 1 && warnings[0].contains("all 2 targets in \(bucket), with 2 vaults"), "\(warnings)")
    for run in [verified, try watch(machine, ["--expected", list])] {
      let rows = run.text.split(separator: "\n").filter { $0.hasPrefix("unreachable ") }
      #expect(rows.count == 1 && rows[0].contains("2 vaults") && rows[0].contains(bucket), "\(run.text)")
    }
    let all = try watch(machine, ["--expected", list, "--verbose"])
    #expect(all.text.split(separator: "\n").count { $0.hasPrefix("unreachable ") } == 2, "\(all.text)")
    #expect(try verdicts(watch(machine, ["--expected", list, "--json"])).count == 2)
  }

  @Test func `a foreign vault whose newest archive is damaged is both`() throws {
    let machine = try bucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(try watch(machine, ["--target", bucket + "/alice", "--write-expected", list]).status == 0)
    var bytes = try machine.read("bucket/bob/b.fueki")
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: "bucket/bob/b.fueki")
    let verified = try watch(
      machine, [bucket, "--recursive", "--expected", list], command: "verify")
    let run = try watch(machine, ["--target", bucket, "--recursive", "--expected", list])
    #expect(verified.status == 20 && run.status == 60)
    for text in [verified.text, run.text] {
      let row = text.split(separator: "\n").first { $0.hasPrefix("foreign ") }
      #expect(row?.contains("damaged: number ") == true, "\(text)")
    }
    let json = try watch(machine, ["--target", bucket, "--recursive", "--expected", list, "--json"])
    let foreign = try verdicts(json).values.first { $0["status"]?.text == "foreign" }
    #expect(
      foreign?["problems"]?.elements.map { $0["status"]?.text } == ["foreign", "damaged"], "\(json.text)")
  }

  @Test func `an archive that another key signed is not called missing or broken`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    let list = machine.path("list.toml")
    let target = ["--target", machine.target]
    #expect(try watch(machine, target + ["--write-expected", list]).status == 0)
    let text = String(decoding: try machine.read("list.toml"), as: UTF8.self)
    let changed = text.replacing(
      /signers = \["[0-9a-f]+"\]/, with: "signers = [\"\(String(repeating: "ab", count: 32))\"]")
    try #require(changed != text, "\(text)")
    try machine.write(changed, to: "list.toml")
    let run = try watch(machine, ["--expected", list] + target)
    #expect(run.status == 60 && run.text.contains(" signed by another key "), "\(run.text)\(run.errors)")
    let json = try watch(machine, ["--expected", list, "--json"] + target)
    #expect(try verdicts(json).values.map { $0["newest"]?.text } == ["other-signer"], "\(json.text)")
  }

  @Test func `a damaged archive is found here where the machine knows the vault`() throws {
    let machine = try bucket()
    let list = machine.path("list.toml")
    let target = ["--target", machine.target]
    #expect(try watch(machine, target + ["--write-expected", list]).status == 0)
    let newest = try #require(machine.archives().last)
    var bytes = try machine.read(newest)
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: newest)
    #expect(try machine.run(["verify", machine.target]).status == 20)
    let run = try machine.run(["status", "--expected", list, "--json"] + target)
    #expect(run.status == 60)
    #expect(try verdicts(run).values.map { $0["status"]?.text } == ["damaged"], "\(run.text)")
  }

  @Test func `a list is signed, and refused if another key signed it or it was changed`() throws {
    let machine = try bucket()
    let list = machine.path("list.toml")
    #expect(
      try watch(
        machine, ["--target", machine.path("bucket"), "--recursive", "--write-expected", list]
      ).status == 0)
    for name in ["desk", "other"] {
      let key = try machine.run([
        "key", "new-signer", "--no-passphrase", "--output", machine.path("\(name).key"),
      ])
      #expect(key.status == 0, "\(key.errors)")
    }
    let judged = ["--expected", list, "--expected-signer"]
    let (desk, other) = (machine.path("desk.pub"), machine.path("other.pub"))
    #expect(try watch(machine, judged + [desk]).status == 23)
    let signed = try machine.run(["key", "sign", list, "--sign-key", machine.path("desk.key")])
    #expect(signed.status == 0, "\(signed.errors)")
    #expect(try watch(machine, judged + [desk]).status == 0)
    #expect(try watch(machine, judged + [other, "--expected-signer", desk]).status == 0)
    #expect(try watch(machine, judged + [other]).status == 23)
    try machine.write(try machine.read("list.toml") + Array("# one more line\n".utf8), to: "list.toml")
    let changed = try watch(machine, judged + [desk])
    #expect(changed.status == 23 && changed.errors.contains("was changed since"), "\(changed.errors)")
  }

  @Test func `a list whose signature is not required is reported once, and not with quiet`() throws {
    let machine = try bucket()
    let list = machine.path("list.toml")
    let bucket = ["--target", machine.path("bucket"), "--recursive"]
    #expect(try watch(machine, bucket + ["--write-expected", list]).status == 0)
    let key = machine.path("desk")
    let made = try machine.run(["key", "new-signer", "--no-passphrase", "--output", "\(key).key"])
    try #require(made.status == 0, "\(made.errors)")
    func signature(_ options: [String] = [], command: String = "status") throws -> String? {
      try watch(machine, ["--expected", list, "--json"] + options, command: command)
        .json()["expected_signature"]?.text
    }
    #expect(try signature() == "unsigned" && signature(command: "verify") == "unsigned")
    let unsigned = try watch(machine, ["--expected", list])
    #expect(unsigned.status == 0 && unsigned.errors.split(separator: "\n").count == 1, "\(unsigned.errors)")
    #expect(unsigned.errors.contains("list.toml: it is not signed, so anyone who can change the file"))
    #expect(try machine.run(["key", "sign", list, "--sign-key", "\(key).key"]).status == 0)
    let unchecked = try watch(machine, ["--expected", list])
    #expect(unchecked.status == 0 && unchecked.errors.contains("its signature was not checked"))
    #expect(try signature() == "not-checked" && signature(command: "verify") == "not-checked")
    let demanded = ["--expected-signer", "\(key).pub"]
    #expect(try signature(demanded) == "verified" && signature(demanded, command: "verify") == "verified")
    let checked = try watch(machine, ["--expected", list, "--expected-signer", "\(key).pub"])
    #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
    // For a job of cron: nothing if all is well, and only the problems if not.
    let quiet = try watch(machine, ["--expected", list, "--quiet"])
    #expect(quiet.status == 0 && quiet.text.isEmpty && quiet.errors.isEmpty, "\(quiet.text)\(quiet.errors)")
    try machine.remove("bucket/bob/b.fueki")
    let troubled = try watch(machine, ["--expected", list, "--quiet"])
    let lines = troubled.text.split(separator: "\n")
    #expect(troubled.status == 60 && troubled.errors.isEmpty && lines.count == 2, "\(troubled.text)")
    #expect(lines.first?.hasPrefix("STATUS ") == true && lines.last?.hasPrefix("missing ") == true)
  }

  @Test func `a list that others can change is refused, with what they could do`() throws {
    let machine = try bucket()
    let list = machine.path("list.toml")
    #expect(try watch(machine, ["--target", machine.target, "--write-expected", list]).status == 0)
    let opened = try BuiltBinary.run(program: "/bin/chmod", ["666", list])
    try #require(opened.status == 0, "\(opened.errors)")
    let run = try watch(machine, ["--expected", list])
    #expect(run.status == 64 && run.errors.contains("can remove a vault from the list"), "\(run.errors)")
  }

  @Test func `without a home directory, the advice names variables`() throws {
    let machine = try bucket()
    let run = try machine.run(
      ["status", "--target", machine.target],
      environment: ["HOME": "", "FUEKI_STATE": "", "XDG_STATE_HOME": "", "FUEKI_DATADIR": ""])
    #expect(run.status == 64, "\(run.text)\(run.errors)")
    #expect(
      run.errors.contains("set HOME, XDG_STATE_HOME or FUEKI_STATE in the environment"), "\(run.errors)")
    #expect(!run.errors.contains("--datadir"), "\(run.errors)")
  }

  @Test func `a slash after a directory makes no other target`() throws {
    let machine = try bucket()
    let list = machine.path("list.toml")
    let alice = machine.path("bucket/alice")
    #expect(try watch(machine, ["--target", alice + "/", "--write-expected", list]).status == 0)
    let text = String(decoding: try machine.read("list.toml"), as: UTF8.self)
    #expect(text.contains("target = \"\(alice)\""), "\(text)")
    try machine.write(text.replacing(alice, with: alice + "//"), to: "list.toml")
    for target in [[], ["--target", alice], ["--target", alice + "/"]] {
      #expect(try watch(machine, ["--expected", list] + target).status == 0, "\(target)")
    }
    try machine.remove("bucket/alice")
    let gone = try watch(machine, ["--expected", list, "--target", alice, "--json"])
    #expect(try verdicts(gone).values.map { $0["status"]?.text } == ["unreachable"], "\(gone.text)")
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `a slash after a remote makes no other target, for a list and for this machine's record`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let name = try #require(machine.archives().last?.split(separator: "/").last)
    try machine.copy("target/\(name)", to: "remote/wallet/\(name)")
    let list = machine.path("list.toml")
    let own = ["FUEKI_STATE": machine.path("watcher"), "FUEKI_DATADIR": machine.path("no-data")]
    func run(_ arguments: [String]) throws -> RunResult {
      try machine.run(arguments, environment: own.merging(remote.environment) { $1 })
    }
    #expect(try run(["status", "--target", remote.target + "/", "--write-expected", list]).status == 0)
    let text = String(decoding: try machine.read("list.toml"), as: UTF8.self)
    try machine.write(text.replacing(remote.target, with: remote.target + "/"), to: "list.toml")
    for target in [[], ["--target", remote.target], ["--target", remote.target + "/"]] {
      #expect(try run(["status", "--expected", list] + target).status == 0, "\(target)")
    }
    var bytes = try machine.read("remote/wallet/\(name)")
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: "remote/wallet/\(name)")
    #expect(try run(["verify", remote.target + "/"]).status == 20)
    #expect(try run(["status", "--target", remote.target]).status == 60)

    // The remote's own folder, with and without a slash.
    let root = "rclone:local:"
    try machine.write(
      text.replacing("\"\(remote.target)\"", with: "\"\(root)/\""), to: "list.toml")
    let other = try run(["status", "--expected", list, "--target", root, "--json"])
    #expect(
      try verdicts(other).values.map { $0["status"]?.text } == ["missing"], "\(other.text)\(other.errors)")
  }

  @Test func `a list is never written over a file, nor from a target that cannot be read`() throws {
    let machine = try bucket()
    try machine.write("mine", to: "list.toml")
    let list = ["--write-expected", machine.path("list.toml")]
    #expect(try watch(machine, ["--target", machine.target] + list).status == 40)
    #expect(try machine.read("list.toml") == Array("mine".utf8))
    try machine.remove("list.toml")
    let part = try watch(machine, ["--target", machine.target, "--target", machine.path("away")] + list)
    #expect(part.status != 0 && !machine.exists("list.toml"), "\(part.errors)")
  }

  @Test(arguments: [
    ("[[vault]]\nid = \"12\"\n", "line 2"), ("[[vault]]\nname = \"a\"\n", "line 2"),
    ("[[vault]]\nid = \"$A\"\n[[vault]]\nid = \"$A\"\n", "line 4"), ("", "no [[vault]]"),
    ("[[target]]\npath = \"a\"\n", "line 1"), ("[[vault]]\nid = \"$A\"\nmax_age = \"soon\"\n", "line 3"),
    ("[[vault]]\nid = \"$A\"\nsigners = [\"soon\"]\n", "line 3"),
  ])
  func `a list with a fault names its line`(_ text: String, _ words: String) throws {
    let machine = try Machine()
    let id = String(repeating: "ab", count: 16)
    try machine.write(text.replacing("$A", with: id), to: "list.toml")
    let run = try watch(machine, ["--target", machine.target, "--expected", machine.path("list.toml")])
    #expect(run.status == 64 && run.errors.contains(words), "\(run.status) \(run.errors)")
  }

  @Test func `a signer without a list is wrong usage`() throws {
    let machine = try Machine()
    let key = String(repeating: "ab", count: 32)
    #expect(try watch(machine, ["--target", machine.target, "--expected-signer", key]).status == 64)
  }
}
