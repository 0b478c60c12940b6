import FuekiSystem
import TestSupport
import Testing

/// The findings and questions of `init` on a folder for archives.
@Suite(.enabled(if: Typist.isPossible))
struct TargetFolderTests {
  private static let config = "home/.config/fueki-backup/config.toml"

  /// A machine with a wallet that its own program does not encrypt.
  private static func machine() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: "home/.electrum/wallets/savings")
    return machine
  }

  private static let passphrases = [
    ("new passphrase", Machine.passphrase), ("the same again", Machine.passphrase),
  ]

  private func configuration(_ machine: Machine) throws -> String {
    try machine.text(Self.config)
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
      [("the folder for the archives", machine.path(target)), ("archives there", "no")]
        + Self.passphrases, ["init"] + Machine.quick, status: 0)
    #expect(unbroken(run).contains("\(service) copies elsewhere"), "\(run.text)")
    let text = try configuration(machine)
    #expect(text.contains("kind = \"synced\"") && text.contains("private_keys = false"), "\(text)")
  }

  /// The lines that an `init` on a terminal shows, each as one.
  private func unbroken(_ run: RunResult) -> String {
    run.text.replacing("\r\n", with: "\n").replacing("\n  ", with: " ")
  }

  private static let names = "left out by your decision: the unencrypted keys of electrum:"

  @Test func `keys that their owner left out are named by every create and status, and fail no night`() throws
  {
    let machine = try Self.machine()
    try Directory.makePrivateDirectories(machine.path("home/Dropbox"))
    let run = try machine.type(
      [("the folder for the archives", machine.path("home/Dropbox")), ("archives there", "no")]
        + Self.passphrases, ["init"] + Machine.quick, status: 0)
    #expect(unbroken(run).contains("Every target gets the same archive"), "\(run.text)")
    for night in [[], ["--on-change"]] {
      let made = try machine.run(["create"] + night, status: 0)
      let line = made.text.split(separator: "\n").filter { $0.hasPrefix(Self.names) }
      #expect(
        line.count == 1 && line[0].contains("/wallets. To include them, change private_keys"), "\(made.text)")
      let status = try machine.run(["status"])
      #expect(status.status == 0 && status.text.contains("\n\(Self.names)"), "\(status.text)")
    }
    for command in [
      ["create", "--json"], ["create", "--on-change", "--json"], ["create", "--dry-run", "--json"],
    ] {
      let declined = try machine.run(command).json()["declined_keys"]?[0]
      #expect(declined?["decision"] == .string("target"), "\(command)")
      #expect(
        declined?["source"] == .string("electrum:\(machine.path("home/.electrum/wallets"))"),
        "\(command)")
    }
    let document = try machine.run(["status", "--json"]).json()
    let declined = document["targets"]?[0]?["vaults"]?[0]?["declined_keys"]?[0]
    #expect(declined?["decision"] == .string("target"), "\(document)")
    // The other answer, written as the line says, brings them into the next archive.
    let text = try configuration(machine)
    try machine.write(text.replacing("private_keys = false", with: "private_keys = true"), to: Self.config)
    let after = try machine.run(["create", "--json"])
    #expect(try after.status == 0 && after.json()["sections"]?["secret-files"] != nil, "\(after.text)")
    let status = try machine.run(["status"])
    #expect(status.status == 0 && !status.text.contains("left out by your decision"), "\(status.text)")
  }

  @Test func `each target has its own kind, and a disk of one's own changes nothing for a synced folder`()
    throws
  {
    let machine = try Self.machine()
    try Directory.makePrivateDirectories(machine.path("home/Dropbox"))
    let targets = ["--target", machine.target, "--target", machine.path("home/Dropbox")]
    try machine.type(
      [
        ("copy it elsewhere", "no"),
        ("archives there", "no"),
      ]
        + Self.passphrases, ["init"] + targets + Machine.quick, status: 0)
    let tables = try configuration(machine).split(separator: "[[")
    let local = try #require(tables.first { $0.contains("\"\(machine.target)\"") })
    let synced = try #require(tables.first { $0.contains("/Dropbox\"") })
    #expect(local.contains("kind = \"local\"") && !local.contains("private_keys"), "\(local)")
    #expect(synced.contains("kind = \"synced\"") && synced.contains("private_keys = false"), "\(synced)")
    let made = try machine.run(["create", "--json"])
    #expect(try made.status == 0 && made.json()["sections"]?["secret-files"] == nil, "\(made.text)")
    #expect(try made.json()["targets"]?[1] != nil)
  }

  @Test func `an archive with keys for one synced folder is not copied to another without permission`()
    throws
  {
    let machine = try Self.machine()
    let vault = """
      [[vault]]
      from = []

      [[source]]
      kind = "electrum"
      path = "\(machine.path("home/.electrum/wallets/savings"))"

      """
    try Directory.makePrivateDirectories(machine.path("home/.config/fueki-backup"))
    let allowed = """
      [[target]]
      path = "\(machine.target)"
      kind = "synced"
      private_keys = true

      """
    try machine.write(allowed + vault, to: Self.config)
    try machine.run(["create", "--json"] + machine.archiveSecret + Machine.quick, status: 0)
    try Directory.makePrivateDirectories(machine.path("second"))
    let second = "[[target]]\npath = \"\(machine.path("second"))\"\nkind = \"synced\"\n"
    // After re-encryption, the keys are the same.
    try machine.write(allowed + second + vault, to: Self.config)
    try machine.write("another passphrase of six words here", to: "new", permissions: 0o600)
    let changed = try machine.run(
      ["key", "change-passphrase", "latest", "--new-passphrase-from", machine.place("new")]
        + machine.archiveSecret + Machine.quick)
    #expect(changed.status == 3 && changed.errors.contains("others can see"), "\(changed.errors)")
    #expect(try machine.archives().count == 2 && machine.names(in: "second").isEmpty)
    for (decision, status) in [("", 3), ("private_keys = false\n", 3), ("private_keys = true\n", 0)] {
      try machine.write(allowed + second + decision + vault, to: Self.config)
      let copied = try machine.run(["copy"])
      #expect(copied.status == Int32(status), "\(decision) \(copied.text) \(copied.errors)")
      #expect(try machine.names(in: "second").isEmpty == (status == 3))
    }
  }

  @Test func `no question and no key of the configuration lets unencrypted keys go to a remote`() throws {
    let machine = try Self.machine()
    try Directory.makePrivateDirectories(machine.path("home/.config/fueki-backup"))
    let text = "[[target]]\npath = \"rclone:cloud:backups\"\nkind = \"rclone\"\nprivate_keys = true\n"
    try machine.write(text, to: Self.config)
    let run = try machine.run(["config", "validate"])
    #expect(
      run.status == 64 && run.errors.contains("private_keys = true is for folders"),
      "\(run.text) \(run.errors)")
    try machine.write(text.replacing("= true", with: "= false"), to: Self.config)
    let declined = try machine.run(["config", "validate"])
    #expect(declined.status != 64 && !declined.errors.contains("private_keys"), "\(declined.errors)")
  }

  @Test func `keys go to a synced folder once their owner says so`() throws {
    let machine = try Self.machine()
    try machine.type(
      [
        ("the folder for the archives", machine.target), ("copy it elsewhere", "yes"),
        ("archives there", "yes"),
      ] + Self.passphrases, ["init"] + Machine.quick, status: 0)
    #expect(try configuration(machine).contains("private_keys = true"))
    let made = try machine.run(["create", "--json"], status: 0)
    #expect(try made.json()["sections"]?["secret-files"] != nil)
  }

  @Test func `create asks about a new folder, and its answer counts for this very run`() throws {
    let machine = try Self.machine()
    let wallet = machine.path("home/.electrum/wallets/savings")
    let run = try machine.type(
      [("copy it elsewhere", "yes"), ("archives there", "yes")],
      ["create", "--target", machine.target, "--include-private-keys", "--from", "electrum:\(wallet)"]
        + machine.archiveSecret + Machine.quick, status: 0)
    #expect(run.text.contains("secret file"), "\(run.text)")
    #expect(try configuration(machine).contains("private_keys = true"))
  }

  @Test func `no default answers for a folder of which nothing is known`() throws {
    let machine = try Self.machine()
    let run = try machine.type(
      [
        ("the folder for the archives", machine.target), ("copy it elsewhere", ""), ("yes nor no", "no"),
      ] + Self.passphrases, ["init"] + Machine.quick, status: 0)
    #expect(run.text.contains("only your passphrase to guess") || run.text.contains("passphrase to"))
    #expect(try configuration(machine).contains("kind = \"local\""))
    #expect(try machine.run(["create"]).status == 0)
  }
}
