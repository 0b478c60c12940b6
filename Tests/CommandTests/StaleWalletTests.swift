import CommandSupport
import TestSupport
import Testing

/// Wallets outside their programs' usual places, after a restore on a new machine.
struct StaleWalletTests {
  private static let wallet = "savings/chain/default_wallet"

  /// A machine whose wallet came back to a place where no program looks.
  private func restored() throws -> LostMachine {
    let pair = try LostMachine()
    try pair.write(Array(ImportedFiles.electrum.utf8), to: "home/\(Self.wallet)")
    try pair.create(["electrum:\(pair.machine.path("home/savings/chain"))"])
    try pair.machine.run(
      ["restore", "latest", "--no-resync", "--target", pair.machine.target, "--files", "home"]
        + pair.machine.secrets, environment: pair.other, status: 0)
    try #require(pair.machine.exists("new-home/\(Self.wallet)"))
    return pair
  }

  private func initialise(_ pair: LostMachine) throws -> RunResult {
    try pair.machine.run(
      [
        "init", "--add-wallets", "--target", pair.machine.target, "--target-kind", "local", "--no-passphrase",
      ],
      environment: pair.other)
  }

  private func create(_ pair: LostMachine) throws -> RunResult {
    try pair.machine.run(
      ["create", "--target", pair.machine.target, "--accept=synced-keys"] + pair.machine.secrets,
      environment: pair.other)
  }

  private func change(_ pair: LostMachine) throws {
    try pair.machine.write(
      ImportedFiles.electrum.replacing("\"seed_version\"", with: " \"seed_version\""),
      to: "new-home/\(Self.wallet)")
  }

  @Test func `init offers the source of a restored wallet, whatever its kind, where it is now`() throws {
    let pair = try restored()
    let run = try initialise(pair)
    #expect(run.status == 0 && run.errors.contains("restored here: ~/savings/chain"), "\(run.errors)")
    let text = try pair.machine.text("new-home/.config/fueki-backup/config.toml")
    #expect(text.contains("kind = \"electrum\"\npath = \"~/savings/chain\""), "\(text)")
    try change(pair)
    try create(pair).expect(0)
    let again = try pair.machine.run(
      ["put-back", "latest", "--target", pair.machine.target] + pair.machine.archiveSecret,
      environment: pair.other)
    #expect(again.status == 0 && again.text.contains("there already"), "\(again.text)\(again.errors)")
  }

  @Test func `until a source takes it, a night says that the file differs from the copy carried on`() throws {
    let pair = try restored()
    try create(pair).expect(0)
    try change(pair)
    let night = try create(pair).expect(3)
    #expect(
      (night.text + night.errors).contains("has changed since it came out of an archive"),
      "\(night.text)\(night.errors)")
    // Nobody wants it: nothing is said.
    try pair.machine.run(
      ["discover", "--decline", pair.machine.path("new-home/savings")], environment: pair.other, status: 0)
    try create(pair).expect(0)
  }
}
