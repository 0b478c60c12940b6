import FuekiSystem
import TestSupport
import Testing

/// Bitcoin's wallets through the program: into an archive, back on another machine, and out for other wallets.
struct BitcoinWalletTests {
  private static let python = "/usr/bin/python3"
  private static let time = "2021-02-03 04:05:06.123456"
  private static let bsms = """
    BSMS 1.0
    wsh(sortedmulti(2,[8188029f/48'/0'/0'/2']xpub6EMVvcTUbaABdaPLaVWE72CjcN72URa5pKK1knrKLz1hKaDwUkgddc3832a8MHEpLyuow7MfjMRomt2iMtwPH4pWrFLft4JsquHjeZfKsYp/**,[3bd5c9b0/48'/0'/0'/2']xpub6EbTHAgvzZtVppjLPXia2prt6T2w7DD2VQ8gysgV6ECzmKkA6zt4WR3hX4bgciTDrnaneZoJbA19tYKBMrWuA89SbgYAdbMNWmtzrgLhqco/**))
    /0/*,/1/*
    bc1qfagqa83vrv9phj0886rlx6d68zzd7gejtr0ns8xxfeckve27397q6vq47w

    """
  private static let sparrow = "H2encrypt\n01234567SPRW1\n0123456789abcdef"

  /// A source, and its file.
  private static let files: [(source: String, name: String)] = [
    ("bitcoin-core:~/.bitcoin/wallets/plain/wallet.dat", ".bitcoin/wallets/plain/wallet.dat"),
    ("bitcoin-core:~/.bitcoin/wallets/locked/wallet.dat", ".bitcoin/wallets/locked/wallet.dat"),
    ("bitcoin-core:~/.litecoin/wallet.dat", ".litecoin/wallet.dat"),
    ("bitcoin-core:~/listed.json", "listed.json"),
    ("multisig:~/Documents/both.bsms", "Documents/both.bsms"),
    ("sparrow:~/.sparrow/wallets", ".sparrow/wallets/savings.mv.db"),
  ]

  private static let canRun = Installed.runs(python, ["-c", "import cryptography"])

  private func same(_ machine: Machine, _ one: String, _ other: String) throws -> Bool {
    try machine.read(one) == machine.read(other)
  }

  private func prepared() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    let made = machine.path("home/made")
    try Directory.makePrivateDirectories(made)
    let run = try BuiltBinary.run(
      program: Self.python, ["\(Repository.path)/Tests/Foreign/core_wallet_files.py", made])
    try #require(run.status == 0, "\(run.errors)")
    func put(_ bytes: [UInt8], _ name: String) throws {
      let folder = String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)])
      try Directory.makePrivateDirectories(machine.path("home/\(folder)"))
      try machine.write(bytes, to: "home/\(name)")
      _ = try BuiltBinary.run(
        program: "/usr/bin/touch", ["-d", Self.time, machine.path("home/\(name)")])
    }
    try put(machine.read("home/made/plain.dat"), Self.files[0].name)
    try put(machine.read("home/made/encrypted.dat"), Self.files[1].name)
    try put(machine.read("home/made/litecoin.dat"), Self.files[2].name)
    try put(machine.read("home/made/listed-private.json"), Self.files[3].name)
    try put(Array(Self.bsms.utf8), Self.files[4].name)
    let page = Array(Self.sparrow.utf8) + [UInt8](repeating: 7, count: 8192 - Self.sparrow.utf8.count)
    try put(page, Self.files[5].name)
    let created = try machine.run(
      ["create", "--target", machine.target, "--private-keys-to-synced", "--json"]
        + Self.files.flatMap { ["--from", $0.source] } + machine.archiveSecret + Machine.quick)
    #expect(created.status == 0, "\(created.errors)\(created.text)")
    return machine
  }

  @Test(.enabled(if: canRun, "this machine has no python3-cryptography"))
  func `wallets come back byte for byte on another machine, with mode and time`() throws {
    let machine = try prepared()
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try Directory.makePrivateDirectories(machine.path("new-home"))
    let other = [
      "HOME": machine.path("new-home"), "FUEKI_STATE": machine.path("new-state"),
      "FUEKI_DATADIR": machine.path("new-data"),
    ]
    let restored = try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target] + machine.secrets, environment: other)
    #expect(restored.status == 0 || restored.status == 3, "\(restored.errors)")
    let run = try machine.run(
      ["put-back", "--target", machine.target, "--json"] + machine.archiveSecret, environment: other)
    #expect(run.status == 0, "\(run.errors)\(run.text)")
    let programs = try run.json()["files"]?.elements.compactMap { $0["program"]?.text } ?? []
    #expect(Set(programs).isSuperset(of: ["bitcoin-core", "litecoin-core", "sparrow"]))
    for file in Self.files {
      #expect(try same(machine, "new-home/\(file.name)", "home/\(file.name)"), "\(file.name)")
      let old = try File.open(machine.path("home/\(file.name)")).status()
      let new = try File.open(machine.path("new-home/\(file.name)")).status()
      #expect(new.permissions == old.permissions, "\(file.name)")
      #expect(new.modificationTime.seconds == old.modificationTime.seconds, "\(file.name)")
      #expect(
        new.modificationTime.nanoseconds / 1000 == old.modificationTime.nanoseconds / 1000, "\(file.name)")
    }
  }

  @Test(.enabled(if: canRun, "this machine has no python3-cryptography"))
  func `labels, encrypted descriptors and files as they lay come out of an archive`() throws {
    let machine = try prepared()
    func export(_ format: String, _ more: [String] = []) throws -> RunResult {
      try machine.run(
        [
          "export", "latest", "--target", machine.target, "--format", format, "--output",
          machine.path(format),
        ]
          + more + machine.archiveSecret)
    }
    var run = try export("native", ["--include-secrets"])
    #expect(run.status == 0, "\(run.errors)")
    for file in Self.files {
      #expect(
        try same(machine, "native/home/\(file.name)", "home/\(file.name)"), "\(file.name)")
      let new = try File.open(machine.path("native/home/\(file.name)")).status()
      #expect(new.permissions == 0o600 && new.modificationTime.nanoseconds == 123_456_000, "\(file.name)")
    }
    #expect(try machine.names(in: "native") == ["home"])

    run = try export("bip329")
    #expect(run.status == 0, "\(run.errors)")
    let lines = String(decoding: try machine.read("bip329/labels.jsonl"), as: UTF8.self).split(
      separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("\"label\":\"Miete\"") })
    // What comes out goes in again.
    let back = try machine.run(
      ["import", machine.path("bip329/labels.jsonl"), "--datadir", machine.path("labels-data")])
    #expect(back.status == 0, "\(back.errors)")

    run = try export("bed")
    #expect(run.status == 0, "\(run.errors)")
    let names = try machine.names(in: "bed")
    #expect(names.count > 20 && names.allSatisfy { $0.hasSuffix(".bed") })
    let bytes = try machine.read("bed/\(names[0])")
    #expect(bytes.starts(with: Array("BEB\u{1}".utf8)))

    run = try export("bed", ["--only", "secrets", "--include-secrets"])
    #expect(run.status == 64, "\(run.errors)")
  }

  @Test(.enabled(if: canRun, "this machine has no python3-cryptography"))
  func `the archive keeps what each wallet is worth`() throws {
    let machine = try prepared()
    let run = try machine.run(
      ["export", "latest", "--target", machine.target, "--output", machine.path("out")]
        + machine.archiveSecret)
    #expect(run.status == 0, "\(run.errors)")
    let manifest = try String(decoding: machine.read("out/manifest.json"), as: UTF8.self)
    for (kind, reason) in [
      ("bitcoin-core", "address"), ("bitcoin-core", "needs-password"), ("bitcoin-core", "wholeness"),
      ("multisig", "address"), ("sparrow", "not-read"),
    ] {
      #expect(manifest.contains(kind) && manifest.contains(reason), "\(kind) \(reason): \(manifest)")
    }
  }
}
