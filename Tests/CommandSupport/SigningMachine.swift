internal import TestSupport
internal import Testing

/// Machines on which a key signs archives.
package enum SigningMachine {
  package static let passphrase = "canary Sg4 of the signing key, long"
  package static let secret = ["--signing-passphrase-from", "file:signing.pass"]

  /// A machine with a signing key in `keys/signing.key`, sealed unless it is to be bare.
  package static func make(isSealed: Bool = true) throws -> Machine {
    let machine = try Machine()
    try machine.write(passphrase, to: "signing.pass")
    let made = try machine.run(
      ["key", "new-signer", "--output", machine.path("keys/signing.key"), "--comment", "a test"]
        + (isSealed ? secret + Machine.quick : ["--no-passphrase"]))
    try #require(made.status == 0, "\(made.errors)")
    return machine
  }

  package static func signing(_ machine: Machine) -> [String] {
    ["--sign-key", machine.path("keys/signing.key")] + secret
  }

  package static func publicKey(_ machine: Machine) throws -> String {
    let line = String(decoding: try machine.read("keys/signing.pub"), as: UTF8.self)
    return try String(#require(line.split(separator: " ").dropFirst().first))
  }
}
