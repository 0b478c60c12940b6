import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// A wallet of Monero through an archive to another machine, where Monero's own program opens it.
struct MoneroProgramTests {
  private static let program = "/usr/bin/monero-wallet-cli"
  private static let canRun = Installed.runs(program)
  private static let password = "päss wort"

  /// Runs Monero's program without any network, in a home.
  private func monero(_ machine: Machine, _ home: String, _ arguments: [String]) throws -> RunResult {
    try BuiltBinary.run(
      program: Self.program,
      ["--testnet", "--offline", "--password", Self.password, "--log-file", machine.path("\(home)/log")]
        + arguments,
      environment: ["HOME": machine.path(home)], timeout: 120)
  }

  private func address(_ machine: Machine, _ home: String) throws -> String? {
    let run = try monero(
      machine, home,
      ["--wallet-file", machine.path("\(home)/Monero/wallets/main/main"), "--command", "address"])
    #expect(run.status == 0, "\(run.errors)\(run.text)")
    // `0  ADDRESS  Primary address`
    return run.text.split(separator: "\n").last { $0.contains("Primary address") }
      .flatMap { $0.split(separator: " ").dropFirst().first }.map(String.init)
  }

  @Test(.enabled(if: canRun, "this machine has no monero-wallet-cli"))
  func `a wallet is proved, comes back on another machine, and opens there with the same address`() throws {
    let pair = try LostMachine()
    let machine = pair.machine
    try Directory.makePrivateDirectories(machine.path("home/Monero/wallets/main"))
    let made = try monero(
      machine, "home",
      [
        "--generate-new-wallet", machine.path("home/Monero/wallets/main/main"), "--mnemonic-language",
        "English",
        "--command", "save",
      ])
    try #require(made.status == 0, "\(made.errors)\(made.text)")
    try machine.write("#!/bin/sh\nprintf %s '\(Self.password)'\n", to: "ask", permissions: 0o700)
    let created = try machine.create(
      fromOnly: "monero", at: machine.path("home/Monero/wallets/main/main.keys"),
      passwordCommand: machine.path("ask"))
    #expect(created.status == 0, "\(created.errors)")
    #expect(
      created.text.contains("monero \"main.keys\": whole and proved: its keys lead to its address"),
      "\(created.text)")

    try pair.restore()
    try pair.putBack().expect(0)
    for name in ["main", "main.keys", "main.address.txt"] {
      let file = "Monero/wallets/main/\(name)"
      #expect(try machine.read("new-home/\(file)") == machine.read("home/\(file)"), "\(name)")
    }
    let stated = try machine.read("home/Monero/wallets/main/main.address.txt")
    let opened = try #require(try address(machine, "new-home"))
    #expect(Array(opened.utf8) == stated)
    #expect(try address(machine, "home") == opened)
  }
}
