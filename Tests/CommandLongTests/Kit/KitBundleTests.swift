import FuekiSystem
import TestSupport
import Testing

/// `kit bundle`: the program that restores is next to the archives, is recognized there, and is never replaced.
///
/// The program is a script that prints the right name. The real one, which only .ci/package builds, is tested there.
struct KitBundleTests {
  private static let folder = "target/fueki-restore-0.1.0"
  private static let minisign = "/usr/bin/minisign"

  static func program(_ machine: Machine, _ version: String = "0.1.0", says: String = "fueki-restore")
    throws -> String
  {
    try machine.write(
      "#!/bin/sh\necho \(says) \(version)\n", to: "program-\(says)-\(version)", permissions: 0o755)
    return machine.path("program-\(says)-\(version)")
  }

  static func bundle(_ kit: PrintedKit, _ program: String, _ more: [String] = []) throws -> RunResult {
    try kit.run(["bundle", kit.machine.target, "--program", program] + more)
  }

  /// Returns the result of `doctor` for the program.
  private static func check(_ kit: PrintedKit, _ environment: [String: String] = [:]) throws -> JSONValue? {
    let run = try kit.machine.run(["doctor", "--json"] + kit.configuration, environment: environment)
    return try run.json()["checks"]?.elements.first {
      $0["name"]?.text?.hasPrefix("program ") == true
    }
  }

  @Test func `the program lies beside the archives, and the page and doctor know it`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    let made = try Self.bundle(kit, Self.program(machine), ["--json"]).expect(0)
    let document = try made.json()
    #expect(document["step"]?.text == "write" && document["signed"] == .bool(true))
    let digest = try #require(document["digest"]?.text)
    let names = try Set(machine.names(in: Self.folder))
    #expect(
      names == [
        "fueki-restore", "fueki-archive.5", "reader.py", "SHA256SUMS", "SHA256SUMS.minisig",
      ])
    let sums = try BuiltBinary.run(
      program: "/usr/bin/sha256sum", ["--check", "--strict", "SHA256SUMS"], cwd: machine.path(Self.folder))
    #expect(sums.status == 0, "\(sums.text) \(sums.errors)")
    let start = try machine.text(of: "target/START-HERE.txt")
    #expect(
      start.contains("fueki-restore-0.1.0") && start.contains("\(digest.prefix(8))…\(digest.suffix(8))"))
    #expect(start.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try machine.text(of: "target/START-HERE.html").contains("<pre>./fueki-restore</pre>"))
    // The finder of the disk learns no name.
    #expect(!start.contains("family") && !start.contains(kit.vault))

    let page = try kit.run(["print"]).text
    let first = try #require(page.split(separator: "\u{0C}").first)
    #expect(first.contains(digest) && first.contains("./fueki-restore") && first.contains("START-HERE.txt"))
    let lines = first.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 66, "\(lines.count)\n\(first)")
    #expect(try kit.run(["print", "--json"]).json()["program"]?["digest"]?.text == digest)
    #expect(try Self.check(kit)?["result"]?.text == "ok")
    let again = try Self.bundle(kit, Self.program(machine), ["--json"])
    #expect(try again.status == 0 && again.json()["step"]?.text == "keep", "\(again.errors)")
    // The archives are listed as before.
    let list = try machine.run(["list", machine.target, "--json"]).json()
    #expect(list["archives"]?.elements.count == 2)
  }

  @Test func `the page for browsers comes first, and doctor and the kit know it`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    try machine.write("<!DOCTYPE html>\n<title>Open a wallet backup</title>\n", to: "open.html")
    let made = try Self.bundle(kit, Self.program(machine), ["--json"]).expect(0)
    let document = try made.json()
    let digest = try #require(document["page_digest"]?.text)
    #expect(document["files"]?.elements.first?.text == "open.html")
    let sums = try BuiltBinary.run(
      program: "/usr/bin/sha256sum", ["--check", "--strict", "SHA256SUMS"], cwd: machine.path(Self.folder))
    #expect(sums.status == 0 && sums.text.hasPrefix("open.html: OK"), "\(sums.text) \(sums.errors)")
    let start = try machine.text(of: "target/START-HERE.txt")
    #expect(start.contains("Double-click open.html") && start.contains("./fueki-restore"))
    #expect(start.contains("\(digest.prefix(8))…\(digest.suffix(8))"))
    #expect(start.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // Each way has a heading and steps of its own, and each command its system.
    let parts = start.split(separator: "\nON ")
    #expect(parts.count == 3 && parts[1].contains("WITH A BROWSER") && parts[2].contains("WITH THE PROGRAM"))
    for part in parts.dropFirst() { #expect(part.contains("\n1. ") && !part.contains("\n5. "), "\(part)") }
    for system in [
      "Windows: certutil ", "macOS:   shasum ", "Linux:   sha256sum ", "Windows: open the folder",
    ] {
      #expect(start.contains(system), "\(start)")
    }
    let drawn = try machine.text(of: "target/START-HERE.html")
    #expect(drawn.contains("<main>") && drawn.split(separator: "<h2>").count == 4, "\(drawn)")

    let page = try kit.run(["print"]).text
    let first = try #require(page.split(separator: "\u{0C}").first)
    let commands = ["certutil -hashfile open.html SHA256", "shasum -a 256 open.html", "sha256sum open.html"]
    for words in commands + [digest, "./fueki-restore", "START-HERE.txt"] {
      #expect(first.contains(words), "\(words)")
      if words != digest { #expect(start.contains(words.replacing("START-HERE.txt", with: "open.html"))) }
    }
    let lines = first.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 66, "\(lines.count)\n\(first)")
    #expect(try kit.run(["print", "--json"]).json()["program"]?["page_digest"]?.text == digest)
    let right = try Self.check(kit)
    #expect(right?["result"]?.text == "ok" && right?["detail"]?.text?.contains(digest) == true)

    // Another page with a matching list but without a signature, and a page that no list has.
    try machine.write("<!DOCTYPE html>\nstolen\n", to: "\(Self.folder)/open.html")
    #expect(try Self.check(kit)?["result"]?.text == "failed")
    let forged = try BuiltBinary.run(
      program: "/usr/bin/sha256sum", ["open.html", "fueki-restore", "fueki-archive.5", "reader.py"],
      cwd: machine.path(Self.folder))
    try machine.write(forged.text, to: "\(Self.folder)/SHA256SUMS")
    let replaced = try Self.check(kit)
    #expect(replaced?["result"]?.text == "failed")
    #expect(replaced?["detail"]?.text?.contains("not the program that this machine put there") == true)
    let printed = try kit.run(["print", "--json"])
    #expect(try printed.json()["program"] == nil && printed.errors.contains("is not on the page"))
  }

  @Test func `a page that is not in the list of digests is found`() throws {
    let kit = try PrintedKit()
    #expect(try Self.bundle(kit, Self.program(kit.machine)).status == 0)
    #expect(try Self.check(kit)?["result"]?.text == "ok")
    try kit.machine.write("<!DOCTYPE html>\n", to: "\(Self.folder)/open.html")
    #expect(try Self.check(kit)?["result"]?.text == "failed")
  }

  @Test func `a program that was replaced is found, is not on the page, and is not overwritten`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)
    let before = try machine.snapshot(of: Self.folder)
    try machine.write("#!/bin/sh\necho stolen\n", to: "\(Self.folder)/fueki-restore", permissions: 0o755)
    #expect(try Self.check(kit)?["result"]?.text == "failed")
    let printed = try kit.run(["print", "--json"])
    #expect(try printed.status == 0 && printed.json()["program"] == nil)
    #expect(printed.errors.contains("is not on the page"))
    let again = try Self.bundle(kit, Self.program(machine))
    #expect(again.status == 40 && again.errors.contains("a kit on paper may have its digest"))
    #expect(try machine.text(of: "\(Self.folder)/fueki-restore").contains("stolen"))

    // With a list that fits, too: what this machine put there was another.
    let sums = try BuiltBinary.run(
      program: "/usr/bin/sha256sum", ["fueki-restore", "fueki-archive.5", "reader.py"],
      cwd: machine.path(Self.folder))
    try machine.write(sums.text, to: "\(Self.folder)/SHA256SUMS")
    let replaced = try Self.check(kit)
    #expect(replaced?["result"]?.text == "failed")
    #expect(replaced?["detail"]?.text?.contains("not the program that this machine put there") == true)
    // And on a machine that never put one there.
    let elsewhere = try Self.check(kit, ["FUEKI_STATE": machine.path("no-state")])
    #expect(elsewhere?["result"]?.text == "warning")

    for (name, bytes) in before { try machine.write(bytes, to: name) }
    #expect(try Self.check(kit)?["result"]?.text == "ok")
    let signed = try Self.check(kit, ["FUEKI_STATE": machine.path("no-state")])
    #expect(signed?["result"]?.text == "ok" && signed?["detail"]?.text?.contains("signed by") == true)
  }

  @Test func `a newer version lies in a folder of its own`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)
    let before = try machine.snapshot(of: Self.folder)
    // Leftovers of an interrupted run.
    try machine.write("half", to: "target/.fueki-restore-0.10.0.tmp/fueki-restore")
    #expect(try Self.bundle(kit, Self.program(machine, "0.10.0")).status == 0)
    #expect(try machine.snapshot(of: Self.folder) == before)
    #expect(!machine.exists("target/.fueki-restore-0.10.0.tmp"))
    let program = try kit.run(["print", "--json"]).json()["program"]
    #expect(program?["folder"]?.text == "fueki-restore-0.10.0")
    #expect(try machine.text(of: "target/START-HERE.txt").contains("fueki-restore-0.10.0"))
  }

  @Test func `a folder of the same version with another reader, more files, or a link is not kept`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)
    let before = try machine.snapshot(of: Self.folder)
    try machine.write("print('give me your passphrase')\n", to: "\(Self.folder)/reader.py")
    let sums = try BuiltBinary.run(
      program: "/usr/bin/sha256sum", ["fueki-restore", "fueki-archive.5", "reader.py"],
      cwd: machine.path(Self.folder))
    try machine.write(sums.text, to: "\(Self.folder)/SHA256SUMS")
    let reader = try Self.bundle(kit, Self.program(machine))
    #expect(reader.status == 40 && reader.errors.contains("other files"), "\(reader.errors)")
    for (name, bytes) in before { try machine.write(bytes, to: name, permissions: 0o755) }
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)

    try machine.write("more", to: "\(Self.folder)/open-me.sh")
    #expect(try Self.bundle(kit, Self.program(machine)).status == 40)
    try machine.remove("\(Self.folder)/open-me.sh")
    let moved = try BuiltBinary.run(
      program: "/bin/sh",
      ["-c", "mv fueki-restore-0.1.0 ../elsewhere && ln -s ../elsewhere fueki-restore-0.1.0"],
      cwd: machine.target)
    try #require(moved.status == 0)
    let link = try Self.bundle(kit, Self.program(machine))
    #expect(link.status == 40 && link.errors.contains("is not a folder"), "\(link.errors)")
  }

  @Test func `where others can write no program is put, and no other program either`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    let program = try Self.program(machine)
    let before = try machine.names(in: "target").sorted()
    for (target, declared, reason) in [
      (machine.target, "", "counts as synced"),
      (machine.target, "[[target]]\npath = \"target\"\nkind = \"synced\"\n", "counts as synced"),
      (
        machine.target, "[[target]]\npath = \"target\"\nkind = \"local\"\nappend_only = true\n",
        "is append-only"
      ), ("rclone:somewhere:", "", "is a remote"),
    ] {
      try machine.write(declared, to: "other.toml")
      let run = try machine.run([
        "kit", "bundle", target, "--program", program, "--config", machine.path("other.toml"),
      ])
      #expect(run.status == 64 && run.errors.contains(reason), "\(reason): \(run.errors)")
    }
    for other in [
      try Self.program(machine, says: "fueki-backup"), machine.path("no-program"), "/bin/false", "/bin/yes",
    ] {
      #expect(try Self.bundle(kit, other).status == 64, "\(other)")
    }
    #expect(try machine.names(in: "target").sorted() == before)
    try kit.run(["bundle", machine.path("no-disk"), "--program", program]).expect(64)
  }

  @Test(.enabled(if: Installed.runs(minisign, ["-v"]), "this machine has no minisign"))
  func `minisign verifies the list of digests`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)
    func verify(_ key: String) throws -> RunResult {
      try BuiltBinary.run(
        program: Self.minisign, ["-Vm", machine.path("\(Self.folder)/SHA256SUMS"), "-P", key])
    }
    let key = try Minisign.publicKey(of: kit.signer)
    let right = try verify(key)
    #expect(
      right.status == 0 && right.text.contains("fueki-restore 0.1.0"), "\(key) \(right.text) \(right.errors)")
    // A new signature made by hand is the same, and other files cannot be signed by hand.
    let signature = try machine.text(of: "\(Self.folder)/SHA256SUMS.minisig")
    let list = machine.path("\(Self.folder)/SHA256SUMS")
    let signs = ["key", "sign", "--sign-key", machine.path("keys/signing.key")]
    #expect(try machine.run(signs + [list]).status == 0)
    #expect(try verify(key).status == 0)
    #expect(try machine.text(of: "\(Self.folder)/SHA256SUMS.minisig").prefix(140) == signature.prefix(140))
    let refused = try machine.run(signs + [machine.path("config.toml")])
    #expect(refused.status == 64 && !machine.exists("config.toml.minisig"))
    let other = try Minisign.publicKey(of: String(kit.signer.reversed()), named: kit.signer)
    #expect(try verify(other).status != 0)
    try machine.write(
      try machine.text(of: "\(Self.folder)/SHA256SUMS") + "\n", to: "\(Self.folder)/SHA256SUMS")
    #expect(try verify(key).status != 0)
  }
}
