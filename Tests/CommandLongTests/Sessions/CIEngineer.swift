import TestSupport
import Testing

/// The engineer whose CI verifies archives without a secret and without a terminal.
struct CIEngineer {
  @Test func `commands, statuses and documents, and no question`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let session = Session(machine, environment: ["CI": "true", "FUEKI_PROGRESS": "json"])
    let whole = try session.run(["verify", machine.target, "--json", "--report", "junit=report.xml"])
    #expect(try whole.json()["schema"] == .string("fueki.verify/1"))
    let lines = whole.errors.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(try JSONValue(parsing: Array(line.utf8))["progress"]?.text != nil, "\(line)")
    }
    #expect(try machine.text("report.xml").contains("tests=\"2\""))

    let list = try session.run(["list", machine.target, "--json"])
    #expect(try list.json()["archives"]?.elements.count == 2)
    // A command that needs a secret fails with that reason, and does not wait for one.
    let closed = try session.run(["verify", machine.target, "--depth", "contents"], ends: 12)
    #expect(closed.errors.contains("passphrase"), "\(closed.errors)")

    let newest = try #require(machine.archives().last)
    try machine.damage(newest)
    let damaged = try session.run(
      ["verify", machine.target, "--json", "--report", "junit=report.xml"], ends: 20)
    #expect(try damaged.json()["archives"]?.elements.count == 2)
    #expect(try machine.text("report.xml").contains("failures=\"1\""))
    #expect(session.commands == 4 && session.prompts == 0)
    for run in [whole, list, closed, damaged] {
      #expect(!(run.text + run.errors).contains("\u{1B}"))
    }
  }

  @Test func `a style of progress that there is not is an error that names those there are`() throws {
    let machine = try Machine()
    let run = try machine.run(["verify", machine.target], environment: ["FUEKI_PROGRESS": "loud"])
    #expect(run.status == 64 && run.errors.contains("plain, json, none"), "\(run.errors)")
    try machine.write("[output]\nprogress = \"json\"\n", to: "config.toml")
    let configured = ["verify", machine.target, "--config", machine.path("config.toml")]
    #expect(try machine.run(configured).errors.hasPrefix("{\"progress\":"))
    // The environment counts for more than the configuration, and an option for more than both.
    let none = try machine.run(configured, environment: ["FUEKI_PROGRESS": "none"])
    #expect(none.errors.isEmpty, "\(none.errors)")
    let option = try machine.run(
      configured + ["--progress", "plain"], environment: ["FUEKI_PROGRESS": "none"])
    #expect(option.errors.contains("verifying") && !option.errors.contains("{"), "\(option.errors)")
  }
}
