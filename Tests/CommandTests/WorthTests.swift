import TestSupport
import Testing

/// The findings on the backup of each wallet, from `create` to the recovery kit.
struct WorthTests {
  private static let proved = "electrum \"wallet\": whole and proved: its secret leads to its public key"
  private static let leftOut = "electrum \"wallet\": cannot spend: seed left out"
  private static let faulty = "electrum \"wallet\": NOT SOUND: the secret does not match its public key"

  /// Another wallet's public key next to the secret.
  private static let otherKey = ImportedFiles.electrum.replacing(
    "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u",
    with:
      "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1UfwSeVrr67LThvv9wDxRViknJ6SrDJjQC9inA4EwNPHeabxSv4f4"
  )

  private func machine(_ wallet: String) throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try machine.write(wallet, to: "wallet")
    return machine
  }

  private func create(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(
      ["create", "--from", "electrum:wallet", "--target", machine.target] + machine.archiveSecret
        + Machine.quick + more)
  }

  @Test func `a wallet whose secret leads to its public key is proved, and everywhere said to be`() throws {
    let machine = try machine(ImportedFiles.electrum)
    let target = ["--target", machine.target]
    let made = try create(machine, ["--accept=synced-keys"])
    #expect(made.status == 0 && made.text.contains(Self.proved), "\(made.text) \(made.errors)")
    let shown = try machine.run(["show", "latest"] + target + machine.archiveSecret)
    #expect(shown.text.contains("wallet    \(Self.proved)"), "\(shown.text)")
    let status = try machine.run(["status"] + target)
    #expect(status.status == 0 && status.text.contains(Self.proved), "\(status.text)")
    let kit = try machine.run(["kit", "print"] + target)
    #expect(
      kit.text.contains("electrum wallet: whole and proved\n"),
      "\(kit.text)")
    let restored = try machine.run(
      ["restore", "latest", "--datadir", machine.path("new"), "--keychain-passphrase-from"]
        + [machine.place("passphrase"), "--files", "none"] + target + machine.archiveSecret + Machine.quick)
    #expect(restored.text.contains("  \(Self.proved)"), "\(restored.text) \(restored.errors)")
  }

  @Test func `a wallet whose secret stays behind is called no money`() throws {
    let machine = try machine(ImportedFiles.electrum)
    let made = try create(machine)
    #expect(made.status == 3 && made.text.contains(Self.leftOut), "\(made.text)")
    let wallets = try machine.run(["status", "--target", machine.target, "--json"])
      .json()["targets"]?[0]?["vaults"]?[0]?["wallets"]
    #expect(wallets?[0]?["verdict"] == .string("no-seed") && wallets?[0]?["detail"] == nil)
  }

  @Test func `another wallet's public key is a fault, and the archive is made all the same`() throws {
    let machine = try machine(Self.otherKey)
    let target = ["--target", machine.target]
    let dry = try create(machine, ["--dry-run", "--accept=synced-keys"])
    #expect(dry.status == 60 && dry.errors.contains(Self.faulty), "\(dry.text) \(dry.errors)")
    #expect(try machine.archives().isEmpty)
    for count in [1, 1] {
      let made = try create(machine, ["--on-change", "--accept=synced-keys", "-q"])
      #expect(made.status == 60 && made.errors.contains(Self.faulty), "\(made.text) \(made.errors)")
      #expect(try machine.archives().count == count)
    }
    // A part that is missing too weighs less.
    #expect(try create(machine).status == 60)
    let status = try machine.run(["status"] + target)
    #expect(status.status == 60 && status.text.contains("PROBLEM: \(Self.faulty)"), "\(status.text)")
    let shown = try machine.run(["show", "latest", "--json"] + target + machine.archiveSecret).json()
    let wallet = shown["wallets"]?[0]
    #expect(wallet?["verdict"] == .string("faulty") && wallet?["reason"] == .string("secret-differs"))
    let kit = try machine.run(["kit", "print", "--json"] + target).json()
    #expect(kit["wallets"]?[0]?["verdict"] == .string("faulty"))
    #expect(
      try machine.run(["restore", "latest", "--dry-run"] + target + machine.archiveSecret).errors
        .contains("when it was backed up: \(Self.faulty)"))
  }

  @Test func `a password command proves, is run once, and a wrong password costs nothing but the proof`()
    throws
  {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.keystore, to: "keys/UTC--one")
    try machine.write(
      ImportedFiles.keystore.replacing("\"version\"", with: "\"two\": 1, \"version\""), to: "keys/two")
    try machine.write(
      "#!/bin/sh\necho ran >> \(machine.path("runs"))\nprintf %s \"$1\"\n", to: "ask", permissions: 0o700)
    func create(_ password: String) throws -> RunResult {
      try machine.create(
        fromOnly: "keystore", at: machine.path("keys"), passwordCommand: "\(machine.path("ask")) \(password)")
    }
    let proved = try create("testpassword").expect(0)
    #expect(
      proved.text.contains("keystore \"UTC--one\": whole and proved: it opens with its key"), "\(proved.text)"
    )
    #expect(proved.text.contains("keystore \"two\": whole and proved"), "\(proved.text)")
    #expect(try machine.read("runs") == Array("ran\n".utf8))
    let wrong = try create("other").expect(0)
    #expect(
      wrong.text.contains("keystore \"two\": whole, not proved (the given password does not open it)"),
      "\(wrong.text)")
    try machine.write("#!/bin/sh\nexit 7\n", to: "ask", permissions: 0o700)
    let failed = try create("testpassword").expect(3)
    #expect(failed.text.contains("whole, not proved (needs its password)"), "\(failed.text)")
    #expect(failed.text.contains("MISSING: password: its password_command failed"), "\(failed.text)")
  }
}
