import FuekiSystem
import TestSupport
import Testing

/// The administrator: set up, a timer, a night, another passphrase, and the night after that.
@Suite(.enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"))
struct Administrator {
  private static let old = "of the first year, forty letters long"
  private static let new = "of the second year, forty letters too"

  /// Runs the service's unit, with its credentials.
  private func night(_ session: Session, ends status: Int32 = 0) throws -> RunResult {
    let machine = session.machine
    let unit = try machine.text("units/fueki-backup.service")
    let lines = unit.split(separator: "\n")
    try machine.makeFolder("credentials")
    for line in lines where line.hasPrefix("LoadCredential=") {
      let parts = line.dropFirst("LoadCredential=".count).split(separator: ":").map(String.init)
      let copied = try BuiltBinary.run(
        program: "/bin/cp", [parts[1], machine.path("credentials/\(parts[0])")])
      #expect(copied.status == 0, "\(copied.errors)")
    }
    let start = try #require(lines.first { $0.hasPrefix("ExecStart=") })
    let words = start.dropFirst("ExecStart=".count).split(separator: "\"").filter { $0 != " " }.map {
      String($0).replacing("%d", with: machine.path("credentials"))
    }
    return try session.run(
      Array(words.dropFirst()), ends: status, ["CREDENTIALS_DIRECTORY": machine.path("credentials")])
  }

  @Test func `from init to a timer to another passphrase, and no night fails unheard`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.makeFolder("home/.electrum/wallets")
    try machine.write(ImportedFiles.electrum, to: "home/.electrum/wallets/default_wallet")
    let session = Session(machine)
    let setUp = try session.type(
      [
        ("the folder for the archives", machine.target), ("copy it elsewhere", "no"),
        ("new passphrase", Self.old), ("the same again", Self.old),
      ], ["init"] + Machine.quick)
    // The command that it prints, with a folder for the units.
    let line = try #require(setUp.split(separator: "\n").last { $0.contains("schedule print --systemd") })
    let words = line.split(separator: " ").dropFirst().map { String($0).replacing("'", with: "") }
    try machine.makeFolder("units")
    _ = try session.run(words + ["--output", machine.path("units")])
    _ = try night(session)
    #expect(try machine.archives().count == 1)
    #expect(try session.type(["status"]).contains("All is well"))

    try machine.makeFolder("home/.config/systemd/user")
    try machine.copy("units/fueki-backup.service", to: "home/.config/systemd/user/fueki-backup.service")
    let changed = try session.type(
      [
        ("archive's passphrase", "a typo"), ("Wrong passphrase", Self.old),
        ("new passphrase", Self.new), ("the same again", Self.new), ("into that file", "no"),
      ], ["key", "change-passphrase", "latest"] + Machine.quick)
    let kept = machine.path("home/.config/fueki-backup/passphrase")
    #expect(changed.contains("still have the old passphrase"), "\(changed)")
    #expect(changed.contains("\(kept) (passphrase_file in "), "\(changed)")
    #expect(changed.contains("LoadCredential= in "), "\(changed)")
    for text in [Self.old, Self.new] { #expect(!changed.contains(text)) }

    // A timer that still has the old one seals nothing with it, which is reported before the night.
    let warned = try session.run(["status"], ends: 60)
    #expect(warned.text.contains("\(kept) (passphrase_file in "), "\(warned.text)")
    let refused = try night(session, ends: 12)
    #expect(refused.errors.contains("does not open the vault's last archive"), "\(refused.errors)")
    #expect(try machine.archives().count == 2)
    try machine.write(Self.new, to: "home/.config/fueki-backup/passphrase")
    _ = try night(session)
    #expect(try machine.archives().count == 3)
    #expect(session.commands == 8 && session.prompts == 9)
  }
}
