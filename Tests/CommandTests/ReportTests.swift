import FuekiSystem
import TestSupport
import Testing

/// The reports of `verify` and `status` for CI, and the report of `list` on a vault's history.
struct ReportTests {
  private static let python = "/usr/bin/python3"
  private static let canParse = Installed.runs(python, ["-c", "import xml.etree"])

  /// Every test case's name, failure type and message, as a CI service reads them.
  private static let reader = """
    import sys, xml.etree.ElementTree as tree
    suites = tree.parse(sys.argv[1]).getroot()
    suite = suites.find("testsuite")
    print(suites.tag, suite.get("tests"), suite.get("failures"), suite.get("errors"))
    for case in suite:
        kinds = [(child.tag, child.get("type")) for child in case]
        print(case.get("name").rsplit("/", 1)[-1], *(word for kind in kinds for word in kind), float(case.get("time", 0)) >= 0)
    """

  private func cases(_ machine: Machine) throws -> [String] {
    let run = try BuiltBinary.run(program: Self.python, ["-c", Self.reader, machine.path("report.xml")])
      .expect(0)
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: canParse, "this machine has no python3"))
  func `a report has a case for each archive`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    let key = ["--sign-key", machine.path("keys/signing.key")]
    #expect(try machine.create(key).status == 0)
    let trusted = ["--trusted-signer", try SigningMachine.publicKey(machine)]
    let report = ["--report", "junit=\(machine.path("report.xml"))"]
    let first = try machine.archives()[0]
    try machine.copy(first, to: "first")
    try machine.remove(first)
    #expect(try machine.run(["verify", machine.target] + trusted + report).status == 0)
    var found = try cases(machine)
    #expect(found.first == "testsuites 1 0 0" && found.count == 2, "\(found)")

    // A name that would break a careless report, and a file of each kind of harm.
    try machine.copy("first", to: "target/a ]]><&\"'\u{1}\u{FFFF}>.fueki")
    try machine.write("not all of an archive", to: "target/not.fueki")
    var bytes = try machine.read(machine.archives().last { $0.contains("-000002-") } ?? "")
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: "target/damaged.fueki")
    try machine.run(["verify", machine.target] + trusted + report, status: 23)
    found = try cases(machine)
    #expect(found.first == "testsuites 4 3 0", "\(found)")
    #expect(found.contains("damaged.fueki failure damaged True"))
    #expect(found.contains("not.fueki failure not-an-archive True"))
    #expect(found.contains("a ]]><&\"'\u{FFFD}\u{FFFD}>.fueki failure not-signed-by-a-trusted-signer True"))
    #expect(try machine.names(in: ".").allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test(.enabled(if: canParse, "this machine has no python3"))
  func `cases are grouped by vault, and a status has one for each vault`() throws {
    let machine = try Machine()
    let list = machine.path("list.toml")
    let (target, report) = (
      ["--target", machine.target], ["--report", "junit=\(machine.path("report.xml"))"]
    )
    func classes() throws -> [String] {
      let script = """
        import sys, xml.etree.ElementTree as tree
        for case in tree.parse(sys.argv[1]).getroot().iter("testcase"):
            faults = [fault.get("type") + ": " + fault.get("message") for fault in case]
            print(case.get("classname"), "|", case.get("name"), "|", *faults)
        """
      let run = try BuiltBinary.run(program: Self.python, ["-c", script, machine.path("report.xml")]).expect(
        0)
      return run.text.split(separator: "\n").map(String.init)
    }
    let old = "old/desk-20261121T063000Z-000001-0123456789ab.fueki"
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: old)
    try machine.run(
      ["verify", machine.path("old"), "--max-age", "1h", "--json"] + report, status: 60)
    let listed = try machine.run(["list", machine.path("old"), "--json"]).json()["archives"]
    let oldID = listed?.elements.first?["vault"]?.text?.prefix(8) ?? ""
    let found = try classes()
    #expect(found.count == 2 && found[0] == "desk (\(oldID)) | \(machine.path(old)) |", "\(found)")
    #expect(found.last?.hasPrefix("desk (\(oldID)) | age | late: desk (vault \(oldID)): the newest") == true)

    let archive = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements.first
    let vault = "wallet (\(archive?["vault"]?.text?.prefix(8) ?? ""))"
    #expect(try machine.run(["status", "--write-expected", list] + target + report).status == 0)
    #expect(try classes() == ["\(machine.target) | target |", "\(machine.target) | \(vault) |"])
    let hostile = "]]>\\\"&'<\\u0001"
    let gone = "\n[[vault]]\nid = \"\(String(repeating: "ab", count: 16))\"\nlabel = \"\(hostile)\"\n"
    let text = try machine.text("list.toml")
    try machine.write(text + gone, to: "list.toml")
    #expect(try machine.run(["status", "--expected", list] + target + report).status == 60)
    #expect(
      try classes() == [
        "expected | ]]>\"&'<\u{FFFD} (abababab) | missing: there is no whole archive of it",
        "expected | \(vault) |",
      ])
    #expect(try machine.run(["status", "--report", "junit"] + target).status == 64)
  }

  @Test(.enabled(if: canParse, "this machine has no python3"))
  func `a folder without archives is an error in the report too`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("empty"))
    let run = try machine.run(
      ["verify", machine.path("empty"), "--report", "junit=\(machine.path("report.xml"))", "--json"],
      status: 10)
    #expect(try run.json()["schema"] == .string("fueki.error/1"))
    #expect(try cases(machine) == ["testsuites 1 0 1", "archives error not-found True"])
    for report in ["report.xml", "junit=", "html=x"] {
      #expect(try machine.run(["verify", machine.target, "--report", report]).status == 64)
    }
    try machine.run(["verify", machine.target, "--report", "junit=/nowhere/report.xml"], status: 10)
  }

  /// Jenkins' schema, which `.ci/setup tests` downloads.
  private static let schema = "\(SourceTree.path)/.build/python/junit-10.xsd"
  private static let canValidate =
    InstalledProgram.path("xmllint") != nil && (try? File.open(schema)) != nil

  @Test(.enabled(if: canValidate, "this machine has no xmllint, or no schema"))
  func `reports are valid by the schema of Jenkins`() throws {
    let machine = try Machine()
    func isValid() throws -> Bool {
      let run = try BuiltBinary.run(
        program: try #require(InstalledProgram.path("xmllint")),
        ["--nonet", "--noout", "--schema", Self.schema, machine.path("report.xml")])
      return run.status == 0 && run.errors.hasSuffix("validates\n")
    }
    let report = ["--report", "junit=\(machine.path("report.xml"))"]
    try Directory.makePrivateDirectories(machine.path("empty"))
    try machine.write("not all of an archive", to: "odd/a ]]><&\"'\u{1}\u{FFFF}>.fueki")
    try machine.write(
      try TestVectors.file("archives/all-slot-types.fueki"),
      to: "old/desk-20261121T063000Z-000001-0123456789ab.fueki")
    let runs = [
      (["verify", machine.path("old"), "--max-age", "1h"], 60), (["verify", machine.path("odd")], 19),
      (["verify", machine.path("empty")], 10), (["status", "--target", machine.target], 0),
      (["status", "--target", machine.path("odd")], 60),
    ]
    for (arguments, status) in runs {
      let run = try machine.run(arguments + report)
      #expect(Int(run.status) == status, "\(arguments) \(run.status) \(run.text) \(run.errors)")
      #expect(try isValid(), "\(arguments)")
      try machine.remove("report.xml")
    }
    // The schema is read.
    try machine.write("<testsuites><testcase name=\"a\"/></testsuites>\n", to: "report.xml")
    #expect(try !isValid())
  }

  @Test func `the list tells older and forked apart`() throws {
    let machine = try Machine()
    func chains() throws -> [String?] {
      try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements.map {
        $0["chain"]?.text
      }
        ?? []
    }
    try machine.copy("state", to: "state-before")
    try machine.copy("target", to: "target-before")
    #expect(try machine.create().status == 0)
    #expect(try chains() == ["ok", "ok"])
    let mine = try machine.archives()[1]
    try machine.copy(mine, to: "mine")
    try machine.remove(mine)
    #expect(try chains() == ["older-than-known"])
    let older = try machine.run(["list", machine.target])
    #expect(older.text.contains("older-than-known") && older.errors.contains("removed"))

    // Another machine, which has only the first archive, makes a second one too.
    try machine.copy("state", to: "state-mine")
    try machine.remove("state")
    try machine.copy("state-before", to: "state")
    #expect(try machine.create().status == 0)
    try machine.copy("mine", to: "target/mine.fueki")
    #expect(try chains().sorted { ($0 ?? "") < ($1 ?? "") } == ["forked", "forked", "ok"])
    #expect(try machine.run(["list", machine.target]).errors.contains("forks"))
    // Each is whole by itself, and together they contradict one another, whatever this machine knows.
    let fresh = ["FUEKI_STATE": machine.path("no-state")]
    let all = try machine.run(["verify", machine.target, "--json"], environment: fresh, status: 25)
    #expect(try all.json()["ok"] == .bool(false))
    #expect(try machine.run(["verify", machine.path("target/mine.fueki")], environment: fresh).status == 0)
    let restore = ["restore", "latest", "--target", machine.target, "--datadir", machine.path("new")]
    #expect(try machine.run(restore, environment: fresh).status == 25)
    // A copy under another name is no fork.
    try machine.remove("target")
    try machine.copy("target-before", to: "target")
    try machine.copy(machine.archives()[0], to: "target/copy.fueki")
    #expect(try machine.run(["verify", machine.target], environment: fresh).status == 0)
  }

  @Test func `a successor of another archive than the one here has forked`() throws {
    let machine = try Machine()
    try machine.copy("state", to: "state-before")
    try machine.copy("target", to: "target-before")
    #expect(try machine.create().status == 0)
    try machine.copy(machine.archives()[1], to: "second")
    try machine.remove("state")
    try machine.copy("state-before", to: "state")
    try machine.remove("target")
    try machine.copy("target-before", to: "target")
    for _ in 0..<2 { #expect(try machine.create().status == 0) }
    // The second archive is replaced by the other machine's. The third continues from a missing archive.
    try machine.remove(machine.archives()[1])
    try machine.copy("second", to: "target/second.fueki")
    let run = try machine.run(
      ["verify", machine.target, "--json"], environment: ["FUEKI_STATE": machine.path("no-state")], status: 25
    )
    let verdicts = try run.json()["archives"]?.elements.compactMap { $0["verdict"]?.text }
    #expect(verdicts?.filter { $0 == "forked" }.count == 1 && verdicts?.count == 3)
  }
}
