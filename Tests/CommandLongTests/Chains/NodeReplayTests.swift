import FuekiSystem
import TestSupport
import Testing

/// The requests to a Bitcoin Core node with descriptor wallets, and the handling of its answers.
///
/// A REPLAY: no package of this system has such a node (Debian's litecoind has none of these wallets), so a small HTTP
/// server copies the files. It shows the requests, the credentials and the handling of the answers, but not the answers
/// of a current node.
@Suite(
  .enabled(
    if: Installed.runs(NodeAccess.python, ["-c", "import cryptography"]),
    "this machine has no python3-cryptography"))
struct NodeReplayTests {
  private static let wallets = [("open", "plain"), ("locked", "encrypted")]

  @Test func `the copies that a running node makes of its wallets come into the archive`() throws {
    let machine = try Machine(isPrepared: false)
    let folder = machine.path("home/.bitcoin")
    try Directory.makePrivateDirectories(machine.path("made"))
    let made = try BuiltBinary.run(
      program: NodeAccess.python,
      ["\(SourceTree.path)/Tests/Foreign/core_wallet_files.py", machine.path("made")])
    try #require(made.status == 0, "\(made.errors)")
    for (name, file) in Self.wallets {
      try Directory.makePrivateDirectories("\(folder)/wallets/\(name)")
      try machine.write(machine.read("made/\(file).dat"), to: "home/.bitcoin/wallets/\(name)/wallet.dat")
    }
    try machine.write("__cookie__:of this test", to: "home/.bitcoin/.cookie")
    let server = try Companion {
      [NodeAccess.python, "\(SourceTree.path)/Tests/Nodes/core_replay.py", folder, "\($0)/port"]
    }
    try machine.write("rpcport=\(try server.text(in: "port"))\n", to: "home/.bitcoin/bitcoin.conf")

    let create = ["create", "--target", machine.target]
    let sources = Self.wallets.flatMap { ["--from", "bitcoin-core:~/.bitcoin/wallets/\($0.0)/wallet.dat"] }
    try machine.run(
      create + ["--accept=synced-keys", "--json"] + sources + machine.archiveSecret + Machine.quick, status: 0
    )
    let asked = try machine.text("home/.bitcoin/asked")
    for (name, _) in Self.wallets {
      #expect(asked.contains("/wallet/\(name) backupwallet [\""), "\(asked)")
    }

    try machine.run(
      ["export", "latest", "--target", machine.target, "--format", "native", "--include-secrets"]
        + ["--output", machine.path("out")] + machine.archiveSecret, status: 0)
    for (name, _) in Self.wallets {
      let path = ".bitcoin/wallets/\(name)/wallet.dat"
      #expect(try machine.read("out/home/\(path)") == machine.read("home/\(path)"))
    }
  }
}
