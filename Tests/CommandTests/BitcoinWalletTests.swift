import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Bitcoin's wallets through the program: into an archive, back on another machine, and out for other wallets.
struct BitcoinWalletTests {
  private static let python = "/usr/bin/python3"
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
    ("multisig:~/Documents/both.bsms", "Documents/both.bsms"),
    ("sparrow:~/.sparrow/wallets", ".sparrow/wallets/savings.mv.db"),
  ]

  private static let canRun = Installed.runs(python, ["-c", "import cryptography"])

  private func prepared() throws -> LostMachine {
    let pair = try LostMachine()
    let made = pair.machine.path("home/made")
    try Directory.makePrivateDirectories(made)
    let run = try BuiltBinary.run(
      program: Self.python, ["\(SourceTree.path)/Tests/Foreign/core_wallet_files.py", made])
    try #require(run.status == 0, "\(run.errors)")
    let scripts = ["plain.dat", "encrypted.dat", "litecoin.dat"]
    for (script, file) in zip(scripts, Self.files) {
      try pair.write(pair.machine.read("home/made/\(script)"), to: "home/\(file.name)")
    }
    try pair.write(Array(Self.bsms.utf8), to: "home/\(Self.files[3].name)")
    let page = Array(Self.sparrow.utf8) + [UInt8](repeating: 7, count: 8192 - Self.sparrow.utf8.count)
    try pair.write(page, to: "home/\(Self.files[4].name)")
    try pair.create(Self.files.map(\.source))
    return pair
  }

  @Test(.enabled(if: canRun, "this machine has no python3-cryptography"))
  func `wallets come back byte for byte on another machine, with mode and time`() throws {
    let pair = try prepared()
    try pair.restore()
    let run = try pair.putBack(["--json"]).expect(0)
    let programs = try run.json()["files"]?.elements.compactMap { $0["program"]?.text } ?? []
    #expect(Set(programs).isSuperset(of: ["bitcoin-core", "litecoin-core", "sparrow"]))
    for file in Self.files { try pair.expectSame(file.name) }
  }

  @Test(.enabled(if: canRun, "this machine has no python3-cryptography"))
  func `labels, encrypted descriptors and files as they lay come out of an archive`() throws {
    let machine = try prepared().machine
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
        try machine.read("native/home/\(file.name)") == machine.read("home/\(file.name)"), "\(file.name)")
      let new = try File.open(machine.path("native/home/\(file.name)")).status()
      #expect(new.permissions == 0o600 && new.modificationTime.nanoseconds == 123_456_000, "\(file.name)")
    }
    #expect(try machine.names(in: "native") == ["home"])

    run = try export("bip329")
    #expect(run.status == 0, "\(run.errors)")
    let lines = try machine.text("bip329/labels.jsonl").split(
      separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("\"label\":\"Miete\"") })
    // Exported labels can be imported again.
    try machine.run(
      ["import", machine.path("bip329/labels.jsonl"), "--datadir", machine.path("labels-data")], status: 0)

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
    let machine = try prepared().machine
    try machine.run(
      ["export", "latest", "--target", machine.target, "--output", machine.path("out")]
        + machine.archiveSecret, status: 0)
    let manifest = try machine.text("out/manifest.json")
    for (kind, reason) in [
      ("bitcoin-core", "address"), ("bitcoin-core", "needs-password"),
      ("multisig", "address"), ("sparrow", "not-read"),
    ] {
      #expect(manifest.contains(kind) && manifest.contains(reason), "\(kind) \(reason): \(manifest)")
    }
  }
}
