import FuekiSystem
import TestSupport
import Testing

/// Restores that derive addresses again, and say whether the keys are theirs.
struct RestoreProofTests {
  static let password = "a password of its own"
  /// The address of the private key 1.
  static let one = "7e5f4552091a69125d5dfcb7b8c2659029395bdf"

  /// A keystore of the private key 1.
  static func keystore(of address: String) -> String {
    """
    {"address":"\(address)","crypto":{"cipher":"aes-128-ctr",
    "cipherparams":{"iv":"05050505050505050505050505050505"},
    "ciphertext":"ffce174309b35a39645c285d6d2134734ae2e855078238f89eb49dca8aaa775c",
    "kdf":"pbkdf2","kdfparams":{"c":1000,"dklen":32,"prf":"hmac-sha256",
    "salt":"0303030303030303030303030303030303030303030303030303030303030303"},
    "mac":"c60fc54f8a0404861dab86a8bf8eedf351aa3386c6ae3e7688548fbc0c7c936f"},"version":3}
    """
  }

  /// A machine whose newest archive holds such a keystore, and an option that names its password.
  private func machine(keystoreOf address: String) throws -> (Machine, [String]) {
    let machine = try Machine()
    try machine.write(Self.keystore(of: address), to: "UTC--one")
    #expect(try machine.run(["import", machine.path("UTC--one")]).status == 0)
    #expect(try machine.create().status == 0)
    try machine.write(Self.password + "\n", to: "keystore.pass")
    return (machine, ["--keystore-password-from", machine.place("keystore.pass")])
  }

  @Test func `the address of a share set is proved, and what is not checked says why`() throws {
    let machine = try Machine()
    let run = try machine.restore("latest", to: "restored", ["--json"], status: 0)
    let json = try run.json()
    let proofs = json["proofs"]?.elements ?? []
    #expect(proofs.map { $0["subject"]?.text } == ["wallet", "wallet", "wallet"])
    #expect(proofs.map { $0["result"]?.text } == ["proved", "proved", "not-checked"])
    #expect(proofs.map { $0["by"]?.text } == ["key-shares", "descriptor", nil])
    #expect(proofs[2]["detail"]?.text?.contains("watch-only") == true)
    #expect(json["older_shares"] == .array([]) && json["hazards"] == .array([]))
    let stage = json["stages"]?.elements.first { $0["name"] == .string("restore-wallets") }
    #expect(stage?["result"] == .string("done; addresses: 2 proved, 1 not checked"))
    let text = try machine.restore("latest", to: "again").text
    #expect(text.contains("proved: \"Savings, two of three\": 0x"))
  }

  @Test func `a keystore is proved with its password`() throws {
    let (machine, password) = try machine(keystoreOf: Self.one)
    let closed = try machine.restore("latest", to: "closed", ["--json"], status: 0)
    let without = try closed.json()["proofs"]?.elements.last
    #expect(without?["subject"] == .string("keystore") && without?["result"] == .string("not-checked"))
    let opened = try machine.restore("latest", to: "opened", password + ["--json"], status: 0)
    let with = try opened.json()["proofs"]?.elements.last
    #expect(with?["result"] == .string("proved") && with?["by"] == .string("keystore"))
    #expect(with?["name"] == .string("UTC--one"))
  }

  @Test func `a keystore of another address stays in the archive alone until it is accepted`() throws {
    let (machine, password) = try machine(keystoreOf: "7ef5a6135f1fd6a02593eedc869c6d41d934aef8")
    let run = try machine.restore("latest", to: "restored", password, status: 3)
    #expect(
      run.errors.contains(
        "keystore UTC--one: left in the archive, because its keystore leads to 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"
      ))
    #expect(run.text.contains("--accept differences restores it as it is"))
    #expect(machine.exists("restored/wallet.sqlite"))
    let dry = try machine.restore("latest", to: "dry", password + ["--dry-run", "--json"], status: 3)
    let proof = try dry.json()["proofs"]?.elements.last
    #expect(proof?["result"] == .string("differs") && proof?["restored"] == .bool(false))
    // An export is not a wallet in use, so a mismatch does not stop it.
    try machine.run(
      ["export", "latest", "--target", machine.target, "--output", machine.path("out")]
        + machine.archiveSecret, status: 0)
    let accepted = try machine.restore(
      "latest", to: "accepted", password + ["--accept=differences"], status: 0)
    #expect(accepted.errors.contains("warning: keystore UTC--one"))
    #expect(machine.exists("accepted/wallet.sqlite"))
  }

  @Test func `a password that others can read is refused`() throws {
    let (machine, password) = try machine(keystoreOf: Self.one)
    try machine.write(Self.password, to: "keystore.pass", permissions: 0o644)
    let run = try machine.restore("latest", to: "restored", password)
    #expect(run.status != 0 && run.errors.contains("keystore.pass"))
    #expect(!machine.exists("restored"))
  }
}
