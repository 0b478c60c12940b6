import FuekiSystem
import TestSupport
import Testing

/// `mend`, with Debian's `par2`.
@Suite(.enabled(if: Recovery.isInstalled, "this machine has no par2"))
struct MendTests {
  @Test(arguments: 0..<Recovery.damages.count)
  func `damage up to the recovery files is mended byte for byte`(_ kind: Int) throws {
    let recovery = try Recovery()
    var generator = random(UInt64(TestSeed.value) &+ UInt64(kind) &* 1000)
    for _ in 0..<3 {
      try recovery.reset()
      try Recovery.damages[kind](recovery, &generator)
      let damaged = try recovery.machine.read(recovery.archive)
      let run = try recovery.machine.run(["repair", recovery.path, "--json"])
      #expect(run.status == 0, "\(run.errors), seed \(TestSeed.value)")
      #expect(try recovery.machine.read(recovery.archive) == recovery.bytes)
      let aside = try recovery.machine.names(in: "target").filter { $0.contains(".damaged-") }
      #expect(aside.count == 1)
      #expect(try recovery.machine.read("target/\(aside.first ?? "")") == damaged)
      #expect(try run.json()["digest_known"] == .bool(true) && run.json()["proof"] == .string("state"))
      #expect(try recovery.machine.run(["verify", recovery.machine.target]).status == 0)
      #expect(!recovery.machine.exists("state/mending"))
    }
  }

  @Test(arguments: [false, true])
  func `an archive that a browser gave a number is mended, and the repaired blocks are counted`(
    _ areAllRenamed: Bool
  ) throws {
    let recovery = try Recovery()
    try recovery.damage { bytes in for place in [20_000, 40_000] { bytes[place] ^= 1 } }
    func number(_ name: String) throws -> String {
      let dot = try #require(name.lastIndex(of: "."))
      let renamed = "\(name[..<dot]) (1)\(name[dot...])"
      let from = recovery.machine.path("target/\(name)")
      try BuiltBinary.run(program: "/bin/mv", [from, recovery.machine.path("target/\(renamed)")]).expect(0)
      return renamed
    }
    let renamed = try number(recovery.name)
    if areAllRenamed { for file in recovery.files { _ = try number(file) } }
    let path = recovery.machine.path("target/\(renamed)")
    let verified = try recovery.machine.run(["verify", path])
    #expect(verified.text.contains("can be repaired: 2 of \(recovery.blocks) blocks"), "\(verified.text)")
    let run = try recovery.machine.run(["repair", path])
    #expect(run.status == 0 && run.text.contains("repaired: 2 blocks"), "\(run.text) \(run.errors)")
    #expect(try recovery.machine.read("target/\(renamed)") == recovery.bytes)
  }

  @Test(arguments: ["half", "all headers", "nothing left"])
  func `beyond them nothing is changed, and salvage is named`(_ kind: String) throws {
    let recovery = try Recovery()
    try recovery.damage { bytes in
      switch kind {
      case "half": for place in bytes.indices.dropFirst(bytes.count / 2) { bytes[place] = 0 }
      case "all headers": for place in stride(from: 0, to: bytes.count, by: 1000) { bytes[place] ^= 9 }
      default: bytes = []
      }
    }
    let before = try recovery.machine.snapshot(of: "target")
    let run = try recovery.machine.run(["repair", recovery.path], status: 20)
    #expect(run.errors.contains("--salvage"))
    #expect(try recovery.machine.snapshot(of: "target") == before)
    #expect(!recovery.machine.exists("state/mending"))
  }

  @Test func `a whole archive is left alone, and one without recovery files is not mended`() throws {
    let recovery = try Recovery()
    let before = try recovery.machine.snapshot(of: "target")
    let whole = try recovery.machine.run(["repair", recovery.path])
    #expect(whole.status == 0 && whole.text.contains("is whole"), "\(whole.text)\(whole.errors)")
    #expect(try recovery.machine.snapshot(of: "target") == before)
    let other = try recovery.machine.archives()[0]
    var bytes = try recovery.machine.read(other)
    bytes[20_000] ^= 1
    try recovery.machine.write(bytes, to: other)
    let run = try recovery.machine.run(["repair", recovery.machine.path(other)])
    #expect(run.status == 20 && run.errors.contains("no recovery files"), "\(run.errors)")
  }

  @Test func `without the program the archive is made, and the package is named`() throws {
    let recovery = try Recovery()
    let bare = ["PATH": recovery.machine.path("home")]
    let made = try recovery.machine.create(["--parity", "5%", "--json"], environment: bare)
    #expect(made.status == 3 && made.errors.contains("package par2"), "\(made.errors)")
    #expect(try made.json()["without_recovery_files"]?.elements.count == 1)
    #expect(try recovery.machine.archives().count == 3)
    try recovery.damage { $0[20_000] ^= 1 }
    let mended = try recovery.machine.run(["repair", recovery.path], environment: bare)
    #expect(mended.status == 1 && mended.errors.contains("package par2"), "\(mended.errors)")
    let verified = try recovery.machine.run(["verify", recovery.path], environment: bare)
    #expect(
      verified.status == 20 && verified.text.contains("unknown whether it can be repaired"),
      "\(verified.text)")
  }
}
