import FuekiSystem
import TestSupport
import Testing

/// Append-only targets, in folders whose every rename and removal the kernel refuses.
@Suite(.enabled(if: AppendOnlyFolder.isPermitted, "this machine does not permit chattr +a"))
struct AppendOnlyTests {
  @Test func `archives and their recovery files are added, and nothing else happens`() throws {
    let folder = try AppendOnlyFolder()
    var before = try folder.machine.snapshot(of: "target")
    for more in [[], ["--parity", "5%"], ["--target", folder.machine.path("other")]] {
      try folder.create(more).expect(0)
      let after = try folder.machine.snapshot(of: "target")
      #expect(before.allSatisfy { after[$0.key] == $0.value })
      #expect(after.count == before.count + (more.first == "--parity" ? 3 : 1), "\(after.keys)")
      before = after
    }
    #expect(try folder.machine.archives().count == 4)
    #expect(try folder.machine.names(in: "other").filter { $0.hasSuffix(".fueki") }.count == 1)
    #expect(try folder.machine.run(["verify", folder.machine.target]).status == 0)
    #expect(try folder.machine.names(in: "state/outgoing").isEmpty)
  }

  @Test func `prune says what it would remove, and mend refuses`() throws {
    let folder = try AppendOnlyFolder()
    for _ in 0..<2 { #expect(try folder.create(["--parity", "5%"]).status == 0) }
    let before = try folder.machine.snapshot(of: "target")
    let pruned = try folder.run(["prune", "--target", folder.machine.target, "--keep-last", "1"]).expect(0)
    #expect(
      pruned.text.contains("  remove  ") && pruned.text.contains("nothing was removed"), "\(pruned.text)")
    let document = try folder.run(
      ["prune", "--target", folder.machine.target, "--keep-last", "1", "--json"]
    ).json()
    #expect(document["targets"]?[0]?["append_only"] == .bool(true))
    let mended = try folder.run(["repair", folder.machine.path(folder.machine.archives()[1])])
    #expect(mended.status == 64 && mended.errors.contains("append-only"), "\(mended.errors)")
    #expect(try folder.machine.snapshot(of: "target") == before)
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `an archive that is cut off stays, and the next one has another name`() throws {
    let folder = try AppendOnlyFolder()
    let points = try Strace.points(
      folder.machine, places: [folder.machine.target], calls: ["pwrite64", "fsync"]
    ) {
      try folder.create(through: $0)
    }
    #expect(points.count >= 2, "\(points)")
    for point in points {
      let before = try folder.machine.snapshot(of: "target")
      _ = try folder.create(through: point.inject("signal=KILL"))
      let left = try folder.machine.snapshot(of: "target")
      #expect(before.allSatisfy { left[$0.key] == $0.value }, "\(point.line)")
      let states =
        try folder.run(["list", folder.machine.target, "--json"]).json()["archives"]?.elements ?? []
      #expect(
        states.allSatisfy { ["complete", "incomplete", "not-downloaded"].contains($0["state"]?.text) },
        "\(states)")
      let again = try folder.create()
      #expect([0].contains(again.status), "\(again.errors)")
      let after = try folder.machine.snapshot(of: "target")
      #expect(left.allSatisfy { after[$0.key] == $0.value } && after.count == left.count + 1)
    }
  }

  @Test func `doctor says whether the folder keeps what is there`() throws {
    let folder = try AppendOnlyFolder()
    let kept = try folder.run(["doctor", "-v", "--target", folder.machine.target])
    #expect(kept.text.contains("keeps what is there"), "\(kept.text)\(kept.errors)")
    try folder.release()
    let loose = try folder.run(["doctor", "-v", "--target", folder.machine.target])
    #expect(loose.text.contains("files can be removed there"), "\(loose.text)\(loose.errors)")
  }
}

/// A machine whose target only takes new files.
final class AppendOnlyFolder {
  let machine: Machine

  static let isPermitted: Bool = {
    guard let folder = try? TemporaryDirectory() else { return false }
    guard (try? chattr("+a", folder.path))?.status == 0 else { return false }
    return (try? chattr("-a", folder.path))?.status == 0
  }()

  private static func chattr(_ change: String, _ path: String) throws -> RunResult {
    try BuiltBinary.run(program: "/usr/bin/chattr", [change, path])
  }

  init() throws {
    machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("other"))
    try machine.write(
      "[[target]]\nname = \"once\"\npath = \"\(machine.target)\"\nkind = \"local\"\nappend_only = true\n",
      to: "config.toml")
    let set = try Self.chattr("+a", machine.target)
    guard set.status == 0 else { throw PreparedMachine.Failed(run: set) }
  }

  deinit { try? release() }

  /// Lets everything be done with the folder again.
  func release() throws { _ = try Self.chattr("-a", machine.target) }

  func run(_ arguments: [String], through: [String] = []) throws -> RunResult {
    try machine.run(arguments + ["--config", machine.path("config.toml")], through: through)
  }

  @discardableResult
  func create(_ more: [String] = [], through: [String] = []) throws -> RunResult {
    try run(["create", "--target", machine.target] + machine.secrets + more, through: through)
  }
}
