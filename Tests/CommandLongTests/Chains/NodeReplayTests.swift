import FuekiSystem
import TestSupport
import Testing

/// The requests to a Bitcoin Core node with descriptor wallets, and the handling of its answers.
///
/// A REPLAY: no package of this system has such a node (Debian's litecoind has none of these wallets), so a small HTTP
/// server returns the output of a real Bitcoin Core for `listdescriptors true`. It shows the requests, the credentials
/// and the handling of the answers, but not the answers of a current node.
@Suite(
  .enabled(if: isReplayable, "this machine has no python3-cryptography, or the fixtures are not here"))
struct NodeReplayTests {
  private static let listing = "wallet-desc-full"

  @Test func `descriptors that a node prints with their keys come into the archive beside the wallet`() throws
  {
    let machine = try Machine(isPrepared: false)
    let folder = machine.path("home/.bitcoin")
    try Directory.makePrivateDirectories(machine.path("made"))
    let made = try BuiltBinary.run(
      program: NodeAccess.python,
      ["\(Repository.path)/Tests/Foreign/core_wallet_files.py", machine.path("made")])
    try #require(made.status == 0, "\(made.errors)")
    for (name, file) in [(Self.listing, "plain"), ("locked", "encrypted")] {
      try Directory.makePrivateDirectories("\(folder)/wallets/\(name)")
      try machine.write(machine.read("made/\(file).dat"), to: "home/.bitcoin/wallets/\(name)/wallet.dat")
    }
    try machine.write("__cookie__:of this test", to: "home/.bitcoin/.cookie")
    let printed = try #require(Fixtures.folder("wallets/bitcoin-core")) + "/listdescriptors-private.json"
    let server = try Companion {
      [NodeAccess.python, "\(Repository.path)/Tests/Nodes/core_replay.py", folder, printed, "\($0)/port"]
    }
    try machine.write("rpcport=\(try server.text(in: "port"))\n", to: "home/.bitcoin/bitcoin.conf")

    let create = ["create", "--target", machine.target]
    let sources = [Self.listing, "locked"].flatMap {
      ["--from", "bitcoin-core:~/.bitcoin/wallets/\($0)/wallet.dat"]
    }
    let run = try machine.run(
      create + ["--accept=synced-keys", "--json"] + sources + machine.archiveSecret + Machine.quick)
    #expect(run.status == 0, "\(run.errors)\(run.text)")
    let asked = String(decoding: try machine.read("home/.bitcoin/asked"), as: UTF8.self)
    for name in [Self.listing, "locked"] {
      #expect(asked.contains("/wallet/\(name) backupwallet [\""), "\(asked)")
      #expect(asked.contains("/wallet/\(name) listdescriptors [true]\n"), "\(asked)")
    }

    let out = try machine.run(
      ["export", "latest", "--target", machine.target, "--format", "native", "--include-secrets"]
        + ["--output", machine.path("out")] + machine.archiveSecret)
    #expect(out.status == 0, "\(out.errors)")
    for name in [Self.listing, "locked"] {
      let path = ".bitcoin/wallets/\(name)/wallet.dat"
      #expect(try machine.read("out/home/\(path)") == machine.read("home/\(path)"))
    }
    var listings: [JSONValue] = []
    try machine.visit("out") { path, entry in
      guard entry.kind == .file, path.hasSuffix("listdescriptors.json") else { return }
      listings.append(try JSONValue(parsing: machine.read(path)))
    }
    // The wallet that is locked prints none, and its file is all that there is.
    #expect(try listings == [JSONValue(parsing: File.open(printed).readAll(limit: 1 << 20))])

    // Without a request, nothing is printed either.
    try machine.remove("home/.bitcoin/asked")
    try Directory.makePrivateDirectories(machine.path("home/.config/fueki-backup"))
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[vault]]
      from = []
      [[source]]
      kind = "bitcoin-core"
      path = "~/.bitcoin/wallets/\(Self.listing)/wallet.dat"
      include_private_keys = false
      [[source]]
      kind = "none"
      path = "~/.bitcoin"
      """, to: "home/.config/fueki-backup/config.toml")
    let without = try machine.run(["create", "--dry-run", "--json"])
    #expect(without.status == 0 || without.status == 3, "\(without.errors)")
    let again = String(decoding: try machine.read("home/.bitcoin/asked"), as: UTF8.self)
    #expect(again.contains("backupwallet") && !again.contains("listdescriptors"), "\(again)")
  }
}

private let isReplayable =
  Installed.runs(NodeAccess.python, ["-c", "import cryptography"])
  && Fixtures.folder("wallets/bitcoin-core") != nil
