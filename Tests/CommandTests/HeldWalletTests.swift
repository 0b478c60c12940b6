import CommandSupport
import TestSupport
import Testing

/// Keys of validators, nodes and browsers: out of a home, through an archive, and back on another machine.
struct HeldWalletTests {
  private static let key = String(repeating: "8a", count: 48)
  private static let root = String(repeating: "ab", count: 32)

  private static func record(_ slot: Int, _ source: Int, _ target: Int, root: String = root) -> String {
    #"{"metadata":{"interchange_format_version":"5","genesis_validators_root":"0x\#(root)"},"data":[{"pubkey":"0x\#(key)","#
      + #""signed_blocks":[{"slot":"\#(slot)"}],"signed_attestations":[{"source_epoch":"\#(source)","target_epoch":"\#(target)"}]}]}"#
  }

  private static let keystore =
    #"{"crypto":{"kdf":{"function":"pbkdf2","params":{"dklen":32,"c":1,"prf":"hmac-sha256","salt":"07"},"message":""},"#
    + #""checksum":{"function":"sha256","params":{},"message":"\#(String(repeating: "0", count: 64))"},"#
    + #""cipher":{"function":"aes-128-ctr","params":{"iv":"\#(String(repeating: "0", count: 32))"},"message":"00"}},"#
    + #""pubkey":"\#(String(repeating: "8a", count: 48))","path":"","version":4}"#

  private static let solana =
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,"
    + "121,181,86,46,143,230,84,249,64,120,177,18,232,169,139,167,144,31,133,58,230,149,190,215,224,227,145,11,"
    + "173,4,150,100]"

  /// Each kind's sources and files, and whether they go next to their place.
  private static let files: [(source: String, name: String, bytes: [UInt8], isHeld: Bool)] = [
    (
      "eip2335:~/.lighthouse/mainnet/validators", ".lighthouse/mainnet/validators/0x8a/voting-keystore.json",
      Array(keystore.utf8), true
    ),
    ("eip3076:~/slashing_protection.json", "slashing_protection.json", Array(record(9, 3, 4).utf8), true),
    (
      "eip3076:~/.local/share/teku/validator/slashprotection",
      ".local/share/teku/validator/slashprotection/\(key).yml",
      Array("lastSignedBlockSlot: 3\nlastSignedAttestationTargetEpoch: 2\n".utf8), true
    ),
    (
      "lnd:~/.lnd/data/chain/bitcoin/mainnet/channel.backup",
      ".lnd/data/chain/bitcoin/mainnet/channel.backup",
      [UInt8](repeating: 5, count: 45), true
    ),
    (
      "core-lightning:~/.lightning/bitcoin", ".lightning/bitcoin/hsm_secret",
      [UInt8](repeating: 7, count: 32),
      false
    ),
    (
      "core-lightning:~/.lightning/bitcoin", ".lightning/bitcoin/emergency.recover",
      [UInt8](repeating: 6, count: 60), true
    ),
    ("solana:~/.config/solana", ".config/solana/id.json", Array(solana.utf8), false),
    ("solana:~/.config/solana", ".config/solana/vote-account-keypair.json", Array("\(solana)\n".utf8), true),
    (
      "metamask:~/.config/chromium/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn",
      ".config/chromium/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn/000003.log",
      [1, 2, 3], false
    ),
  ]

  @Test func `files of each kind come back byte for byte, with mode and time`() throws {
    let pair = try LostMachine()
    for file in Self.files { try pair.write(file.bytes, to: "home/\(file.name)") }
    var sources: [String] = []
    for file in Self.files where !sources.contains(file.source) { sources.append(file.source) }
    try pair.create(sources)
    try pair.restore()
    try pair.putBack().expect(0)
    for file in Self.files {
      let suffix = file.isHeld ? ".fueki-hold" : ""
      try pair.expectSame(file.name, suffix: suffix)
      #expect(pair.machine.exists("new-home/\(file.name)\(suffix).txt") == file.isHeld, "\(file.name)")
    }
    let again = try pair.putBack()
    #expect(again.status == 0 && again.text.contains("there already"), "\(again.errors)")
  }

  @Test func `a slashing record is merged with those that are there, and never replaces one`() throws {
    let pair = try LostMachine()
    try pair.write(Array(Self.record(9, 3, 4).utf8), to: "home/record.json")
    try pair.create(["eip3076:~/record.json"])
    try pair.restore()
    // The client's own export on the new machine, and the file that an earlier run put next to it.
    let export = Self.record(5, 7, 8)
    try pair.write(Array(export.utf8), to: "new-home/record.json")
    let held = Self.record(2, 1, 2)
    try pair.write(Array(held.utf8), to: "new-home/record.json.fueki-hold")
    let run = try pair.putBack(["--json"]).expect(0)
    #expect(try run.json()["files"]?.elements.first?["fate"] == .string("merged"))
    let merged = try JSONValue(parsing: pair.machine.read("new-home/record.json.fueki-hold"))
    let entry = try #require(merged["data"]?.elements.first)
    #expect(entry["signed_blocks"]?.elements.first?["slot"] == .string("9"))
    #expect(entry["signed_attestations"]?.elements.first?["source_epoch"] == .string("7"))
    #expect(entry["signed_attestations"]?.elements.first?["target_epoch"] == .string("8"))
    #expect(try pair.machine.read("new-home/record.json") == Array(export.utf8))
    let older = try #require(try pair.machine.names(in: "new-home").first { $0.contains(".replaced-") })
    #expect(try pair.machine.read("new-home/\(older)") == Array(held.utf8))
    // Once more, nothing is left to do.
    let again = try pair.putBack(["--json"]).expect(0)
    #expect(try again.json()["files"]?.elements.first?["fate"] == .string("present"))
    #expect(try pair.machine.names(in: "new-home").count == 4)
  }

  @Test func `a newer record on the machine is enough, and one of another network stays apart`() throws {
    let pair = try LostMachine()
    try pair.write(Array(Self.record(9, 3, 4).utf8), to: "home/record.json")
    try pair.create(["eip3076:~/record.json"])
    try pair.restore()
    try pair.write(Array(Self.record(90, 30, 40).utf8), to: "new-home/record.json")
    let newer = try pair.putBack()
    #expect(newer.status == 0 && newer.text.contains("there already"), "\(newer.errors)")
    #expect(try pair.machine.names(in: "new-home") == ["record.json"])
    let foreign = Self.record(90, 30, 40, root: String(repeating: "cd", count: 32))
    try pair.write(Array(foreign.utf8), to: "new-home/record.json")
    let apart = try pair.putBack()
    #expect(apart.status == 0 && apart.errors.contains("different networks"), "\(apart.errors)")
    #expect(try pair.machine.read("new-home/record.json") == Array(foreign.utf8))
    #expect(
      try pair.machine.read("new-home/record.json.fueki-hold") == pair.machine.read("home/record.json"))
    try pair.write(Array(foreign.utf8), to: "new-home/record.json.fueki-hold")
    let stopped = try pair.putBack()
    #expect(stopped.status == 40 && stopped.errors.contains("differs"), "\(stopped.errors)")
    try pair.putBack(["--on-conflict", "replace"]).expect(0)
    #expect(try pair.machine.read("new-home/record.json.fueki-hold") == Array(foreign.utf8))
  }

  @Test func `an export has one record for each network, and what names none apart`() throws {
    let pair = try LostMachine()
    let foreign = String(repeating: "cd", count: 32)
    try pair.write(Array(Self.record(9, 3, 4).utf8), to: "home/records/a.json")
    try pair.write(Array(Self.record(5, 7, 8).utf8), to: "home/records/b.json")
    try pair.write(Array(Self.record(1, 1, 2, root: foreign).utf8), to: "home/records/c.json")
    let unnamed = Self.record(1, 1, 2).replacing(#","genesis_validators_root":"0x\#(Self.root)""#, with: "")
    try pair.write(Array(unnamed.utf8), to: "home/records/d.json")
    try pair.create(["eip3076:~/records"])
    try pair.machine.run(
      [
        "export", "latest", "--target", pair.machine.target, "--format", "eip3076", "--output",
        pair.machine.path("out"),
      ] + pair.machine.archiveSecret, status: 0)
    #expect(
      try pair.machine.names(in: "out") == [
        "eip3076-abababababababab.json", "eip3076-apart-1.json", "eip3076-cdcdcdcdcdcdcdcd.json",
        "manifest.json",
      ])
    let merged = try JSONValue(parsing: pair.machine.read("out/eip3076-abababababababab.json"))
    let entry = try #require(merged["data"]?.elements.first)
    #expect(entry["signed_blocks"]?.elements.first?["slot"] == .string("9"))
    #expect(entry["signed_attestations"]?.elements.first?["target_epoch"] == .string("8"))
    #expect(try pair.machine.read("out/eip3076-apart-1.json") == Array(unnamed.utf8))
  }
}
