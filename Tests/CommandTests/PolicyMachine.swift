import CommandSupport
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The public keys of pairs whose private keys no one has.
enum PolicyRecipient {
  static let first = text(9)

  static func text(_ number: UInt8) -> String {
    AgeKey.text(recipient: [number] + [UInt8](repeating: 0, count: 31), .x25519)
  }
}

// A machine whose owner follows a policy.
extension Machine {
  static let configuration = "home/.config/fueki-backup/config.toml"

  /// Creates a machine with its usual target and a policy, which `admin` signs.
  static func following(_ rules: String = "", number: Int = 1, more: String = "") throws -> Machine {
    let machine = try Machine()
    for name in ["admin", "other"] {
      let made = try machine.run([
        "key", "new-signer", "--no-passphrase", "--output", machine.path("\(name).key"),
      ])
      try #require(made.status == 0, "\(made.errors)")
    }
    let line = String(decoding: try machine.read("admin.pub"), as: UTF8.self)
    let key = try #require(line.split(separator: " ").dropFirst().first)
    try machine.configure(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n"
        + "[policy]\nfile = \"\(machine.path("policy.toml"))\"\nsigners = [\"\(key)\"]\n\(more)")
    try machine.issue(rules, number: number)
    return machine
  }

  func configure(_ text: String) throws {
    try Directory.makePrivateDirectories(path("home/.config/fueki-backup"))
    try write(text, to: Self.configuration)
  }

  /// Writes and signs a version of the policy.
  func issue(_ rules: String, number: Int, signedBy key: String = "admin") throws {
    try write(
      "# fueki/1 policy\n[policy]\nnumber = \(number)\nadministrator = \"Example Ltd\"\n\(rules)\n",
      to: "policy.toml")
    try signPolicy(with: key)
  }

  func signPolicy(with key: String = "admin") throws {
    let signed = try run(["key", "sign", path("policy.toml"), "--sign-key", path("\(key).key")])
    try #require(signed.status == 0, "\(signed.errors)")
  }

  /// Makes an archive in the targets of the configuration and the policy.
  func createByPolicy(_ more: [String] = []) throws -> RunResult { try run(["create"] + secrets + more) }

  /// The slots of the newest archive.
  func slotCount() throws -> Int {
    let newest = try #require(try archives().last)
    return try run(["key", "list", path(newest), "--json"]).json()["slots"]?.elements.count ?? 0
  }
}
