import FuekiSystem
import TestSupport
import Testing

/// What `init` finds out about a folder for archives, and asks.
@Suite(.enabled(if: Typist.isPossible))
struct TargetFolderTests {
  private static let config = "home/.config/fueki-backup/config.toml"

  /// A machine with a wallet that its own program does not encrypt.
  private static func machine() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/.electrum/wallets"))
    try machine.write(ImportedFiles.electrum, to: "home/.electrum/wallets/savings")
    return machine
  }

  private static let passphrases = [
    ("new passphrase", Machine.passphrase), ("the same again", Machine.passphrase),
  ]

  private func configuration(_ machine: Machine) throws -> String {
    String(decoding: try machine.read(Self.config), as: UTF8.self)
  }

  @Test(arguments: [
    ("home/Dropbox/backups", "Dropbox"), ("home/OneDrive - Work/backups", "OneDrive"),
    ("home/Nextcloud", "Nextcloud"), ("home/Google Drive/x", "Google Drive"), ("home/iCloudDrive", "iCloud"),
    ("home/shared/.stfolder", "Syncthing"),
  ])
  func `a folder of a known service is synced without a question about it`(
    _ folder: String, _ service: String
  ) throws {
    let machine = try Self.machine()
    try Directory.makePrivateDirectories(machine.path(folder))
    let target = folder.hasSuffix("/.stfolder") ? "home/shared" : folder
    let run = try machine.type(
      [("the folder for the archives", machine.path(target)), ("archives there, yes or no:", "no")]
        + Self.passphrases, ["init"] + Machine.quick)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.replacing("\r\n  ", with: " ").contains("\(service) copies elsewhere"), "\(run.text)")
    let text = try configuration(machine)
    #expect(text.contains("kind = \"synced\"") && text.contains("private_keys = false"), "\(text)")
    // What the person decided is no failure at night.
    let made = try machine.run(["create"])
    #expect(made.status == 0 && made.text.contains("left out"), "\(made.text) \(made.errors)")
  }

  @Test func `keys go to a synced folder once their owner says so`() throws {
    let machine = try Self.machine()
    let run = try machine.type(
      [
        ("the folder for the archives", machine.target), ("copy it elsewhere", "yes"),
        ("archives there, yes or no:", "yes"),
      ] + Self.passphrases, ["init"] + Machine.quick)
    #expect(run.status == 0, "\(run.text)")
    #expect(try configuration(machine).contains("private_keys = true"))
    let made = try machine.run(["create", "--json"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try made.json()["sections"]?["secret-files"] != nil)
  }

  @Test func `no default answers for a folder of which nothing is known`() throws {
    let machine = try Self.machine()
    let run = try machine.type(
      [
        ("the folder for the archives", machine.target), ("copy it elsewhere", ""), ("yes nor no", "no"),
      ] + Self.passphrases, ["init"] + Machine.quick)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("only your passphrase to guess") || run.text.contains("passphrase to"))
    #expect(try configuration(machine).contains("kind = \"local\""))
    #expect(try machine.run(["create"]).status == 0)
  }
}
