import FuekiSystem
import TestSupport
import Testing

/// `--trusted-signer` and `--checkpoint`, in every command that reads an archive.
@Suite(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
struct DemandTests {
  struct Reading: Sendable, CustomTestStringConvertible {
    let words: [String]
    var opens = false
    var live = false
    var testDescription: String { words.joined(separator: " ") }

    func run(_ machine: Machine, _ more: [String]) throws -> RunResult {
      let secrets =
        (opens ? machine.archiveSecret : []) + (live ? machine.keychainSecret : [])
      return try machine.run(words + ["--target", machine.target] + more + secrets)
    }
  }

  static let readings = [
    Reading(words: ["show", "latest"]),
    Reading(words: ["verify", "latest"]),
    Reading(words: ["verify", "latest", "--depth", "contents"], opens: true),
    Reading(words: ["export", "latest", "--output", "taken"], opens: true),
    Reading(words: ["diff", "latest", "--live"], opens: true, live: true),
    Reading(words: ["key-shares", "check", "latest"], opens: true),
    Reading(words: ["drill", "latest"], opens: true, live: true),
    Reading(words: ["key", "list", "latest"]),
    Reading(words: ["key", "add", "latest", "--no-passphrase"], opens: true),
    Reading(words: ["kit", "print", "latest", "--output", "taken"]),
    Reading(words: ["checkpoint", "export", "latest", "--output", "taken"]),
    Reading(words: ["restore", "latest", "--datadir", "taken", "--no-resync"], opens: true, live: true),
  ]

  /// Returns the options, with those that only `key add` needs.
  private func options(_ reading: Reading, _ recipient: String) -> Reading {
    guard let place = reading.words.firstIndex(of: "--no-passphrase") else { return reading }
    var words = reading.words
    words.replaceSubrange(place...place, with: ["--recipient", recipient])
    return Reading(words: words, opens: reading.opens, live: reading.live)
  }

  @Test(arguments: readings)
  func `a signature that is demanded and not there stops every command`(_ reading: Reading) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    let line = try machine.madeKey().line
    let other = try machine.run([
      "key", "new-signer", "--output", machine.path("other.key"), "--no-passphrase",
    ])
    #expect(other.status == 0, "\(other.errors)")
    let before = try machine.snapshot(of: "target")
    let reading = options(reading, plants.recipient)
    let run = try reading.run(machine, ["--trusted-signer", machine.path("other.pub")]).expect(23)
    // The message of `restore` about the newest contains the verdict.
    let says = ["not signed by a trusted signer", "not-signed-by-a-trusted-signer"]
    #expect(says.contains { (run.text + run.errors).contains($0) }, "\(run.text) \(run.errors)")
    #expect(!machine.exists("taken"))
    #expect(try machine.snapshot(of: "target") == before)
    // The vault's own is as good when it is demanded as when it is not.
    try reading.run(machine, ["--trusted-signer", line]).expect(0)
  }

  @Test(arguments: readings)
  func `what is older than a checkpoint stops every command`(_ reading: Reading) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    let line = try machine.madeKey().line
    try machine.run(
      ["checkpoint", "export", "latest", "--target", machine.target, "--output", machine.path("point")],
      status: 0)
    // A machine without memory, and a folder whose newest archive was removed.
    let newest = try #require(machine.own().last)
    try machine.remove(newest)
    let state = try #require(machine.names(in: "state").first { $0.hasPrefix("vault-") })
    try machine.remove("state/\(state)")
    let before = try machine.snapshot(of: "target")
    let reading = options(reading, plants.recipient)
    try reading.run(machine, ["--checkpoint", machine.path("point"), "--trusted-signer", line]).expect(24)
    #expect(!machine.exists("taken"))
    #expect(try machine.snapshot(of: "target") == before)
  }
}
