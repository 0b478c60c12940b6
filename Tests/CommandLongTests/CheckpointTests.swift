import FuekiSystem
import TestSupport
import Testing

/// Checkpoints: what is older than they say is not accepted elsewhere.
struct CheckpointTests {
  private static let canScan = Installed.runs("/usr/bin/zbarimg", ["--version"])
  private static let canDraw = canScan && Installed.runs("/usr/bin/rsvg-convert", ["--version"])

  /// A machine with two signed archives and a checkpoint of the second.
  private func machine() throws -> (Machine, key: String) {
    let machine = try SigningMachine.make(isSealed: false)
    let key = ["--sign-key", machine.path("keys/signing.key")]
    for _ in 0..<2 { try #require(try machine.create(key).status == 0) }
    try machine.run(
      ["checkpoint", "export", "--target", machine.target, "--output", machine.path("checkpoint")] + key,
      status: 0)
    return (machine, try SigningMachine.publicKey(machine))
  }

  private func line(_ machine: Machine) throws -> String {
    String(decoding: try machine.read("checkpoint").dropLast(), as: UTF8.self)
  }

  /// As on another machine, which knows nothing.
  private func verify(_ machine: Machine, _ more: [String]) throws -> RunResult {
    try machine.run(
      ["verify", machine.target] + more, environment: ["FUEKI_STATE": machine.path("no-state")])
  }

  @Test func `a checkpoint finds that the newest archive is missing`() throws {
    let (machine, key) = try machine()
    let options = ["--checkpoint", "checkpoint", "--trusted-signer", key]
    try machine.remove(machine.archives()[0])
    #expect(try verify(machine, options).status == 0)
    let newest = try machine.archives()[1]
    try machine.copy(newest, to: "kept")
    try machine.remove(newest)
    #expect(try verify(machine, []).status == 0)
    try verify(machine, options).expect(24)
    let restored = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("new")] + machine.secrets
        + options, environment: ["FUEKI_STATE": machine.path("no-state")])
    #expect(restored.status == 24 && !machine.exists("new"))
    try machine.remove(machine.archives()[0])
    #expect(try verify(machine, options).status == 10)
    // Without archives of another vault.
    try machine.copy("kept", to: "target/back.fueki")
    #expect(try verify(machine, options).status == 0)
  }

  @Test func `a checkpoint is believed only of whom one trusts`() throws {
    let (machine, key) = try machine()
    let text = try line(machine)
    #expect(try verify(machine, ["--checkpoint", "checkpoint"]).status == 64)
    let other = String(repeating: "5a", count: 32)
    try machine.remove(machine.archives()[0])
    #expect(try verify(machine, ["--checkpoint", "checkpoint", "--trusted-signer", other]).status == 23)
    var words = text.split(separator: " ").map(String.init)
    words[2] = "9"
    try machine.write(words.joined(separator: " "), to: "forged")
    #expect(try verify(machine, ["--checkpoint", "forged", "--trusted-signer", key]).status == 23)
    for broken in ["", "nothing", String(text.dropLast()), text + " x", text.replacing(" ", with: "  ")] {
      try machine.write(broken, to: "broken")
      #expect(try verify(machine, ["--checkpoint", "broken", "--trusted-signer", key]).status == 64)
    }
    try machine.write(text.uppercased() + "\r\n", to: "upper")
    #expect(try verify(machine, ["--checkpoint", "upper", "--trusted-signer", key]).status == 0)
  }

  @Test func `only what this machine takes for the newest is signed`() throws {
    let (machine, _) = try machine()
    let older = try machine.path(machine.archives()[1])
    try machine.run(
      ["checkpoint", "export", older, "--sign-key", machine.path("keys/signing.key")], status: 24)
    // Any signer of the vault may state which archive is the newest.
    #expect(try machine.run(["checkpoint", "export", "--target", machine.target]).status == 0)
    try machine.run(
      ["key", "new-signer", "--output", machine.path("other.key"), "--no-passphrase"], status: 0)
    try machine.run(
      ["checkpoint", "export", "--target", machine.target, "--sign-key", machine.path("other.key")],
      status: 23)
  }

  @Test(.enabled(if: canScan, "this machine has no zbar-tools"))
  func `the code on the terminal reads back`() throws {
    let (machine, key) = try machine()
    let run = try machine.run(
      [
        "checkpoint", "export", "--target", machine.target, "--qr", "--sign-key",
        machine.path("keys/signing.key"),
      ])
    let lines = run.text.split(separator: "\n").map(String.init)
    #expect(lines.first == (try line(machine)))
    try machine.write(Self.picture(Array(lines.dropFirst())), to: "code.pgm")
    try expectScan("code.pgm", of: machine, key)
  }

  @Test(.enabled(if: canDraw, "this machine has no zbar-tools or librsvg2-bin"))
  func `the picture of the code reads back`() throws {
    let (machine, key) = try machine()
    try machine.run(
      ["checkpoint", "export", "--target", machine.target, "--svg", machine.path("code.svg"), "--sign-key"]
        + [machine.path("keys/signing.key")], status: 0)
    let drawn = try BuiltBinary.run(
      program: "/usr/bin/rsvg-convert",
      ["-w", "600", machine.path("code.svg"), "-o", machine.path("code.png")])
    #expect(drawn.status == 0, "\(drawn.errors)")
    try expectScan("code.png", of: machine, key)
  }

  private func expectScan(_ name: String, of machine: Machine, _ key: String) throws {
    let scan = try BuiltBinary.run(program: "/usr/bin/zbarimg", ["-q", "--raw", machine.path(name)])
    #expect(scan.text == (try line(machine)).uppercased() + "\n", "\(scan.errors)")
    try machine.write(scan.output, to: "scanned")
    try machine.remove(machine.archives()[0])
    #expect(try verify(machine, ["--checkpoint", "scanned", "--trusted-signer", key]).status == 0)
  }

  /// Half blocks as a grey picture, eight dots a module: full blocks are light, unless they are ink on paper.
  static func picture(_ lines: [String], isDark: Bool = false) -> [UInt8] {
    let width = lines.map(\.count).max() ?? 0
    var rows: [[UInt8]] = []
    for line in lines {
      let blocks = Array(line)
      rows.append(blocks.map { ($0 == "█" || $0 == "▀") != isDark ? 255 : 0 })
      rows.append(blocks.map { ($0 == "█" || $0 == "▄") != isDark ? 255 : 0 })
    }
    var bytes = [UInt8]("P5 \(width * 8) \(rows.count * 8) 255\n".utf8)
    for row in rows {
      let wide = row.flatMap { [UInt8](repeating: $0, count: 8) }
      for _ in 0..<8 { bytes += wide }
    }
    return bytes
  }
}
