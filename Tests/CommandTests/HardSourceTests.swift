import FuekiSystem
import TestSupport
import Testing

/// A failing source, and a source that contains the target, on a whole machine.
struct HardSourceTests {
  private func create(_ machine: Machine, _ sources: [(kind: String, path: String)]) throws -> RunResult {
    let tables = sources.map { source in
      """
      [[source]]
      kind = "\(source.kind)"
      path = "\(machine.path(source.path))"

      """
    }
    try machine.write(
      """
      [[vault]]
      from = []
      [[target]]
      path = "\(machine.target)"
      kind = "local"

      """ + tables.joined(), to: "config.toml")
    return try machine.run(
      ["create", "--config", machine.path("config.toml")] + machine.archiveSecret + Machine.quick)
  }

  /// Every kind that reads a file.
  private static let kinds = [
    "vultisig", "frost", "cggmp21", "multi-party-sig", "dkls23", "fireblocks", "io.finnet", "unstoppable",
    "eip2335", "eip3076", "lnd", "solana", "core-lightning", "metamask", "monero", "wasabi", "keystore",
    "tss-lib", "fueki-app", "fueki-vault", "ownd", "electrum", "fueki-share", "bitcoin-core", "multisig",
    "sparrow", "bip329", "vcard", "csv-contacts",
  ]

  @Test(arguments: ["{\"crypto\": {\"kdf\": ", "\u{0}\u{1}no file of any wallet", "socket"])
  func `no kind whose file is broken keeps a healthy wallet out of the archive`(_ content: String) throws {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/broken"))
    try machine.write("healthy", to: "home/healthy/seed")
    if content == "socket" {
      try BuiltBinary.run(program: "/usr/bin/env", ["mkfifo", machine.path("home/broken/x")]).expect(0)
    } else {
      try machine.write(content, to: "home/broken/x")
    }
    let run = try create(machine, Self.kinds.map { ($0, "home/broken/x") } + [("file", "home/healthy")])
    #expect([3, 60].contains(run.status), "\(run.text) \(run.errors)")
    #expect(try machine.archives().count == 1)
    #expect(run.text.contains("file \"healthy\""), "\(run.text)")
    for kind in Self.kinds {
      #expect(run.text.contains("\(kind):\(machine.path("home/broken/x"))"), "\(kind)")
    }
  }

  @Test func `a drill and a diff go on where the only wallet of a source is gone`() throws {
    let machine = try Machine(isPrepared: false)
    let wallet = """
      {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "labels": {}, "contacts": {},
      "keystore": {"type": "bip32", "derivation": "m/0'", "root_fingerprint": "f4a32e43",
      "seed": "canary salmon nut prepare", "xpub":
      "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"
      }}
      """
    try machine.write(wallet, to: "home/gone/default_wallet")
    try machine.write("healthy", to: "home/healthy/seed")
    #expect(try create(machine, [("electrum", "home/gone"), ("file", "home/healthy")]).status == 0)
    try machine.remove("home/gone/default_wallet")
    let last = ["latest", "--config", machine.path("config.toml")] + machine.archiveSecret
    let drill = try machine.run(["drill"] + last, status: 0)
    let diff = try machine.run(["diff", "--live", "--exit-code"] + last, status: 60)
    for run in [drill, diff] { #expect(run.text.contains("removed"), "\(run.text)") }
  }

  @Test func `the archives of a target inside a source are left out and reported once`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write([UInt8](repeating: 7, count: 1000), to: "target/mine.txt")
    for number in 1...3 {
      let run = try create(machine, [("file", "target")]).expect(0)
      let said = run.text.split(separator: "\n").filter { $0.contains("target inside the source") }
      #expect(said.count == (number == 1 ? 0 : 1), "\(run.text)")
      // The rest is backed up.
      #expect(run.text.contains("1 secret file"), "\(run.text)")
    }
    let sizes = try machine.archives().map { try machine.read($0).count }
    #expect(sizes.count == 3 && sizes[2] < sizes[0] * 2, "\(sizes)")
  }
}
