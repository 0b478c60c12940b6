import TestSupport
import Testing

/// A file that requests more work than any wallet: it is archived and reported, and the others are read.
struct WorkLimitTests {
  private static let costly = """
    {"version":3,"id":"a","address":"\(String(repeating: "00", count: 20))","crypto":{"cipher":"aes-128-ctr",
    "cipherparams":{"iv":"\(String(repeating: "00", count: 16))"},
    "ciphertext":"\(String(repeating: "00", count: 32))","kdf":"scrypt","kdfparams":{"n":1048576,"r":8,"p":16,
    "dklen":32,"salt":"\(String(repeating: "00", count: 32))"},"mac":"\(String(repeating: "00", count: 32))"}}
    """

  @Test func `the archive has the file, create ends with 3, and restore gives it back`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(Self.costly, to: "keys/UTC--bomb")
    let settings = try machine.configure(
      onlySource: "keystore", at: machine.path("keys"), passwordCommand: "echo secret")
    let create = ["create"] + settings + machine.archiveSecret + Machine.quick
    let made = try machine.run(create, status: 3)
    #expect(
      made.text.contains("keystore \"UTC--bomb\": kept, not read: it asks for too much work"), "\(made.text)")
    let json = try machine.run(create + ["--json"], status: 3)
    let wallet = try json.json()["wallets"]?[0]
    #expect(wallet?["verdict"] == .string("not-proved") && wallet?["reason"] == .string("work-limit"))
    let restored = try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target, "--datadir", machine.path("new")]
        + ["--files", machine.path("files")] + machine.archiveSecret, status: 0)
    let found = try BuiltBinary.run(
      program: "/bin/grep", ["-rl", "1048576", machine.path("files")])
    #expect(found.status == 0, "\(restored.text)")
  }
}
