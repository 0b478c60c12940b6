import FuekiSystem
import TestSupport
import Testing

/// The power user: a narrow terminal, completions, Ctrl-C and JSON.
@Suite(.enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"))
struct PowerUser {
  private static let columns = 60

  /// Lines that are longer than the terminal is wide and could have been broken.
  private func wide(_ text: String) -> [Substring] {
    let plain = text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    return plain.split(separator: "\n").filter { line in
      guard line.count > Self.columns else { return false }
      // A path or a digest stays whole, on a line of its own; a command to copy is never broken.
      let isCopied = line.hasPrefix("  fueki-backup ")
      return !isCopied && line.split(separator: " ").allSatisfy { $0.count + 2 <= Self.columns }
        || !isCopied && line.split(separator: " ").count > 1 && !line.hasPrefix("  ")
    }
  }

  @Test func `sixty columns: every line is broken between words`() throws {
    let machine = try Machine()
    let session = Session(machine, environment: ["FUEKI_PROGRESS": "none"])
    let secrets = ["--target", machine.target] + machine.secrets
    let commands: [[String]] = [
      ["create"] + secrets, ["status", "--target", machine.target], ["list", machine.target],
      ["show", "latest", "--target", machine.target] + machine.archiveSecret,
      ["verify", machine.target], ["restore", "latest", "--datadir", machine.path("new")] + secrets,
    ]
    for command in commands {
      let text = try session.type(command, columns: Self.columns)
      #expect(wide(text).isEmpty, "\(command[0]): \(wide(text))")
    }
    #expect(session.commands == 6 && session.prompts == 0)
    // In output to a program, lines are not broken.
    let list = try machine.run(["list", machine.target])
    #expect(list.text.split(separator: "\n").count == 3, "\(list.text)")
  }

  @Test func `verdicts are coloured on a terminal, and not with NO_COLOR or in a pipe`() throws {
    let machine = try Machine()
    let command = ["verify", machine.target]
    let session = Session(machine, environment: ["FUEKI_PROGRESS": "none"])
    #expect(try session.type(command).contains("\u{1B}[32mok:\u{1B}[0m"))
    session.environment["NO_COLOR"] = "1"
    #expect(try !session.type(command).contains("\u{1B}"))
    #expect(try !machine.run(command, environment: ["TERM": "xterm-256color"]).text.contains("\u{1B}"))
  }

  @Test func `JSON is JSON on a narrow terminal too, and Ctrl-C ends a question with 130`() throws {
    let machine = try Machine()
    let session = Session(machine)
    let json = try session.type(["list", machine.target, "--json"], columns: Self.columns)
    let document = try JSONValue(parsing: Array(json.utf8))
    #expect(document["archives"]?.elements.count == 1)
    let before = try machine.snapshot(of: "target")
    let stopped = try session.type(
      [("new passphrase", "\u{3}")],
      ["create", "--accept=new-passphrase", "--target", machine.target] + machine.keychainSecret, ends: 130)
    #expect(stopped.contains("nothing half-written is left"), "\(stopped)")
    #expect(try machine.snapshot(of: "target") == before)
    #expect(session.commands == 2 && session.prompts == 1)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions are scripts that their shell reads`(_ shell: String) throws {
    let made = try BuiltBinary.run(["--generate-completion-script", shell])
    #expect(made.status == 0 && made.text.contains("change-passphrase"), "\(made.errors)")
    guard Installed.runs("/bin/\(shell)", ["-c", "true"]) else { return }
    let folder = try TemporaryDirectory()
    try folder.write(made.output, to: "script")
    try BuiltBinary.run(program: "/bin/\(shell)", ["-n", folder.path("script")]).expect(0)
  }
}
