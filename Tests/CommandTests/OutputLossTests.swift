import FuekiSystem
import TestSupport
import Testing

/// Results that cannot be written: the exit status shows it, and an archive that was published stays.
struct OutputLossTests {
  /// Where standard output goes.
  enum Output: String, CaseIterable, CustomTestStringConvertible {
    case fullDisk = #"exec "$0" "$@" >/dev/full"#
    case closed = #"exec "$0" "$@" >&-"#
    case readOnly = #"exec "$0" "$@" 1</dev/null"#
    /// The reader has ended before the program starts.
    case brokenPipe = #"exec 3> >(:); wait $!; exec "$0" "$@" >&3 3>&-"#

    var testDescription: String { "\(self)".split(separator: ".").last.map(String.init) ?? rawValue }
    var through: [String] { ["/bin/bash", "-c", rawValue] }
  }

  private static let commands = [
    ["kit", "print", "latest", "--format", "html"], ["checkpoint", "export", "latest"],
    ["verify", "latest", "--json"], ["verify", "latest"], ["list", "target", "--json"], ["config", "show"],
    ["key", "list", "latest"], ["show", "latest"], ["discover"],
    ["schedule", "print", "--cron", "--user", "root", "--target", "target"],
    ["--help"], ["create", "--help"], ["--version"], ["--version", "-v"],
    ["--generate-completion-script", "bash"],
  ]

  private func arguments(_ command: [String]) -> [String] {
    command.contains("latest") ? command + ["--target", "target"] : command
  }

  @Test(arguments: [Output.fullDisk, .closed, .readOnly])
  func `output that cannot be written ends with 1 and one line`(_ output: Output) throws {
    let machine = try Machine()
    for command in Self.commands.map(arguments) {
      try #require(try machine.run(command).status == 0, "\(command)")
      let run = try machine.run(command, through: output.through)
      #expect(run.status == 1, "\(command): \(run.status)")
      let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("error:") }
      #expect(lines.count == 1, "\(command): \(run.errors)")
      #expect(run.errors.contains("error: standard output: "), "\(command): \(run.errors)")
      #expect(run.errors.contains("the command itself is done"), "\(command): \(run.errors)")
    }
  }

  @Test func `a broken pipe ends with 141 and no word`() throws {
    let machine = try Machine()
    for command in Self.commands.map(arguments) {
      let plain = try machine.run(command)
      let run = try machine.run(command, through: Output.brokenPipe.through)
      #expect(run.status == 141, "\(command): \(run.status)")
      #expect(run.errors == plain.errors, "\(command): \(run.errors)")
    }
  }

  @Test(arguments: [Output.fullDisk, .brokenPipe])
  func `an archive whose report cannot be printed is published`(_ output: Output) throws {
    let machine = try Machine()
    for more in [[], ["--json"]] {
      let before = try machine.archives().count
      let run = try machine.create(more, through: output.through)
      #expect(run.status == (output == .brokenPipe ? 141 : 1), "\(run.errors)")
      #expect(try machine.archives().count == before + 1)
      #expect(try machine.run(["verify", "latest", "--target", "target"]).status == 0)
    }
    // With nothing to print, nothing is lost.
    #expect(try machine.create(["-q"], through: output.through).status == 0)
  }

  @Test func `a failure that has no document is told on standard error`() throws {
    let machine = try Machine()
    try machine.write("another passphrase", to: "wrong")
    let run = try machine.run(
      ["verify", "latest", "--target", "target", "--depth", "contents", "--json"]
        + ["-p", machine.path("wrong")], through: Output.fullDisk.through, status: 1)
    #expect(run.errors.contains("the command itself ended with 12 (wrong-secret)"), "\(run.errors)")
    let missing = try machine.run(
      ["restore", "latest", "--target", "nowhere", "--json"], through: Output.fullDisk.through, status: 1)
    #expect(
      missing.errors.contains("target not found: nowhere") && missing.errors.contains("ended with 10"),
      "\(missing.errors)")
  }

  @Test func `a slow reader that does not block gets all of it`() throws {
    let machine = try Machine()
    let whole = try machine.run(["--generate-completion-script", "bash"])
    #expect(whole.output.count > 1 << 16)
    let script = """
      import os, subprocess, sys
      reader, writer = os.pipe()
      os.set_blocking(writer, False)
      child = subprocess.Popen(sys.argv[1:], stdout=writer)
      os.close(writer)
      text = b""
      while piece := os.read(reader, 512):
          text += piece
      sys.stdout.buffer.write(text)
      sys.exit(child.wait())
      """
    let run = try machine.run(
      ["--generate-completion-script", "bash"], through: ["/usr/bin/python3", "-c", script], status: 0)
    #expect(run.output == whole.output)
  }
}
