import FuekiSystem
import TestSupport
import Testing

/// Another wallet's files, on their way in, through an archive, and out again.
struct ImportTests {
  private func machine() throws -> Machine {
    let machine = try Machine()
    try machine.write(ImportedFiles.keystore, to: "keystores/UTC--one")
    return machine
  }

  private func exported(_ machine: Machine, _ archive: String) throws -> [UInt8]? {
    try machine.run(
      ["export", archive, "--target", machine.target, "--output", machine.path("out")]
        + machine.archiveSecret, status: 0)
    return try machine.snapshot(of: "out").first { $0.key.hasSuffix("UTC--one") }?.value
  }

  @Test func `an imported file comes out of an archive byte for byte`() throws {
    let machine = try machine()
    let run = try machine.run(["import", machine.path("keystores"), "--json"], status: 0)
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.import/1"))
    #expect(json["added"]?["files"] == .number(1))
    #expect(try machine.create().status == 0)
    #expect(try exported(machine, "latest") == Array(ImportedFiles.keystore.utf8))
    let again = try machine.run(["import", machine.path("keystores/UTC--one"), "--json"], status: 0)
    #expect(try again.json()["equal"]?["files"] == .number(1))
  }

  @Test func `a backup takes such files without a wallet of its own`() throws {
    let machine = try machine()
    try machine.remove("data")
    try machine.remove(machine.archives()[0])
    let run = try machine.run(
      ["create", "--from", "keystore:\(machine.path("keystores"))", "--target", machine.target, "--json"]
        + machine.archiveSecret + Machine.quick, status: 0)
    #expect(try run.json()["sections"]?["files"] == .number(1))
    #expect(try exported(machine, "latest") == Array(ImportedFiles.keystore.utf8))
    #expect(!machine.exists("data"))
  }

  /// A row that has more columns than the first line names may have lost something.
  @Test(arguments: [[], ["--dry-run"]], [[], ["--json"]])
  func `a file of which something may be missing ends with 3, tried or done`(dry: [String], json: [String])
    throws
  {
    let machine = try machine()
    let file = machine.path("people.csv")
    try machine.write(
      "address,name\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq,A\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq,B,x,y\n",
      to: "people.csv")
    let imported = try machine.run(["import", file, "--datadir", machine.path("new")] + dry + json)
    #expect(imported.status == 3 && machine.exists("new") == dry.isEmpty, "\(imported.errors)")
    try machine.create(["--from", "store", "--from", "csv-contacts:\(file)"] + dry + json, status: 3)
  }

  @Test func `a source that is given twice is refused before anything is asked for`() throws {
    let machine = try machine()
    let before = try machine.archives()
    for source in ["store", "keystore:\(machine.path("keystores"))"] {
      let run = try machine.create(["--from", source, "--from", source])
      #expect(run.status == 64 && run.errors.contains("is there twice"), "\(run.errors)")
    }
    #expect(try machine.archives() == before)
  }

  @Test func `a data directory that an import makes is its owner's only`() throws {
    let machine = try machine()
    try machine.run(
      ["import", machine.path("keystores"), "--datadir", machine.path("new")],
      through: ["/bin/sh", "-c", "umask 0; exec \"$@\"", "sh"], status: 0)
    let folder = try Directory.open(machine.root).status(of: "new").permissions
    #expect(folder == 0o700)
    try machine.visit("new") { path, entry in
      let permissions = try Directory.open(machine.path("new")).status(of: entry.name).permissions
      #expect(permissions == 0o600, "\(path)")
    }
  }

  @Test(arguments: [
    "unstoppable", "keystore", "tss-lib", "fueki-app", "fueki-vault", "ownd", "electrum", "fueki-share",
    "bip329", "vcard", "csv-contacts",
  ])
  func `a file that cannot be of its kind is named, with the reason`(kind: String) throws {
    let machine = try machine()
    try machine.write("", to: "empty")
    try machine.write("milk and eggs", to: "list")
    for name in ["empty", "list"] {
      for arguments in [["--format", kind], []] {
        let run = try machine.run(
          ["import", machine.path(name), "--datadir", machine.path("new")] + arguments)
        #expect(run.status == 1 && run.errors.contains("\(name)"), "\(kind): \(run.errors)")
        let reason = arguments.isEmpty ? "empty is empty" : "empty: it is empty"
        if name == "empty" { #expect(run.errors.contains(reason), "\(kind): \(run.errors)") }
      }
    }
    try Directory.makePrivateDirectories(machine.path("folder"))
    let run = try machine.run(
      ["import", machine.path("folder"), "--datadir", machine.path("new"), "--format", kind, "--dry-run"])
    #expect(!run.errors.contains("half-written"), "\(kind): \(run.errors)")
    #expect(!machine.exists("new"))
  }

  @Test func `whom a payment would go to is told, of contacts that differ and of new ones`() throws {
    let machine = try machine()
    for (name, file) in ImportedFiles.contacts { try machine.write(file, to: name) }
    let first = try machine.run(["import", "first.json"])
    #expect(first.status == 0 && !first.errors.contains("paid"), "\(first.errors)")
    let differs =
      "\"Alice\" is paid at \(ImportedFiles.address(1)) here, and is paid at \(ImportedFiles.address(2)) in the imported file"
    let isNew =
      "\"Alice\" is here already, and is paid at \(ImportedFiles.address(1)). This one in the imported file "
      + "is paid at \(ImportedFiles.address(3))"
    let stopped = try machine.run(["import", "second.json"])
    #expect(stopped.status == 40 && stopped.errors.contains(differs), "\(stopped.errors)")
    let planned = try machine.run(["import", "second.json", "--dry-run"])
    #expect(planned.status == 0 && planned.errors.contains(differs) && planned.errors.contains(isNew))
    let done = try machine.run(["import", "second.json", "--on-conflict", "skip", "--quiet"])
    #expect(done.status == 0 && done.errors.contains(isNew), "\(done.errors)")
    let again = try machine.run(["import", "second.json", "--on-conflict", "skip", "--json"]).json()
    #expect(
      again["namesakes"] == .array([]) && again["conflicts"]?[0]?["address"]?["name"] == .string("Alice"))
  }

  @Test func `what cannot be imported changes nothing`() throws {
    let machine = try machine()
    try machine.write("milk, eggs", to: "text")
    let missing = machine.path("new")
    let cases: [([String], Int32)] = [
      (["none.json"], 10), (["text"], 1), (["keystores", "text"], 1),
      (["keystores", "--format", "floppy"], 64),
      (["keystores", "--dry-run"], 0), ([], 64),
    ]
    for (arguments, status) in cases {
      let run = try machine.run(["import", "--datadir", missing] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(!machine.exists("new"), "\(arguments)")
    }
  }
}
