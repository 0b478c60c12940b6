import TestSupport
import Testing

/// Runs of a machine that lets no memory be locked, as in containers: secrets could reach the swap space.
struct MemoryLockTests {
  /// Without a limit, and without the privilege to lock more than it says.
  private static let script = """
    ulimit -l 0
    [ "$(id -u)" = 0 ] && exec setpriv --bounding-set=-ipc_lock "$@"
    exec "$@"
    """

  private func run(_ machine: Machine, _ arguments: [String]) throws -> RunResult {
    try machine.run(arguments, through: ["/bin/sh", "-c", Self.script, "sh"])
  }

  @Test func `a run that holds secrets warns if they could reach the swap space`() throws {
    let machine = try Machine()
    let create = ["create", "--target", machine.target, "-q"] + machine.secrets
    let made = try run(machine, create + ["--json"]).expect(0)
    #expect(made.errors.contains("warning: the system refused to lock memory (limit: 0 B)"), "\(made.errors)")
    #expect(try made.json()["memory_locked"] == .bool(false))
    // Also a run that fails, and none that has no secret.
    try run(machine, ["show", machine.path("none.fueki")] + machine.archiveSecret).expect(10)
    let verified = try run(machine, ["verify", machine.target, "--json"])
    #expect(verified.status == 0 && !verified.errors.contains("lock memory"), "\(verified.errors)")
    #expect(try verified.json()["memory_locked"] == nil)
    let open = try run(
      machine,
      ["verify", "latest", "--target", machine.target, "--depth", "contents"] + machine.archiveSecret)
    #expect(open.status == 0 && open.errors.contains("refused to lock memory"), "\(open.errors)")
    let usual = try machine.create()
    #expect(usual.status == 0 && !usual.errors.contains("lock memory"), "\(usual.errors)")
  }
}
