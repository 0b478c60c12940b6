import CommandSupport
import TestSupport
import Testing

/// `create --from` on a machine whose backups have other sources.
struct NamedSourcesTests {
  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try machine.write("one", to: "home/files/one")
    try machine.write("a paper", to: "home/papers/paper")
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[vault]]
      from = []
      [[source]]
      kind = "file"
      path = "~/files"
      """, to: "config.toml")
  }

  private func create(_ more: [String], configured: Bool = true, status: Int32) throws -> RunResult {
    let settings =
      configured
      ? ["--config", machine.path("config.toml")] : ["--target", machine.target, "--accept=synced-keys"]
    let run = try machine.run(["create"] + settings + more + machine.archiveSecret + Machine.quick)
    #expect(run.status == status, "\(more): \(run.text)\(run.errors)")
    return run
  }

  private var papers: [String] { ["--from", "file:~/papers"] }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `a directory that cannot be searched is reported, and the others are backed up`() throws {
    for name in ["a", "b", "c"] {
      try machine.write(name, to: "home/files/\(name)/deep/wallet.key")
    }
    let configuration = try machine.text("config.toml")
    try machine.write(configuration.replacing("~/files", with: "~/files/**/wallet.key"), to: "config.toml")
    let unlisted = machine.path("home/files/b")
    let run = try machine.run(
      ["create", "--config", machine.path("config.toml"), "--dry-run"] + machine.archiveSecret,
      through: [
        Strace.program, "-f", "-qq", "-o", "/dev/null", "-P", unlisted, "-e", "trace=getdents64", "-e",
        "inject=getdents64:error=EIO",
      ])
    #expect(run.errors.contains("\(unlisted) could not be searched"), "\(run.errors)")
    #expect(run.status == 0, "\(run.errors)")
    for name in ["a", "c"] { #expect(run.text.contains("files/\(name)/deep/wallet.key"), "\(run.text)") }
  }

  @Test func `other sources make an archive that says what it lacks, and the next run has everything`() throws
  {
    _ = try create([], status: 0)
    let run = try create(papers, status: 3)
    #expect(run.text.contains("MISSING: file ~/files/one, last in number 1"), "\(run.text)")
    #expect(
      run.errors.contains("only the sources of --from. It leaves out file:\(machine.path("home/files"))"),
      "\(run.errors)")
    #expect(run.errors.contains("points to number 1 for the rest"), "\(run.errors)")
    #expect(!run.errors.contains("emptied") && !run.errors.contains("bring back what is missing"))
    // A restore of the newest archive points to the one with the rest.
    let restored = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + ["--files", machine.path("back")] + machine.archiveSecret,
      environment: ["FUEKI_STATE": machine.path("new-state")])
    #expect(restored.errors.contains("number 1"), "\(restored.errors)")
    #expect((restored.text + restored.errors).contains("~/files/one"), "\(restored.text)\(restored.errors)")

    let next = try create([], status: 3)
    #expect(next.text.contains("MISSING: file ~/papers/paper"), "\(next.text)")
    #expect(!next.text.contains("~/files/one"), "\(next.text)")
    _ = try create(["--accept=loss"], status: 0)
  }

  @Test func `no loss is accepted in a run that leaves sources out`() throws {
    _ = try create([], status: 0)
    let run = try create(papers + ["--accept=loss"], status: 64)
    #expect(run.errors.contains("--from leaves out file:"), "\(run.errors)")
    #expect(try machine.archives().count == 1)
  }

  @Test func `sources that only options name are all of the vault, and an emptied one ends with 60`() throws {
    let files = ["--from", "file:\(machine.path("home/files"))"]
    _ = try create(files + papers, configured: false, status: 0)
    for name in ["home/files/one", "home/papers/paper"] { try machine.remove(name) }
    let emptied = try create(files + papers, configured: false, status: 60)
    #expect(emptied.errors.contains("this looks like an emptied machine"), "\(emptied.errors)")
  }
}
