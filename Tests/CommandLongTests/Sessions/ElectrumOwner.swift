import TestSupport
import Testing

/// The owner of an Electrum wallet and of a keystore: a backup, a new machine, and the files back.
@Suite(.enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"))
struct ElectrumOwner {
  private static let passphrase = "seven words that nobody else ever wrote"
  private static let files = [
    (".electrum/wallets/default_wallet", ImportedFiles.electrum),
    (".ethereum/keystore/UTC--2025-01-02--key", ImportedFiles.keystore),
  ]

  @Test func `three commands and one secret: set up, back up, and everything back`() throws {
    let machine = try Machine(isPrepared: false)
    for (path, text) in Self.files {
      try machine.makeFolder("home/" + path.split(separator: "/").dropLast().joined(separator: "/"))
      try machine.write(text, to: "home/\(path)")
    }
    let session = Session(machine)
    let setUp = try session.type(
      [
        ("the folder for the archives", machine.target), ("copy it elsewhere", "no"),
        ("new passphrase", Self.passphrase), ("the same again", Self.passphrase),
      ], ["init"] + Machine.quick)
    #expect(setUp.contains("found Electrum") && setUp.contains("found geth"), "\(setUp)")
    #expect(setUp.contains("on paper") && setUp.contains("fueki-backup schedule print"), "\(setUp)")
    // It ends with what to do, not with a page of units.
    #expect(!setUp.contains("[Service]") && setUp.split(separator: "\n").count < 30, "\(setUp)")

    let made = try session.type(["create"])
    #expect(made.contains("whole and proved") && !made.contains("passphrase"), "\(made)")

    try session.moveToNewMachine()
    let back = try session.type(
      [
        ("archive's passphrase", Self.passphrase),
        ("put them back into your home", ""),
      ], ["restore", machine.target])
    for (path, _) in Self.files {
      #expect(try machine.read("home/\(path)") == machine.read("new-home/\(path)"), "\(path)")
    }
    #expect(!back.contains("NOT BROUGHT BACK") && back.contains("Next steps:"), "\(back)")
    #expect(session.commands == 3 && session.prompts == 6)
    for text in [setUp, made, back] { #expect(!text.contains(Self.passphrase)) }

    // The command printed at the end does the same unattended.
    let line = try #require(back.split(separator: "\n").last { $0.hasPrefix("  fueki-backup restore ") })
    #expect(line.contains("--files home"), "\(line)")
    try machine.write(Self.passphrase, to: "paper")
    for gone in ["new-home", "new-state", "new-data"] { try machine.remove(gone) }
    try machine.makeFolder("new-home")
    let words = line.split(separator: " ").dropFirst().map {
      $0 == "file:FILE" ? "file:\(machine.path("paper"))" : String($0)
    }
    _ = try session.run(words + Machine.quick)
    for (path, _) in Self.files {
      #expect(try machine.read("home/\(path)") == machine.read("new-home/\(path)"), "\(path)")
    }
  }
}
