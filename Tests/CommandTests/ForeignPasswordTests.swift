import TestSupport
import Testing

/// Passwords of other programs, which may be empty or long.
struct ForeignPasswordTests {
  /// A keystore of the private key 1; salt and vector are constants.
  private static func keystore(ciphertext: String, mac: String) -> String {
    """
    {"address":"7e5f4552091a69125d5dfcb7b8c2659029395bdf","crypto":{"cipher":"aes-128-ctr",
    "cipherparams":{"iv":"\(String(repeating: "05", count: 16))"},"ciphertext":"\(ciphertext)","kdf":"pbkdf2",
    "kdfparams":{"c":1000,"dklen":32,"prf":"hmac-sha256","salt":"\(String(repeating: "03", count: 32))"},
    "mac":"\(mac)"},"version":3}
    """
  }

  /// The passwords, and the output of a command that prints them.
  enum Password: String, CaseIterable, CustomTestStringConvertible {
    case empty, long

    var testDescription: String { rawValue }
    var text: String { self == .empty ? "" : String(repeating: "x", count: 1500) }
    var keystore: String {
      switch self {
      case .empty:
        ForeignPasswordTests.keystore(
          ciphertext: "15df9783f780d2fe24fef295d3c3b5048ec128a18999128f8e876ad86475f27f",
          mac: "c96a565b0fc25e9b239f81a42f8fff4f5c04ee6783475669c7224aa009486c5a")
      case .long:
        ForeignPasswordTests.keystore(
          ciphertext: "23fd7f96b7100d19525d05ad6b26647e682b7cce7e124ba135f824a54731a0f6",
          mac: "a1f2f1a2d7d61c40ef7b854c7eb7de8f8ecf68e0d86178d9e2b4754aed492497")
      }
    }
  }

  private func create(_ password: Password, _ typed: String, on machine: Machine) throws -> RunResult {
    try machine.write(password.keystore, to: "keys/UTC--one")
    try machine.write(typed, to: "password")
    return try machine.create(
      fromOnly: "keystore", at: machine.path("keys"), passwordCommand: "cat '\(machine.path("password"))'")
  }

  @Test(arguments: Password.allCases)
  func `a wallet is proved, imported and restored with an empty password or a long one`(
    _ password: Password
  ) throws {
    let machine = try Machine(isPrepared: false)
    let made = try create(password, password.text + "\n", on: machine).expect(0)
    #expect(made.text.contains("keystore \"UTC--one\": whole and proved"), "\(made.text)")
    for end in ["", "\n", "\r\n"] {
      try machine.write(password.text + end, to: "password")
      try machine.run(
        ["import", "--dry-run", "--source-passphrase-from", machine.place("password")] + [
          "--keychain-passphrase-from", machine.place("passphrase"), machine.path("keys/UTC--one"),
        ], status: 0)
    }
    let restored = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("new"), "--files", "none"]
        + ["--keystore-password-from", machine.place("password")]
        + ["--keychain-passphrase-from", machine.place("passphrase")] + machine.archiveSecret + Machine.quick,
      status: 0)
    #expect(restored.text.contains("is derived from its keystore"), "\(restored.text)")
  }

  @Test func `a password that is too long is named as one, and its file is kept`() throws {
    let machine = try Machine(isPrepared: false)
    let made = try create(.empty, String(repeating: "x", count: 9000), on: machine).expect(3)
    #expect(made.text.contains("it has more than 8192 bytes"), "\(made.text)")
    #expect(!(made.text + made.errors).contains("xxx"))
  }
}
