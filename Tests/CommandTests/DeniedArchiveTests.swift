import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Archives that belong to another user, as on the disk of an old machine.
///
/// The tests' user is root, whom the system lets read everything, so the commands run without that right.
@Suite(.enabled(if: CurrentUser.identifier == 0, "this machine's user cannot give files to another one"))
struct DeniedArchiveTests {
  private static let rights = "-dac_override,-dac_read_search"

  private let machine: Machine
  private var folder: String { machine.target }

  init() throws {
    machine = try Machine()
    for name in try machine.archives() { try run("chown", ["65534", machine.path(name)]) }
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    try BuiltBinary.run(program: "/bin/\(program)", arguments).expect(0)
  }

  private func denied(_ arguments: [String]) throws -> RunResult {
    try machine.run(
      arguments, through: ["/usr/bin/setpriv", "--bounding-set", Self.rights, "--inh-caps", Self.rights],
      environment: ["FUEKI_STATE": machine.path("new-state"), "FUEKI_DATADIR": machine.path("new-data")])
  }

  private var sentence: String { "permission denied: 1 archive in \(folder) belongs to user 65534" }

  @Test(arguments: ["restore latest", "list", "status", "verify latest"])
  func `each command says whose they are`(_ command: String) throws {
    let run = try denied(command.split(separator: " ").map(String.init) + ["--target", folder])
    let all = run.text + run.errors
    #expect(all.contains(sentence), "\(all)")
    for wrong in ["is this the right disk", "Is this the right disk", "nothing says where"] {
      #expect(!all.contains(wrong), "\(all)")
    }
  }

  @Test func `a folder that may not be read is named with its owner`() throws {
    try run("chown", ["65534", folder])
    try run("chmod", ["700", folder])
    let run = try denied(["restore", "latest", "--target", folder]).expect(1)
    #expect(run.errors.contains("permission denied: \(folder) belongs to user 65534"), "\(run.errors)")
  }

  @Test func `a copy of one's own can be restored, as the hint says`() throws {
    let refused = try denied(["restore", "latest", "--target", folder])
    let copy = machine.path("home/archives")
    #expect(
      refused.status == 1 && refused.errors.contains("sudo cp -rT \(folder) ~/archives"), "\(refused.errors)")
    try run("cp", ["-rT", folder, copy])
    try run("chown", ["-R", "0", copy])
    try run("chmod", ["-R", "u+rwX", copy])
    let restored = try denied(
      ["restore", "latest", "--target", copy, "--no-resync", "--files", "none"] + machine.secrets)
    #expect(restored.status == 0, "\(restored.text)\(restored.errors)")
  }
}
