import FuekiSystem
import TestSupport
import Testing

/// A key that signs, archives that it signed, and who is trusted.
struct SigningTests {
  @Test func `a new key is sealed, its owner's alone, and never overwritten`() throws {
    let machine = try SigningMachine.make()
    let file = try machine.read("keys/signing.key")
    let text = String(decoding: file, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4 && lines[0] == "fueki-signing-key-1")
    #expect(try String(lines[1]) + "\n" == machine.text("keys/signing.pub"))
    #expect(lines[1].hasSuffix(" a test"))
    #expect(lines[2].hasPrefix("kdf argon2id ") && lines[2].hasSuffix(" 65536 2"))
    let folder = try Directory.open(machine.path("keys"))
    #expect(try folder.status(of: "signing.key").permissions & 0o777 == 0o600)
    #expect(try Directory.open(machine.root).status(of: "keys").permissions & 0o777 == 0o700)
    try machine.run(
      ["key", "new-signer", "--output", machine.path("keys/signing.key"), "--no-passphrase"], status: 40)
    #expect(try machine.read("keys/signing.key") == file)
    #expect(try machine.names(in: "keys").sorted() == ["signing.key", "signing.pub"])
  }

  @Test func `the default place is beside the configuration`() throws {
    let machine = try Machine()
    let run = try machine.run(["key", "new-signer", "--no-passphrase", "--json"], status: 0)
    #expect(machine.exists("home/.config/fueki-backup/signing.key"))
    #expect(machine.exists("home/.config/fueki-backup/signing.pub"))
    #expect(try run.json()["sealed"] == .bool(false))
    // With no secret and no terminal nothing is made.
    let refused = try machine.run(["key", "new-signer", "--output", machine.path("x.key")])
    #expect(refused.status == 12 && !machine.exists("x.key") && !machine.exists("x.pub"))
    try machine.write("password", to: "weak")
    let weak = try machine.run(
      ["key", "new-signer", "--output", "x.key", "--signing-passphrase-from", "file:weak"] + Machine.quick)
    #expect(weak.status == 64 && !machine.exists("x.key"))
  }

  @Test func `a signed archive is verified against whom one trusts`() throws {
    let machine = try SigningMachine.make()
    try machine.create(SigningMachine.signing(machine), status: 0)
    let signed = try machine.path(machine.archives()[1])
    let unsigned = try machine.path(machine.archives()[0])
    let key = try SigningMachine.publicKey(machine)
    try machine.write("# ours\n\n\(key)\r\n", to: "keys.txt")
    let line = try machine.text("keys/signing.pub").dropLast()
    let other = String(repeating: "5a", count: 32)
    for trusted in [key, key.uppercased(), String(line), "keys.txt", machine.path("keys/signing.pub")] {
      let run = try machine.run(["verify", signed, "--trusted-signer", trusted, "--json"])
      #expect(run.status == 0, "\(trusted) \(run.errors)")
      let archive = try run.json()["archives"]?[0]
      #expect(archive?["authenticity"] == .string("trusted-signer") && archive?["signer"] == .string(key))
      #expect(try machine.run(["verify", unsigned, "--trusted-signer", trusted]).status == 23)
    }
    #expect(try machine.run(["verify", signed, "--trusted-signer", other]).status == 23)
    let either = ["verify", signed, "--trusted-signer", other, "--trusted-signer", key]
    #expect(try machine.run(either).status == 0)
    #expect(
      try machine.run(["verify", signed, "--trusted-signer", "any", "--json"]).json()["archives"]?[0]?[
        "authenticity"] == .string("signed"))
    // This machine knows its maker by the key that it made for the vault.
    for archive in [signed, unsigned] {
      let found = try machine.run(["verify", archive, "--json"]).json()["archives"]?[0]
      #expect(found?["authenticity"] == .string("trusted-signer") && found?["whose"] == .string("mine"))
    }
    try machine.restore("latest", to: "new", ["--trusted-signer", key], status: 0)
    #expect(try machine.restore("latest", to: "other", ["--trusted-signer", other]).status == 23)
    #expect(!machine.exists("other"))
  }

  @Test(arguments: ["nobody", "12ab", "", "fueki-signer zz"])
  func `what is no signer is wrong usage`(_ text: String) throws {
    let machine = try Machine()
    #expect(try machine.run(["verify", machine.target, "--trusted-signer", text]).status == 64)
    for list in ["", "# none\n", "fueki-signer\n", "\(String(repeating: "ab", count: 32))\nnobody\n"] {
      try machine.write(list, to: "list")
      let run = try machine.run(["verify", machine.target, "--trusted-signer", "list"])
      #expect(run.status == 64, "\(list)")
    }
    let key = String(repeating: "ab", count: 32)
    let structure = ["verify", machine.target, "--depth", "structure", "--trusted-signer", key]
    #expect(try machine.run(structure).status == 64)
    #expect(try machine.run(["verify", machine.target, "--trusted-signer", "config"]).status == 64)
  }

  @Test func `the configuration's key signs, and its signers are trusted`() throws {
    let machine = try SigningMachine.make()
    try machine.write(
      "[[vault]]\nsign_key = \"keys/signing.key\"\ntrusted_signers_file = \"keys/signing.pub\"\n",
      to: "config.toml")
    let config = ["--config", machine.path("config.toml")]
    try machine.create(config + SigningMachine.secret, status: 0)
    #expect(try machine.run(["verify", "latest", "--target", machine.target] + config).status == 0)
    let all = ["verify", machine.target] + config
    #expect(try machine.run(all).status == 0)
    #expect(try machine.run(all + ["--trusted-signer", "config"]).status == 23)
    // To a machine that knows only the configuration, the signed archive proves its predecessor.
    try machine.remove("state")
    #expect(try machine.run(all).status == 0)
    #expect(try machine.run(all + ["--trusted-signer", "config"]).status == 23)
    #expect(try machine.run(["verify", machine.target, "--trusted-signer", "any"] + config).status == 0)
    #expect(try machine.run(["verify", machine.target, "--depth", "structure"] + config).status == 0)
    let first = try machine.path(machine.archives()[0])
    let demanded = ["--accept=older", "--trusted-signer", "config"] + config
    #expect(try machine.restore(first, to: "new", demanded).status == 23)
    try machine.restore(
      first, to: "new", ["--accept=older", "--trusted-signer", "any"] + config, status: 0)
  }

  @Test func `a key that does not open makes no unsigned archive`() throws {
    let machine = try SigningMachine.make()
    try machine.write("[[vault]]\nsign_key = \"keys/signing.key\"\n", to: "config.toml")
    let config = ["--config", machine.path("config.toml")]
    #expect(try machine.create(config).status == 12)
    try machine.write("another passphrase altogether", to: "wrong.pass")
    let wrong = try machine.create(config + ["--signing-passphrase-from", "file:wrong.pass"])
    #expect(wrong.status == 12 && wrong.errors.contains("signing key"), "\(wrong.errors)")
    let bytes = try machine.read("keys/signing.key")
    // A public key that is not the seed's, a comment, a salt, a seed: whatever was changed, it does not open.
    for place in [40, bytes.count - 170, bytes.count - 20] {
      var changed = bytes
      changed[place] = changed[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      try machine.write(changed, to: "keys/signing.key")
      #expect(try machine.create(config + SigningMachine.secret).status == 12, "\(place)")
    }
    for text in ["", "fueki-signing-key-1\n", String(decoding: bytes, as: UTF8.self) + "\n"] {
      try machine.write(text, to: "keys/signing.key")
      #expect(try machine.create(config + SigningMachine.secret).status == 12)
    }
    let newer = String(decoding: bytes, as: UTF8.self).replacing("key-1\n", with: "key-2\n")
    try machine.write(newer, to: "keys/signing.key")
    #expect(try machine.create(config + SigningMachine.secret).status == 30)
    try machine.remove("keys/signing.key")
    #expect(try machine.create(config + SigningMachine.secret).status == 12)
    #expect(try machine.archives().count == 1)
  }

  @Test func `secrets of the signing key are nowhere in the clear`() throws {
    let machine = try SigningMachine.make()
    let made = try machine.run(
      ["create", "--target", machine.target, "--sign-key", machine.path("keys/signing.key")]
        + machine.secrets,
      environment: ["FUEKI_SIGNING_PASSPHRASE": SigningMachine.passphrase])
    #expect(made.status == 0 && made.errors.contains("FUEKI_SIGNING_PASSPHRASE is in the environment"))
    try machine.remove("signing.pass")
    for (path, bytes) in try machine.snapshot(of: ".") {
      #expect(!String(decoding: bytes, as: UTF8.self).contains(SigningMachine.passphrase), "\(path)")
    }
  }

  @Test func `an unsealed key whose seed is another's does not sign`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    #expect(try machine.create(["--sign-key", machine.path("keys/signing.key")]).status == 0)
    let text = try machine.text("keys/signing.key")
    #expect(text.contains("kdf none\nseed "))
    var lines = text.split(separator: "\n").map(String.init)
    lines[3] = "seed " + String(repeating: "5a", count: 32)
    try machine.write(lines.joined(separator: "\n") + "\n", to: "keys/signing.key")
    let run = try machine.create(["--sign-key", machine.path("keys/signing.key")])
    #expect(run.status == 12 && run.errors.contains("public line"), "\(run.errors)")
    _ = try BuiltBinary.run(program: "/bin/chmod", ["644", machine.path("keys/signing.key")])
    #expect(try machine.create(["--sign-key", machine.path("keys/signing.key")]).status == 64)
  }

  @Test func `an unsigned archive with more than one key has no provable owner`() throws {
    let machine = try Machine()
    // The identity of age's own test vectors, which belongs to no person.
    let recipient = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"
    try machine.create(["--recipient", recipient, "--unsigned"], status: 0)
    let path = try machine.path(machine.archives()[1])
    let verify = try machine.run(["verify", path])
    #expect(verify.status == 0 && verify.text.contains("cannot prove who made it"))
    let json = try machine.run(["verify", path, "--json"]).json()["archives"]?[0]
    #expect(json?["authenticity"] == .string("not-provable"))
    let show = try machine.run(["show", path])
    #expect(show.text.contains("nothing proves who made it"))
    let restore = try machine.restore(path)
    #expect(restore.status == 0 && restore.errors.contains("cannot prove who made it"))
  }
}
