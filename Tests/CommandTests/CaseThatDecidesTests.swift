import FuekiSystem
import TestSupport
import Testing

/// The owner of an Electrum wallet and of a keystore with a disk: set up, a night, a crash, and back.
struct CaseThatDecidesTests {
  private static let python = "/usr/bin/python3"
  private static let hasElectrum =
    Typist.isPossible && Installed.runs(python, ["-c", "import electrum, cryptography"])
  private static let account = "\(SourceTree.path)/.build/python/bin/python"
  private static let hasAccount = Installed.runs(account, ["-c", "import eth_account"])
  private static let passphrase = "typed by hand, 29 letters"
  private static let files = [".electrum/wallets/default_wallet", ".ethereum/keystore/UTC--2025-01-02--key"]

  /// Opens a wallet with Electrum, and prints its first address.
  private static let opener = """
    import os, sys
    from electrum import constants, util
    from electrum.simple_config import SimpleConfig
    from electrum.storage import WalletStorage
    from electrum.wallet import Wallet
    from electrum.wallet_db import WalletDB
    util.create_and_start_event_loop()
    constants.set_regtest()
    config = SimpleConfig({"electrum_path": sys.argv[2], "offline": True})
    storage = WalletStorage(sys.argv[1])
    storage.decrypt("pässword 1")
    wallet = Wallet(WalletDB(storage.read(), manual_upgrades=False), storage, config=config)
    print(wallet.get_receiving_addresses()[0], flush=True)
    os._exit(0)
    """

  private func run(_ program: String, _ arguments: [String]) throws -> RunResult {
    let run = try BuiltBinary.run(program: program, arguments)
    #expect(run.status == 0, "\(arguments): \(run.text) \(run.errors)")
    return run
  }

  /// The wallets as their programs wrote them, with a copy to compare with; the wallet's first address.
  private func wallets(_ machine: Machine) throws -> String {
    try Directory.makePrivateDirectories(machine.path("made"))
    _ = try run(
      Self.python, ["\(SourceTree.path)/Tests/Foreign/electrum_files.py", machine.path("made")])
    for folder in ["home/.electrum/wallets", "home/.ethereum/keystore"] {
      try Directory.makePrivateDirectories(machine.path(folder))
    }
    try machine.copy("made/whole", to: "home/\(Self.files[0])")
    try machine.write(ImportedFiles.keystore, to: "home/\(Self.files[1])")
    for (file, time) in zip(Self.files, ["2025-01-02 03:04:05.123456", "2024-05-06 07:08:09.654321"]) {
      _ = try run("/usr/bin/touch", ["-d", time, machine.path("home/\(file)")])
      _ = try run("/bin/chmod", ["600", machine.path("home/\(file)")])
    }
    try machine.copy("home", to: "before")
    return try #require(JSONValue(parsing: machine.read("made/expected.json"))["address"]?.text)
  }

  /// The words of the service's command that `init` printed, and the credential that it is handed.
  private func service(_ text: String) throws -> (arguments: [String], passphrase: String) {
    func value(_ name: String) -> Substring? {
      text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }?.dropFirst(name.count)
    }
    let words = try #require(value("ExecStart=")).split(separator: "\"").filter { $0 != " " }.map(String.init)
    return (
      Array(words.dropFirst()), String(try #require(value("LoadCredential=fueki-passphrase:")))
    )
  }

  @Test(.enabled(if: hasElectrum, "this machine has no python3-electrum"))
  func `three commands and four prompts bring both files back to where their programs look`() throws {
    let machine = try Machine(isPrepared: false)
    let address = try wallets(machine)
    let setUp = try machine.type(
      [("new passphrase", Self.passphrase), ("the same again", Self.passphrase)],
      ["init", "-v", "--target", machine.target, "--target-kind", "local"] + Machine.quick)
    #expect(setUp.status == 0, "\(setUp.text)")
    #expect(
      setUp.text.contains("~/.electrum") && setUp.text.contains("~/.ethereum/keystore"), "\(setUp.text)")
    #expect(setUp.text.contains("OnCalendar="))

    let service = try service(setUp.text)
    try Directory.makePrivateDirectories(machine.path("credentials"))
    _ = try run("/bin/cp", [service.passphrase, machine.path("credentials/fueki-passphrase")])
    let night = try machine.run(
      service.arguments, environment: ["CREDENTIALS_DIRECTORY": machine.path("credentials")])
    #expect(night.status == 0, "\(service.arguments): \(night.text) \(night.errors)")
    #expect(try machine.archives().count == 1)

    for gone in ["home", "state", "credentials", "made"] { try machine.remove(gone) }
    try Directory.makePrivateDirectories(machine.path("home"))
    let back = try machine.type(
      [("passphrase (", Self.passphrase), ("put them back into your home", "")],
      ["restore", machine.target])
    #expect(back.status == 0, "\(back.text)")
    #expect(!back.text.contains("NOT BROUGHT BACK"), "\(back.text)")
    for file in Self.files {
      let (old, new) = (machine.path("before/\(file)"), machine.path("home/\(file)"))
      _ = try run("/usr/bin/cmp", [old, new])
      let status = ["-c", "%a %y"]
      #expect(try run("/usr/bin/stat", status + [old]).text == run("/usr/bin/stat", status + [new]).text)
    }
    let opened = try run(
      Self.python, ["-c", Self.opener, machine.path("home/\(Self.files[0])"), machine.path("tmp")])
    #expect(opened.text.contains(address))
    guard Self.hasAccount else { return }
    let key = try run(
      Self.account,
      [
        "-c",
        "import sys, eth_account; print(eth_account.Account.decrypt(open(sys.argv[1]).read(), 'testpassword').hex())",
        machine.path("home/\(Self.files[1])"),
      ])
    #expect(key.text.contains("7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"))
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `a terminal is asked once whether an undeclared folder is copied elsewhere`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: "wallet")
    let command =
      ["create", "--from", "electrum:wallet", "--target", machine.target] + machine.archiveSecret
      + Machine.quick
    let asked = try machine.type([("elsewhere", "no")], command)
    #expect(asked.status == 0 && asked.text.contains("whole and proved"), "\(asked.text)")
    let text = try machine.text("home/.config/fueki-backup/config.toml")
    #expect(text.contains("path = \"\(machine.target)\"") && text.contains("kind = \"local\""), "\(text)")
    let again = try machine.type([], command)
    #expect(again.status == 0 && !again.text.contains("elsewhere"), "\(again.text)")
    // In any spelling of the folder, and without a terminal.
    #expect(try machine.run(command.map { $0 == machine.target ? "target/" : $0 }).status == 0)
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `a folder that is copied elsewhere gets no secret in the clear, and unattended runs do not ask`()
    throws
  {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: "wallet")
    let command =
      ["create", "--from", "electrum:wallet", "--target", machine.target] + machine.archiveSecret
      + Machine.quick
    #expect(try machine.run(command).status == 3)
    #expect(!machine.exists("home/.config/fueki-backup/config.toml"))
    // The user's decision is reported each time, and is no failure.
    for answers in [[("elsewhere", "yes"), ("archives there", "no")], []] {
      let asked = try machine.type(answers, command)
      #expect(asked.status == 0 && asked.text.contains("seed left out"), "\(asked.text)")
      #expect(asked.text.contains("left out by your decision"), "\(asked.text)")
    }
  }

  @Test func `what a restore leaves behind is named at its end, with what to do next`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: "wallet")
    try machine.write(ImportedFiles.keystore, to: "home/key")
    let target = ["--target", machine.target] + machine.archiveSecret + Machine.quick
    try machine.run(
      ["create", "--from", "electrum:wallet", "--from", "keystore:\(machine.path("home/key"))"] + target,
      status: 3)
    let run = try machine.run(
      ["restore", machine.target, "--datadir", machine.path("new"), "--keychain-passphrase-from"]
        + [machine.place("passphrase")] + machine.archiveSecret + Machine.quick, status: 3)
    let all = run.text.split(separator: "NOT BROUGHT BACK").last ?? ""
    let parts = all.split(separator: "Came back, and needs you:")
    #expect(parts.count == 2, "\(run.text)")
    let (end, unfinished) = (parts[0], parts.last ?? "")
    #expect(end.contains("wallet: the file holds secrets in the clear") && end.contains("older archive"))
    #expect(!end.contains("seed left out") && unfinished.contains("seed left out"))
    #expect(unfinished.contains("next: enter its seed phrase"))
    #expect(
      end.contains("~/key: left in the archive") && end.contains("next: fueki-backup put-back"), "\(end)")
  }
}
