import FuekiSystem
import Glibc
import TestSupport
import Testing

/// The files that `status` and `verify` write next to their output.
struct ReportFileTests {
  private static let options = ["--html", "--prometheus", "--report"]

  private func status(_ machine: Machine, _ option: String, _ path: String) throws -> RunResult {
    let value = option == "--report" ? "junit=\(path)" : path
    return try machine.run(["status", "--target", machine.target, option, value])
  }

  @Test(arguments: options)
  func `a pipe or a device is not replaced`(_ option: String) throws {
    let machine = try Machine()
    let path = machine.path("pipe")
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
    let run = try status(machine, option, path)
    #expect(run.status == 40 && run.errors.contains("is not a regular file"), "\(run.text)\(run.errors)")
    #expect(try Directory.open(machine.root).status(of: "pipe").kind == .other)
  }

  @Test(arguments: options)
  func `a link keeps pointing to the file, which is replaced`(_ option: String) throws {
    let machine = try Machine()
    try machine.write("old", to: "file")
    try Directory.open(machine.root).makeSymbolicLink("link", to: machine.path("file"))
    try status(machine, option, machine.path("link")).expect(0)
    #expect(try Directory.open(machine.root).status(of: "link").kind == .symbolicLink)
    #expect(try machine.read("file").count > 10)
  }

  @Test(arguments: options)
  func `a folder that is missing is reported before anything is read`(_ option: String) throws {
    let machine = try Machine()
    let run = try status(machine, option, machine.path("nowhere/file"))
    #expect(run.status != 0 && run.text.isEmpty && run.errors.contains("nowhere"), "\(run.text)\(run.errors)")
    let verify = try machine.run(
      ["verify", machine.target, "--report", "junit=\(machine.path("nowhere/file"))"])
    #expect(verify.status == run.status && verify.text.isEmpty, "\(verify.text)\(verify.errors)")
  }
}
