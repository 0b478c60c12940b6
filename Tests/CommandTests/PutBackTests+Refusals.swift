import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Files that are never put back in their places.
extension PutBackTests {
  @Test func `what is run at log-in, and what lay elsewhere, stays in the archive`() throws {
    let pair = try LostMachine()
    for name in [".bashrc", ".ssh/id_ed25519", ".config/autostart/a.desktop", "fine.dat"] {
      try pair.write(Array(name.utf8), to: "home/\(name)")
    }
    try pair.write([7], to: "elsewhere/key")
    try pair.create(["file:~/", "file:\(pair.machine.path("elsewhere/key"))"])
    try pair.restore()
    let run = try pair.putBack(["--json"]).expect(3)
    #expect(try pair.snapshot(of: "new-home").keys.sorted() == ["new-home/fine.dat"])
    let waits = try run.json()["files"]?.elements.filter { $0["fate"] == .string("waits") } ?? []
    #expect(waits.filter { $0["reason"] == .string("startup") }.count == 3)
    #expect(waits.filter { $0["reason"] == .string("outside-home") }.count == 1)
    try pair.putBack(["--files", pair.machine.path("below")]).expect(3)
    #expect(pair.machine.exists("below/absolute\(pair.machine.path("elsewhere/key"))"))
    #expect(!pair.machine.exists("below/.bashrc") && !pair.machine.exists("below/.ssh"))
  }

  @Test func `what does harm where it is found goes beside its place, with a page`() throws {
    let pair = try LostMachine()
    try pair.write(
      Array(#"{"crypto":{"kdf":{},"checksum":{},"cipher":{}},"pubkey":"00","version":4}"#.utf8),
      to: "home/.lighthouse/mainnet/validators/0xab/voting-keystore.json")
    try pair.write([1, 2], to: "home/.lnd/data/graph/mainnet/channel.db")
    try pair.create(["file:~/.lighthouse", "file:~/.lnd"])
    try pair.restore()
    let run = try pair.putBack()
    #expect(run.status == 0 && run.errors.contains("channels"), "\(run.errors)")
    for name in [
      ".lighthouse/mainnet/validators/0xab/voting-keystore.json", ".lnd/data/graph/mainnet/channel.db",
    ] {
      #expect(!pair.machine.exists("new-home/\(name)"))
      #expect(
        try pair.machine.read("new-home/\(name).fueki-hold") == pair.machine.read("home/\(name)"), "\(name)")
      #expect(pair.machine.exists("new-home/\(name).fueki-hold.txt"))
    }
  }

  @Test func `an archive of an unknown vault places files only into an empty folder`() throws {
    let pair = try LostMachine()
    try pair.write(Array(ImportedFiles.keystore.utf8), to: "home/.ethereum/keystore/UTC--one")
    // A second key leaves the passphrase without proof.
    try pair.create(
      ["keystore:~/.ethereum/keystore"],
      ["--recipient", "age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl"])
    try pair.putBack().expect(23)
    #expect(try pair.snapshot(of: "new-home").isEmpty)
    try pair.write([1], to: "full/file")
    let full = try pair.putBack(["--files", pair.machine.path("full")])
    #expect(full.status == 23 && full.errors.contains("empty"), "\(full.errors)")
    try pair.putBack(["--files", pair.machine.path("fresh")]).expect(0)
    #expect(pair.machine.exists("fresh/.ethereum/keystore/UTC--one"))
  }

  @Test(.enabled(if: CurrentUser.identifier == 0, "only root has other people's homes"))
  func `nothing goes into another person's home`() throws {
    let pair = try LostMachine()
    try electrum(pair)
    _ = try BuiltBinary.run(program: "/bin/chown", ["12345", pair.machine.path("new-home")])
    for files in [[], ["--files", pair.machine.path("new-home")]] {
      let run = try pair.putBack(files)
      #expect(run.status == 1 && run.errors.contains("another person's"), "\(run.errors)")
    }
    #expect(try pair.snapshot(of: "new-home").isEmpty)
  }

  @Test func `create says which files put-back would leave in the archive`() throws {
    let pair = try LostMachine()
    for name in [".bashrc", ".newtool/a.json", "fine.dat"] {
      try pair.write(Array(name.utf8), to: "home/\(name)")
    }
    try pair.write([7], to: "elsewhere/key")
    let sources = ["file:~/", "file:\(pair.machine.path("elsewhere/key"))"]
    let made = try pair.create(sources).json()
    let unplaced = made["unplaced"]?.elements ?? []
    let said = unplaced.map { [$0["reason"]?.text ?? ""] + ($0["places"]?.elements.compactMap(\.text) ?? []) }
    #expect(
      said == [
        ["outside-home", pair.machine.path("elsewhere/key")], ["startup", "~/.bashrc"],
        ["not-for-wallets", "~/.newtool/a.json"],
      ], "\(said)")
    try pair.restore()
    let waits = try pair.putBack(["--json"]).json()["files"]?.elements.filter {
      $0["fate"] == .string("waits")
    }
    #expect(
      Set(waits?.compactMap { $0["place"]?.text } ?? [])
        == Set(said.flatMap { $0.dropFirst() }))
    let words = try pair.machine.run(
      ["create", "--target", pair.machine.target, "--accept=synced-keys"]
        + sources.flatMap { ["--from", $0] } + pair.machine.archiveSecret + Machine.quick)
    #expect(
      words.text.contains("put-back leaves ~/.bashrc in the archive: programs run or obey"), "\(words.text)")
  }
}
