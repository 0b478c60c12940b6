import FuekiSystem
import TestSupport
import Testing

/// The commands that users of another backup program type.
struct OtherNamesTests {
  private static let names = [
    ("backup", "create"), ("snapshots", "list"), ("check", "verify"), ("forget", "prune"),
    ("extract", "restore"), ("info", "show"),
  ]

  @Test(arguments: names)
  func `another program's name for a command has its help`(_ other: String, _ own: String) throws {
    let help = try BuiltBinary.run([own, "--help"])
    #expect(help.status == 0 && !help.text.isEmpty)
    #expect(try BuiltBinary.run([other, "--help"]).text == help.text)
    #expect(try BuiltBinary.run(["help", other]).text == BuiltBinary.run(["help", own]).text)
  }

  @Test func `the help lists the names once, and the manual page too`() throws {
    let help = try BuiltBinary.run(["--help"]).text.split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    let page = String(decoding: try TestVectors.file("../man/fueki-backup.1"), as: UTF8.self)
    for (other, own) in Self.names {
      #expect(help.components(of: "\(other) (\(own))") == 1, "\(other)")
      #expect(page.contains(".Cm \(other)\nis\n.Cm \(own)"), "\(other)")
    }
  }

  @Test func `a name works with a command's options and its exit status`() throws {
    let machine = try Machine()
    #expect(
      try machine.run(["snapshots", machine.target]).text == machine.run(["list", machine.target]).text)
    #expect(try machine.run(["check", machine.path("none")]).status == 10)
    try machine.run(
      ["extract", machine.target, "--datadir", machine.path("new"), "--no-resync"] + machine.secrets,
      status: 0)
  }

  @Test func `bash completes the options of a command by another program's name`() throws {
    let script = """
      source <("$0" --generate-completion-script bash)
      COMP_WORDS=(fueki-backup backup --dry) COMP_CWORD=2 COMP_LINE="fueki-backup backup --dry"
      COMP_POINT=${#COMP_LINE}
      _fueki-backup fueki-backup --dry backup
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try BuiltBinary.run(program: "/bin/bash", ["-c", script, try PreparedMachine.binary()])
    #expect(run.text.contains("--dry-run"), "\(run.text) \(run.errors)")
    let zsh = try BuiltBinary.run(["--generate-completion-script", "zsh"])
    #expect(zsh.text.contains("backup) words[2]=create ;;"))
  }

  @Test func `the places that files go to are completed`() throws {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("old"))
    let typed = ["---completion", "restore", "--", "--files", "3", "1", "fueki-backup", "restore", "--files"]
    let all = try machine.run(typed + [""])
    for place in ["home", "none", "old/"] { #expect(all.text.contains(place), "\(all.text)") }
  }
}

extension String {
  /// How often another text is in it.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
