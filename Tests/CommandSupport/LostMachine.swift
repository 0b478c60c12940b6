import FuekiSystem
package import TestSupport
import Testing

/// A user's machine with files in its home, and its successor after it was lost.
package struct LostMachine {
  package static let time = "2021-02-03 04:05:06.123456"

  package let machine: Machine
  /// The environment on the new machine.
  package let other: [String: String]

  package init() throws {
    machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    other = try machine.places(of: "new")
  }

  /// Writes a file with a time of change to the microsecond.
  package func write(_ bytes: [UInt8], to name: String, permissions: UInt16 = 0o600) throws {
    try machine.write(bytes, to: name, permissions: permissions)
    _ = try BuiltBinary.run(program: "/usr/bin/touch", ["-d", Self.time, machine.path(name)])
  }

  @discardableResult
  package func create(_ sources: [String], _ more: [String] = []) throws -> RunResult {
    let run = try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys", "--json"]
        + sources.flatMap { ["--from", $0] } + machine.archiveSecret + Machine.quick + more)
    #expect(run.status == 0, "\(run.errors)\(run.text)")
    return run
  }

  /// The wallet's own data on the new machine, by which it knows whose the archives are.
  package func restore() throws {
    let run = try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target] + machine.secrets, environment: other
    )
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
  }

  package func putBack(_ more: [String] = [], through: [String] = []) throws -> RunResult {
    try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret + more, through: through,
      environment: other)
  }

  package func snapshot(of name: String) throws -> [String: [UInt8]] { try machine.snapshot(of: name) }

  /// Checks that a file of the new home equals that of the old one, with its time to the microsecond and these
  /// permissions.
  ///
  /// The suffix is the addition to its name if it was written next to its place.
  package func expectSame(_ name: String, permissions: UInt16 = 0o600, suffix: String = "") throws {
    let (old, new) = ("home/\(name)", "new-home/\(name)\(suffix)")
    #expect(try machine.read(new) == machine.read(old), "\(name)")
    let status = try File.open(machine.path(new)).status()
    let (time, wanted) = (status.modificationTime, try File.open(machine.path(old)).status().modificationTime)
    #expect(time.seconds == wanted.seconds, "\(name)")
    #expect(time.nanoseconds / 1000 == wanted.nanoseconds / 1000, "\(name)")
    #expect(status.permissions == permissions, "\(name)")
  }
}
