import FuekiSystem
import TestSupport
import Testing

/// Names that others chose, on their way to a terminal.
struct ForeignTextTests {
  /// It turns text red, ends a line, closes a string of JSON, and begins a control sequence by a single character.
  private static let name = "a\u{1B}[31m\"\n\\b\u{9B}1m\u{202E}.fueki"

  private func machine() throws -> (Machine, path: String) {
    let machine = try Machine()
    let folder = try Directory.open(machine.target)
    let archive = try #require(try machine.archives().first)
    try folder.createFile(Self.name).pwriteAll(machine.read(archive), at: 0)
    return (machine, "\(machine.target)/\(Self.name)")
  }

  private func expectHarmless(_ text: String) {
    #expect(!text.contains("\u{1B}") && !text.contains("\u{9B}") && !text.contains("\u{202E}"))
  }

  @Test func `plain progress spells out what steers a terminal, and stays on its line`() throws {
    let (machine, path) = try machine()
    let run = try machine.run(["verify", path, "--progress", "plain"], status: 0)
    expectHarmless(run.errors + run.text)
    #expect(run.errors.contains("a\\u{1b}[31m\"\\u{a}"), "\(run.errors)")
  }

  @Test func `progress in JSON is JSON, with the name as it is`() throws {
    let (machine, path) = try machine()
    let run = try machine.run(["verify", path, "--progress", "json"], status: 0)
    expectHarmless(run.errors)
    let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
    let texts = try lines.map { try JSONValue(parsing: Array($0.utf8))["progress"]?.text }
    #expect(texts.contains("verifying \(path)"), "\(run.errors)")
  }

  @Test func `a JSON document steers no terminal either, and says the same`() throws {
    let (machine, path) = try machine()
    let run = try machine.run(["verify", path, "--json"], status: 0)
    expectHarmless(run.text)
    #expect(try run.json()["archives"]?[0]?["path"]?.text == path, "\(run.text)")
  }
}
