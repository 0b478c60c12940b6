import FuekiSystem
import TestSupport
import Testing

/// Folders in which files were removed, copied or renamed.
@Suite(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
struct LineageGapTests {
  private func report(_ machine: Machine) throws -> (RunResult, xml: String) {
    let run = try machine.run(
      ["verify", machine.target, "--complete", "--json", "--report", "junit=\(machine.path("report.xml"))"])
    return (run, try machine.text(of: "report.xml"))
  }

  private func expect(_ sentences: [String], on machine: Machine) throws {
    for words in [["list", machine.target], ["verify", machine.target]] {
      let run = try machine.run(words, status: 0)
      for sentence in sentences { #expect(run.errors.contains(sentence), "\(words[0]) \(run.errors)") }
    }
    let list = try machine.run(["list", machine.target, "--json"]).json()["warnings"]?.elements
    #expect(list?.count == sentences.count)
    let (run, xml) = try report(machine)
    #expect(run.status == 60, "\(run.errors)")
    #expect(try run.json()["ok"] == .bool(false))
    #expect(try run.json()["warnings"]?.elements.count == sentences.count)
    #expect(xml.contains("failures=\"\(sentences.count)\""), "\(xml)")
    for sentence in sentences { #expect(xml.contains(sentence), "\(xml)") }
  }

  @Test func `a whole lineage is complete, whatever strangers put beside it`() throws {
    let machine = try Plants.made.get().machine()
    let (run, xml) = try report(machine)
    #expect(run.status == 0 && xml.contains("failures=\"0\""), "\(xml)")
    try Plants.made.get().plant([.another], on: machine)
    #expect(try machine.run(["list", machine.target, "--json"]).json()["warnings"] == .array([]))
    // The failure is its foreign owner, and not the lineage.
    let (planted, failures) = try report(machine)
    #expect(planted.status == 23 && failures.contains("failures=\"1\""), "\(failures)")
    #expect(!failures.contains("incomplete-lineage"))
  }

  @Test func `a number that is missing is a warning, and no stranger's fills it`() throws {
    let machine = try Plants.made.get().machine()
    try machine.remove(machine.own()[1])
    try expect(["these numbers are missing: 2"], on: machine)
  }

  @Test func `a copy of an older archive in a newer one's place is found`() throws {
    let machine = try Plants.made.get().machine()
    let own = try machine.own()
    try machine.write(machine.read(own[0]), to: own[1])
    try expect(
      [
        "these numbers are missing: 2",
        "\(machine.path(own[1])) is a copy of \(own[0].dropFirst("target/".count))",
        "\(machine.path(own[1])): its name says number 2, and the archive is number 1",
      ], on: machine)
  }

  @Test func `a name that says another number than the file is found`() throws {
    let machine = try Plants.made.get().machine()
    let own = try machine.own()
    let renamed = own[1].replacing("-000002-", with: "-000004-")
    try machine.write(machine.read(own[1]), to: renamed)
    try machine.remove(own[1])
    try expect(
      ["\(machine.path(renamed)): its name says number 4, and the archive is number 2"], on: machine)
  }
}
