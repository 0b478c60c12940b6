import FuekiSystem
import TestSupport
import Testing

/// The one JSON document that each command prints, for scripts that rely on its fields.
struct DocumentTests {
  @Test func `create`() throws {
    let machine = try Machine()
    let run = try machine.create(["--json"])
    let json = try run.json()
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(json["schema"] == .string("fueki.create/1"))
    #expect(
      json.keys.isSuperset(of: [
        "archive", "targets", "id", "sequence", "bytes", "sections", "sources", "seconds",
      ]))
    let path = try #require(json["archive"]?.text)
    #expect(try machine.archives().map { machine.path($0) }.contains(path))
    #expect(json["targets"] == .array([.string(path)]))
    #expect(json["id"]?.text?.count == 64)
    #expect(try json["bytes"] == .number(Double(File.open(path).size())))
    #expect(json["sections"]?["transactions"] == .number(50))
    #expect(json["sections"]?["key-shares"] == .number(2))
    let source = json["sources"]?[0]
    #expect(source?["name"] == .string("store"))
    #expect(source?["included"]?["contacts"] == .number(12))
    #expect(source?["excluded"]?[0]?["reason"]?.text?.contains("--include-private-keys") == true)
  }

  @Test func `create without writing`() throws {
    let machine = try Machine()
    let run = try machine.run(["create", "--dry-run", "--json"] + machine.keychainSecret, status: 0)
    #expect(try run.json()["schema"] == .string("fueki.create/1"))
    #expect(try run.json()["sources"]?.elements.count == 1)
    #expect(try machine.archives().count == 1)
  }

  @Test func `list`() throws {
    let machine = try Machine()
    try machine.write([], to: "target/empty.fueki")
    let json = try machine.run(["list", machine.target, "--json"]).json()
    #expect(json["schema"] == .string("fueki.list/1"))
    let archives = json["archives"]?.elements ?? []
    #expect(archives.count == 2)
    for archive in archives { #expect(archive.keys.isSuperset(of: ["path", "bytes", "state"])) }
    #expect(
      archives[0].keys == [
        "path", "id", "vault", "sequence", "created", "bytes", "state", "chain", "whose", "signer",
        "recovery_files",
      ])
    #expect(archives[0]["created"]?.text?.hasSuffix("Z") == true)
    #expect(archives[1]["state"] == .string("incomplete"))
  }

  @Test func `show`() throws {
    let machine = try Machine()
    let arguments = ["show", "latest", "--target", machine.target, "--json"]
    let closed = try machine.run(arguments).json()
    #expect(closed["schema"] == .string("fueki.show/1"))
    #expect(closed["header"]?["sequence"] == .number(1))
    #expect(closed["manifest"] == nil && closed["sections"] == nil)
    let open = try machine.run(arguments + machine.archiveSecret).json()
    #expect(open["manifest"]?["label"] == .string("wallet"))
    #expect(open["bundle_checksum"]?.text != nil)
    let section = open["sections"]?.elements.first { $0["name"] == .string("transactions") }
    #expect(section?["records"] == .number(50))
    #expect(section?["sha256"]?.text?.count == 64)
    #expect((section?["bytes"]?.number ?? 0) > 0)
  }

  @Test(arguments: ["structure", "checksums", "contents"])
  func `verify`(_ depth: String) throws {
    let machine = try Machine()
    let secret = depth == "contents" ? machine.archiveSecret : []
    let run = try machine.run(["verify", machine.target, "--depth", depth, "--json"] + secret)
    let json = try run.json()
    #expect(run.status == 0)
    #expect(json["schema"] == .string("fueki.verify/1"))
    #expect(json["ok"] == .bool(true))
    let archive = json["archives"]?[0]
    #expect(archive?["depth"] == .string(depth))
    #expect(archive?["verdict"]?.text != nil)
    #expect(archive?["damage"] == .array([]))
    #expect(archive?["id"]?.text?.count == 64)
  }

  @Test func `verify says where damage is, and what each depth finds`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    try machine.damage(archive)
    try machine.run(["verify", machine.path(archive), "--depth", "structure"], status: 0)
    for depth in ["checksums", "contents"] {
      let run = try machine.run(
        ["verify", machine.path(archive), "--depth", depth, "--json"] + machine.archiveSecret, status: 20)
      let json = try run.json()
      #expect(json["ok"] == .bool(false))
      let damage = json["archives"]?[0]?["damage"]?[0]
      #expect(damage?["stream"]?.text != nil && damage?["chunk"]?.number != nil)
    }
  }

  @Test func `verify's status is that of the worst archive`() throws {
    let machine = try Machine()
    let bytes = try machine.read(machine.archives()[0])
    try machine.write(Array(bytes.dropLast(5)), to: "target/short.fueki")
    #expect(try machine.run(["verify", machine.target]).status == 21)
    var damaged = bytes
    damaged[bytes.count / 2] ^= 1
    try machine.write(damaged, to: "target/damaged.fueki")
    let run = try machine.run(["verify", machine.target, "--json"], status: 20)
    #expect(try run.json()["archives"]?.elements.count == 3)
    try machine.write(
      "no archive at all, but a text of some length, longer than a header's first part", to: "t.txt")
    #expect(try machine.run(["verify", machine.path("t.txt")]).status == 19)
    #expect(try machine.run(["show", machine.path("t.txt")]).status == 19)
    #expect(
      try machine.run(["verify", machine.target, "--trusted-signer", String(repeating: "ab", count: 32)])
        .status == 23)
  }

  @Test func `restore`() throws {
    let machine = try Machine()
    let run = try machine.restore("latest", to: "restored", ["--json"])
    let json = try run.json()
    #expect(run.status == 0)
    #expect(json["schema"] == .string("fueki.restore/1"))
    #expect(
      json["stages"]?.elements.compactMap { $0["name"]?.text } == [
        "verify", "authenticate", "decrypt-shares", "restore-wallets", "restore-history", "resync",
        "complete",
      ])
    for stage in json["stages"]?.elements ?? [] {
      #expect(stage.keys.isSuperset(of: ["name", "result", "seconds", "counts"]))
    }
    #expect(json["conflicts"] == .array([]))
    #expect(json["restored"]?["transactions"] == .number(50))
    // There is no source to ask yet, and it does not say that it asked.
    #expect(json["resync"] == .string("not run: no wallet has an endpoint to ask"))
  }

  @Test func `export`() throws {
    let machine = try Machine()
    let arguments = [
      "export", "latest", "--target", machine.target, "--output", machine.path("out"), "--json",
    ]
    let run = try machine.run(arguments + machine.archiveSecret, status: 0)
    #expect(try run.json()["schema"] == .string("fueki.export/1"))
    #expect(try run.json()["sections"]?["transactions"] == .number(50))
    let lines = try machine.read("out/transactions.jsonl").split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 50)
    // Existing files are not overwritten.
    let before = try machine.snapshot(of: "out")
    #expect(try machine.run(arguments + machine.archiveSecret).status == 40)
    #expect(try machine.snapshot(of: "out") == before)
    try machine.write("not the passphrase", to: "wrong")
    let wrong = ["-p", machine.path("wrong")]
    try machine.run(
      ["export", "latest", "--target", machine.target, "--output", machine.path("other"), "--json"] + wrong,
      status: 12)
    #expect(!machine.exists("other"))
    // An empty folder would look as if there were none.
    let secrets = ["export", "latest", "--target", machine.target, "--output", machine.path("other")]
    for names in ["secrets", "contacts,key-shares"] {
      let run = try machine.run(secrets + ["--only", names] + machine.archiveSecret)
      #expect(run.status == 64 && run.errors.contains("--include-secrets"), "\(run.errors)")
    }
    #expect(!machine.exists("other"))
  }

  @Test(.enabled(if: Installed.runs("/usr/bin/python3"), "this machine has no python3"))
  func `export as tables, each cell of which is a member of the lines`() throws {
    let machine = try Machine()
    for format in ["csv", "jsonl"] {
      try machine.run(
        ["export", "latest", "--target", machine.target, "--output", machine.path(format)]
          + ["--format", format] + machine.archiveSecret, status: 0)
    }
    let script = """
      import csv, glob, json, os, sys
      names = sorted(os.path.basename(p)[:-6] for p in glob.glob("jsonl/*.jsonl"))
      assert names == sorted(os.path.basename(p)[:-4] for p in glob.glob("csv/*.csv")) and "transactions" in names
      def cell(value):
          isText = isinstance(value, str)
          return value if isText else json.dumps(value, separators=(",", ":"), ensure_ascii=False)
      for name in names:
          rows = list(csv.reader(open(f"csv/{name}.csv", newline="", encoding="utf-8"), strict=True))
          lines = [json.loads(line) for line in open(f"jsonl/{name}.jsonl", encoding="utf-8")]
          assert len(rows) == len(lines) + 1, name
          for row, line in zip(rows[1:], lines):
              assert set(line) <= set(rows[0]), name
              assert row == [cell(line[column]) if column in line else "" for column in rows[0]], (row, line)
      """
    try BuiltBinary.run(program: "/usr/bin/python3", ["-c", script], cwd: machine.root).expect(0)
  }

  @Test func `demo`() throws {
    let machine = try Machine(isPrepared: false)
    let run = try machine.run(["demo", "--json", "--transactions", "1"], status: 0)
    #expect(try run.json()["schema"] == .string("fueki.demo/1"))
    #expect(try machine.names(in: "tmp").isEmpty)
  }

  @Test(arguments: [
    (["create", "--target", "none"], 10, "not-found"), (["list", "none"], 10, "not-found"),
    (["show", "none"], 10, "not-found"), (["verify", "none"], 10, "not-found"),
    (["restore", "none", "--datadir", "new"], 10, "not-found"),
    (["show", "latest", "--target", "target", "-p", "keychain.pass"], 12, "wrong-secret"),
    (["create", "--target", "target", "--datadir", "none"], 10, "not-found"),
    (["demo", "--keep", "data"], 40, "would-overwrite"), (["import", "none.json"], 10, "not-found"),
    (["export", "none", "--output", "out"], 10, "not-found"),
  ])
  func `a failure is one document too`(_ arguments: [String], _ status: Int, _ id: String) throws {
    let machine = try Machine()
    let more = arguments[0] == "create" ? machine.secrets : []
    let run = try machine.run(arguments + more + ["--json"])
    #expect(run.status == Int32(status), "\(run.text)")
    let json = try run.json()
    #expect(json.keys == ["schema", "code", "id", "message", "meaning", "hint", "sandbox"])
    #expect(json["schema"] == .string("fueki.error/1"))
    #expect(json["code"] == .number(Double(status)))
    #expect(json["id"] == .string(id))
    #expect(json["message"]?.text?.isEmpty == false)
  }
}
