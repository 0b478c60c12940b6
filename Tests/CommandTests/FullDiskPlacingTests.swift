import CommandSupport
import TestSupport
import Testing

/// Files that go back to a disk that has no room for all of them.
@Suite(.enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"))
struct FullDiskPlacingTests {
  @Test func `a file without room is listed, the others go back, and the next run brings it`() throws {
    let lost = try LostMachine()
    let machine = lost.machine
    try lost.write(Array("small, in a folder".utf8), to: "home/w/a/small")
    try lost.write([UInt8](repeating: 7, count: 200_000), to: "home/w/b/large")
    try lost.write(Array("small, beside them".utf8), to: "home/w/c")
    try lost.create(["file:\(machine.path("home/w"))"])
    try lost.restore()
    // Looked at from inside: the small disk is gone with the namespace.
    let small = Namespace.shell(
      """
      mkdir seen disk && mount -t tmpfs -o size=64k,mode=700 small disk
      "$@"; status=$?; cp -a disk/. seen; exit $status
      """, machine)
    let run = try lost.putBack(["--files", machine.path("disk")], through: small).expect(3)
    #expect(run.text.contains("LEFT IN THE ARCHIVE: \(machine.path("disk/w/b/large"))"), "\(run.text)")
    #expect(run.errors.contains("has no room for \(machine.path("disk/w/b/large"))"), "\(run.errors)")
    #expect(try machine.read("seen/w/a/small") == machine.read("home/w/a/small"))
    #expect(try machine.read("seen/w/c") == machine.read("home/w/c"))
    #expect(try machine.snapshot(of: "seen").values.filter { !$0.isEmpty }.count == 2)

    try lost.putBack(["--files", machine.path("seen")]).expect(0)
    #expect(try machine.read("seen/w/b/large") == machine.read("home/w/b/large"))
  }
}
