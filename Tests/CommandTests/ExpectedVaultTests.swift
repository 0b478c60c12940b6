import FuekiSystem
import Glibc
import TestSupport
import Testing

/// `status --expected`: the list of the vaults that should be backed up.
struct ExpectedVaultTests {
  @Test func `a list made from what is there finds all of it, and then what is missing, foreign or late`()
    throws
  {
    let machine = try Machine.withBucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    try machine.watch(["status", "--target", bucket, "--recursive", "--write-expected", list], status: 0)
    let folder = try Directory.open(machine.path("."))
    #expect(try folder.status(of: "list.toml").permissions == 0o600)
    let text = try machine.text("list.toml")
    #expect(text.hasPrefix("# fueki/1 expected vaults\n") && text.contains("target = \"bucket/alice\""))

    // Without another option the list's own targets are read.
    let well = try machine.watch(["status", "--expected", list, "--json"], status: 0)
    #expect(try well.verdicts().values.map { $0["status"]?.text } == ["ok", "ok"])
    #expect(
      try machine.watch(["status", "--expected", list]).text.hasPrefix("All 2 expected vaults are well."))

    try machine.write(
      text.replacing("target = ", with: "owner = \"The desk\"\nmax_age = \"1s\"\ntarget = "),
      to: "strict.toml")
    let late = try machine.watch(["status", "--expected", machine.path("strict.toml"), "--json"])
    let lateVerdicts = try late.verdicts()
    #expect(late.status == 60 && lateVerdicts.values.allSatisfy { $0["owner"]?.text == "The desk" })
    #expect(lateVerdicts.values.contains { $0["status"]?.text == "late" })

    try machine.remove("bucket/bob/b.fueki")
    try machine.copy("bucket/alice", to: "bucket/carol")
    let missing = try machine.watch([
      "status", "--target", bucket, "--recursive", "--expected", list, "--json",
    ])
    let words = try missing.verdicts().values.compactMap { $0["status"]?.text }.sorted()
    #expect(missing.status == 60 && words == ["missing", "ok"], "\(missing.text)\(missing.errors)")
    // Where only the other folder is read, nothing is claimed of this one.
    let part = try machine.watch(["status", "--target", bucket + "/alice", "--expected", list, "--json"])
    #expect(part.status == 0 && part.errors.contains("1 vault of the list"), "\(part.text)\(part.errors)")
    #expect(try part.verdicts().count == 1)
  }

  @Test func `a vault that is not in the list is foreign, and problems come first`() throws {
    let machine = try Machine.withBucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(
      try machine.watch(["status", "--target", bucket + "/alice", "--write-expected", list]).status == 0)
    let run = try machine.watch(
      [
        "status",
        "--target", bucket, "--recursive", "--expected", list, "--html", machine.path("page.html"),
        "--prometheus",
      ]
        + [machine.path("fueki.prom")])
    #expect(
      run.status == 60 && run.text.hasPrefix("The only expected vault is well. 1 vault is not in the list."))
    var rows = run.text.split(separator: "\n").dropFirst(2)
    #expect(rows.popLast()?.hasPrefix("Only the beginning and the end of each archive were read") == true)
    #expect(rows.count == 1 && rows.first?.hasPrefix("foreign ") == true, "\(run.text)")
    let all = try machine.watch([
      "status", "--target", bucket, "--recursive", "--expected", list, "--verbose",
    ])
    rows = all.text.split(separator: "\n").dropFirst(2)
    #expect(rows.first?.hasPrefix("foreign ") == true && rows.dropFirst().first?.hasPrefix("ok ") == true)
    #expect(all.text.contains("DRILLED"), "\(all.text)")
    let page = try machine.text("page.html")
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
    let metrics = try machine.text("fueki.prom")
    #expect(metrics.contains("fueki_backup_expected_problem{") && metrics.contains("status=\"foreign\"} 1"))
    let only = try machine.watch([
      "status", "--target", bucket, "--recursive", "--expected", list, "--problems-only", "--json",
    ])
    #expect(try only.verdicts().count == 1 && only.status == 60)
    let lines = try machine.watch([
      "status", "--target", bucket, "--recursive", "--expected", list, "--problems-only",
    ])
    #expect(!lines.text.contains("\nok ") && !lines.text.contains("DRILLED"), "\(lines.text)")
  }

  @Test func `a vault's line has the reason: a folder that is gone, or a file that is cut`() throws {
    let machine = try Machine.withBucket()
    let (list, bucket) = (machine.path("list.toml"), machine.path("bucket"))
    #expect(
      try machine.watch(["status", "--target", bucket, "--recursive", "--write-expected", list]).status == 0)
    let whole = try machine.read("bucket/bob/b.fueki")
    try machine.write(Array(whole.dropLast(whole.count / 3)), to: "bucket/bob/b.fueki")
    try machine.remove("bucket/alice")
    let run = try machine.watch(["status", "--expected", list], status: 60)
    #expect(
      run.text.hasPrefix("2 of 2 expected vaults have problems: 1 unreachable, 1 incomplete."), "\(run.text)")
    let lines = run.text.split(separator: "\n").dropFirst(2).dropLast()
    #expect(lines.count == 2, "\(run.text)")
    #expect(lines.first?.contains("its target cannot be read: target not found: \(bucket)/alice") == true)
    // As list and verify call it.
    #expect(lines.last?.hasPrefix("incomplete ") == true && lines.last?.contains("is incomplete") == true)
    #expect(try machine.run(["list", bucket + "/bob"]).text.contains("incomplete "))
    #expect(try machine.run(["verify", bucket + "/bob"]).text.hasPrefix("incomplete: b.fueki"))
    let unlisted = try machine.watch(["status", "--target", bucket + "/bob"])
    #expect(unlisted.status == 60 && !unlisted.text.contains("All is well"), "\(unlisted.text)")
    #expect(unlisted.text.contains("PROBLEM: b.fueki is incomplete"), "\(unlisted.text)")
    let other = try machine.watch(["status", "--expected", machine.path("none.toml")])
    #expect(other.status == 64 && other.errors.contains("error: \(machine.path("none.toml")): no such file"))
    #expect(other.errors.contains("fueki-backup-status(1)") && !other.errors.contains("config(5)"))
  }

  @Test func `a list is signed, and refused if another key signed it or it was changed`() throws {
    let machine = try Machine.withBucket()
    let list = machine.path("list.toml")
    #expect(
      try machine.watch([
        "status", "--target", machine.path("bucket"), "--recursive", "--write-expected", list,
      ]
      ).status == 0)
    for name in ["desk", "other"] {
      let key = try machine.run([
        "key", "new-signer", "--no-passphrase", "--output", machine.path("\(name).key"),
      ])
      #expect(key.status == 0, "\(key.errors)")
    }
    let judged = ["--expected", list, "--expected-signer"]
    let (desk, other) = (machine.path("desk.pub"), machine.path("other.pub"))
    #expect(try machine.watch(["status"] + judged + [desk]).status == 23)
    try machine.run(["key", "sign", list, "--sign-key", machine.path("desk.key")], status: 0)
    #expect(try machine.watch(["status"] + judged + [desk]).status == 0)
    #expect(try machine.watch(["status"] + judged + [other, "--expected-signer", desk]).status == 0)
    #expect(try machine.watch(["status"] + judged + [other]).status == 23)
    try machine.write(try machine.read("list.toml") + Array("# one more line\n".utf8), to: "list.toml")
    let changed = try machine.watch(["status"] + judged + [desk])
    #expect(changed.status == 23 && changed.errors.contains("was changed since"), "\(changed.errors)")
  }

  @Test func `an older signed list is refused where a newer one was seen`() throws {
    let machine = try Machine.withBucket()
    let list = machine.path("list.toml")
    let bucket = ["--target", machine.path("bucket"), "--recursive"]
    #expect(try machine.watch(["status"] + bucket + ["--write-expected", list]).status == 0)
    let key = machine.path("desk")
    try #require(
      machine.run(["key", "new-signer", "--no-passphrase", "--output", "\(key).key"]).status == 0)
    func sign() throws {
      #expect(try machine.run(["key", "sign", list, "--sign-key", "\(key).key"]).status == 0)
    }
    let judged = ["--expected", list, "--expected-signer", "\(key).pub"]
    try sign()
    let old = (try machine.read("list.toml"), try machine.read("list.toml.minisig"))
    let first = try machine.watch(["status"] + judged)
    #expect(first.status == 0 && first.errors.contains("list.toml: signed at 2"), "\(first.errors)")
    // The date has seconds.
    SystemClock.sleep(seconds: 1.1)
    try machine.write(old.0 + Array("# one vault more\n".utf8), to: "list.toml")
    try sign()
    for _ in 0..<2 { #expect(try machine.watch(["status"] + judged).status == 0) }
    try machine.write(old.0, to: "list.toml")
    try machine.write(old.1, to: "list.toml.minisig")
    for command in ["status", "verify"] {
      let refused = try machine.watch([command] + judged)
      #expect(
        refused.status == 24 && refused.errors.contains("this machine has seen the list of"),
        "\(refused.errors)")
    }
  }

  @Test func `a list whose signature is not required is reported once, and not with quiet`() throws {
    let machine = try Machine.withBucket()
    let list = machine.path("list.toml")
    let bucket = ["--target", machine.path("bucket"), "--recursive"]
    #expect(try machine.watch(["status"] + bucket + ["--write-expected", list]).status == 0)
    let key = machine.path("desk")
    try machine.run(["key", "new-signer", "--no-passphrase", "--output", "\(key).key"], status: 0)
    func signature(_ options: [String] = [], command: String = "status") throws -> String? {
      try machine.watch([command, "--expected", list, "--json"] + options)
        .json()["expected_signature"]?.text
    }
    #expect(try signature() == "unsigned" && signature(command: "verify") == "unsigned")
    let unsigned = try machine.watch(["status", "--expected", list])
    #expect(unsigned.status == 0 && unsigned.errors.split(separator: "\n").count == 1, "\(unsigned.errors)")
    #expect(unsigned.errors.contains("list.toml: it is not signed, so anyone who can change the file"))
    #expect(try machine.run(["key", "sign", list, "--sign-key", "\(key).key"]).status == 0)
    let unchecked = try machine.watch(["status", "--expected", list])
    #expect(unchecked.status == 0 && unchecked.errors.contains("its signature was not checked"))
    #expect(try signature() == "not-checked" && signature(command: "verify") == "not-checked")
    let demanded = ["--expected-signer", "\(key).pub"]
    #expect(try signature(demanded) == "verified" && signature(demanded, command: "verify") == "verified")
    let checked = try machine.watch(["status", "--expected", list, "--expected-signer", "\(key).pub"])
    #expect(checked.status == 0 && checked.errors.split(separator: "\n").count == 1, "\(checked.errors)")
    // For a job of cron: nothing if all is well, and only the problems if not.
    let quiet = try machine.watch(["status", "--expected", list, "--quiet"])
    #expect(quiet.status == 0 && quiet.text.isEmpty && quiet.errors.isEmpty, "\(quiet.text)\(quiet.errors)")
    try machine.remove("bucket/bob/b.fueki")
    let troubled = try machine.watch(["status", "--expected", list, "--quiet"])
    let lines = troubled.text.split(separator: "\n")
    #expect(troubled.status == 60 && troubled.errors.isEmpty && lines.count == 2, "\(troubled.text)")
    #expect(lines.first?.hasPrefix("STATUS ") == true && lines.last?.hasPrefix("missing ") == true)
  }

  @Test func `a list that others can change is refused, with what they could do`() throws {
    let machine = try Machine.withBucket()
    let list = machine.path("list.toml")
    #expect(try machine.watch(["status", "--target", machine.target, "--write-expected", list]).status == 0)
    try BuiltBinary.run(program: "/bin/chmod", ["666", list]).expect(0)
    let run = try machine.watch(["status", "--expected", list])
    #expect(run.status == 64 && run.errors.contains("can remove a vault from the list"), "\(run.errors)")
  }

  @Test func `without a home directory, the advice names variables`() throws {
    let machine = try Machine.withBucket()
    let run = try machine.run(
      ["status", "--target", machine.target],
      environment: ["HOME": "", "FUEKI_STATE": "", "XDG_STATE_HOME": "", "FUEKI_DATADIR": ""], status: 64)
    #expect(
      run.errors.contains("set HOME, XDG_STATE_HOME or FUEKI_STATE in the environment"), "\(run.errors)")
    #expect(!run.errors.contains("--datadir"), "\(run.errors)")
  }

  @Test func `a slash after a directory makes no other target`() throws {
    let machine = try Machine.withBucket()
    let list = machine.path("list.toml")
    let alice = machine.path("bucket/alice")
    #expect(try machine.watch(["status", "--target", alice + "/", "--write-expected", list]).status == 0)
    let text = try machine.text("list.toml")
    #expect(text.contains("target = \"bucket/alice\""), "\(text)")
    try machine.write(text.replacing("bucket/alice", with: "bucket/alice//"), to: "list.toml")
    for target in [[], ["--target", alice], ["--target", alice + "/"]] {
      #expect(try machine.watch(["status", "--expected", list] + target).status == 0, "\(target)")
    }
    try machine.remove("bucket/alice")
    let gone = try machine.watch(["status", "--expected", list, "--target", alice, "--json"])
    #expect(try gone.verdicts().values.map { $0["status"]?.text } == ["unreachable"], "\(gone.text)")
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
    let text = try machine.text("list.toml")
    try machine.write(text.replacing(remote.target, with: remote.target + "/"), to: "list.toml")
    for target in [[], ["--target", remote.target], ["--target", remote.target + "/"]] {
      #expect(try run(["status", "--expected", list] + target).status == 0, "\(target)")
    }
    try machine.damage("remote/wallet/\(name)")
    #expect(try run(["verify", remote.target + "/"]).status == 20)
    #expect(try run(["status", "--target", remote.target]).status == 60)

    // The remote's own folder, with and without a slash.
    let root = "rclone:local:"
    try machine.write(
      text.replacing("\"\(remote.target)\"", with: "\"\(root)/\""), to: "list.toml")
    let other = try run(["status", "--expected", list, "--target", root, "--json"])
    #expect(
      try other.verdicts().values.map { $0["status"]?.text } == ["missing"], "\(other.text)\(other.errors)")
  }

  @Test func `a list is never written over a file, nor from a target that cannot be read`() throws {
    let machine = try Machine.withBucket()
    try machine.write("mine", to: "list.toml")
    let list = ["--write-expected", machine.path("list.toml")]
    #expect(try machine.watch(["status", "--target", machine.target] + list).status == 40)
    #expect(try machine.read("list.toml") == Array("mine".utf8))
    try machine.remove("list.toml")
    let part = try machine.watch(
      ["status", "--target", machine.target, "--target", machine.path("away")] + list)
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
    let run = try machine.watch([
      "status", "--target", machine.target, "--expected", machine.path("list.toml"),
    ])
    #expect(run.status == 64 && run.errors.contains(words), "\(run.status) \(run.errors)")
  }

  @Test func `a signer without a list is wrong usage`() throws {
    let machine = try Machine()
    let key = String(repeating: "ab", count: 32)
    #expect(try machine.watch(["status", "--target", machine.target, "--expected-signer", key]).status == 64)
  }
}
