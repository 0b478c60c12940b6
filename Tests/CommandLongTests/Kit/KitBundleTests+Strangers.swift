import FuekiSystem
import TestSupport
import Testing

/// Pages and programs that strangers leave next to the archives.
extension KitBundleTests {
  @Test func `the page leads to the program that was bundled, whatever a stranger left beside it`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    for version in ["99.0.0", "0.1.1"] {
      let folder = "target/fueki-restore-\(version)"
      try Directory.makePrivateDirectories(machine.path(folder))
      try machine.write(
        "#!/bin/sh\necho give me \(version)\n", to: "\(folder)/fueki-restore", permissions: 0o755)
      let sums = try BuiltBinary.run(
        program: "/usr/bin/sha256sum", ["fueki-restore"], cwd: machine.path(folder))
      try machine.write(sums.text, to: "\(folder)/SHA256SUMS")
    }
    let made = try Self.bundle(kit, Self.program(machine), ["--json"]).expect(0)
    for version in ["99.0.0", "0.1.1"] {
      let folder = machine.path("target/fueki-restore-\(version)")
      #expect(made.errors.contains("warning: \(folder) has a program"), "\(made.errors)")
      #expect(try made.json()["unknown_programs"]?.elements.contains(.string(folder)) == true)
    }
    for name in ["START-HERE.txt", "START-HERE.html"] {
      let page = try machine.text(of: "target/\(name)")
      #expect(page.contains("fueki-restore-0.1.0") && page.contains("Start no other program"))
      #expect(!page.contains("99.0.0") && !page.contains("0.1.1"))
    }
    // The program of this machine's earlier version is no stranger's, and the page leads to the one of today.
    let next = try Self.bundle(kit, Self.program(machine, "0.2.0"), ["--json"])
    #expect(try next.json()["unknown_programs"]?.elements.count == 2, "\(next.text)")
    #expect(try machine.text(of: "target/START-HERE.txt").contains("fueki-restore-0.2.0"))
  }

  @Test(arguments: [
    "open.html", "START-HERE-FIRST.txt", "fueki-restore-99.0.0-final", "Fueki-Restore", "readme.HTM",
    "a.desktop",
    "setup.exe",
  ])
  func `a page or program of a stranger's next to the archives is reported`(_ name: String) throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    try machine.write("give me your passphrase", to: "target/\(name)")
    let made = try Self.bundle(kit, Self.program(machine))
    #expect(made.status == 0 && made.errors.contains("\(machine.path("target/\(name)")) was not put there"))
    let checks =
      try kit.machine.run(["doctor", "--json"] + kit.configuration).json()["checks"]?.elements ?? []
    let pages = checks.filter { $0["name"]?.text?.hasPrefix("page ") == true }
    let strays = pages.filter { $0["result"]?.text == "warning" }.compactMap { $0["name"]?.text }
    #expect(strays == ["page \(machine.path("target/\(name)"))"])
    #expect(pages.count == 3)
    for page in ["START-HERE.txt", "START-HERE.html"] {
      #expect(try !machine.text(of: "target/\(page)").contains(name))
    }
  }

  @Test func `a page that leads elsewhere since it was bundled is reported, and replaced`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    func results() throws -> [String] {
      let run = try kit.machine.run(["doctor", "--json"] + kit.configuration)
      return try run.json()["checks"]?.elements.filter { $0["name"]?.text?.hasPrefix("page ") == true }
        .compactMap { $0["result"]?.text } ?? []
    }
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)
    #expect(try results() == ["ok", "ok"])
    try machine.write("Start ./fueki-restore-99.0.0/fueki-restore", to: "target/START-HERE.txt")
    #expect(try results() == ["warning", "ok"])
    try machine.remove("target/START-HERE.html")
    _ = try BuiltBinary.run(
      program: "/bin/ln",
      ["-s", machine.path("target/START-HERE.txt"), machine.path("target/START-HERE.html")])
    #expect(try results().first == "warning")
    #expect(try Self.bundle(kit, Self.program(machine)).status == 0)
    #expect(try results() == ["ok", "ok"])
  }
}
