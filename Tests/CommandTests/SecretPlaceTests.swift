import TestSupport
import Testing

/// `--passphrase-from` and its siblings.
struct SecretPlaceTests {
  private static let siblings = [
    "passphrase", "keychain-passphrase", "new-passphrase", "signing-passphrase", "source-passphrase",
    "credential", "keystore-password",
  ]

  @Test func `each secret has one option that names its place`() {
    let names = Set(OfferedCommand.all.flatMap(\.names).map(\.name))
    for sibling in Self.siblings { #expect(names.contains("\(sibling)-from"), "\(sibling)") }
  }

  @Test(arguments: [
    ["--passphrase-from", "file:PATH"], ["--passphrase-from=file:PATH"], ["-p", "PATH"], ["-p", "file:PATH"],
    ["--passphrase-from", "command:cat PATH"], ["-p", "command:cat PATH"], ["--passphrase-from", "fd:0"],
    ["-p", "fd:0"], ["-p=PATH"], ["-qp", "PATH"], ["-qp=file:PATH"],
  ])
  func `a passphrase is read from each place, in each spelling`(_ words: [String]) throws {
    let machine = try Machine()
    let path = machine.path("passphrase")
    let run = try machine.run(
      ["show", "latest", "-t", machine.target, "--json"] + words.map { $0.replacing("PATH", with: path) },
      stdin: Machine.passphrase, status: 0)
    #expect(try run.json()["manifest"] != nil, "\(run.text)")
  }

  @Test func `a file in the home may begin with a tilde`() throws {
    let machine = try Machine()
    try machine.write(Machine.passphrase, to: "home/pass")
    try machine.run(["show", "latest", "-t", machine.target, "--passphrase-from", "file:~/pass"], status: 0)
  }

  @Test(arguments: [
    ["--passphrase-from", "hunter2"], ["--passphrase-from=hunter2"], ["--passphrase-from", "fd:hunter2"],
    ["--passphrase-from", "file:"], ["--passphrase-from", "hunter2:x"],
  ])
  func `a value that names no place is refused, and not repeated`(_ words: [String]) throws {
    let machine = try Machine()
    let run = try machine.run(["show", "latest", "-t", machine.target] + words, status: 64)
    #expect(run.errors.contains("file:PATH, command:COMMAND or fd:N"), "\(run.errors)")
    #expect(run.errors.contains("shell's history") && !run.errors.contains("hunter2"), "\(run.errors)")
  }

  @Test func `a secret that was typed as a file's name is not repeated`() throws {
    let machine = try Machine()
    for words in [["-p", "hunter2"], ["--passphrase-from", "file:hunter2"]] {
      let run = try machine.run(["show", "latest", "-t", machine.target] + words)
      #expect(run.status == 12 && !run.errors.contains("hunter2"), "\(words): \(run.errors)")
    }
  }

  @Test func `the keychain, the signing key and another wallet have the option too`() throws {
    let machine = try Machine()
    let made = try machine.run([
      "key", "new-signer", "--output", machine.path("sign.key"), "--signing-passphrase-from",
      machine.place("passphrase"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    try machine.run(
      [
        "create", "-t", machine.target, "-p", machine.path("passphrase"), "--keychain-passphrase-from",
        "command:cat \(machine.path("keychain.pass"))", "--sign-key", machine.path("sign.key"),
        "--signing-passphrase-from", "fd:0",
      ] + Machine.quick, stdin: Machine.passphrase, status: 0)
  }

  @Test func `words after two hyphens are unchanged`() throws {
    let run = try BuiltBinary.run(["verify", "--", "-p"])
    #expect(run.status != 0 && !run.errors.contains("passphrase-from"), "\(run.errors)")
  }

  @Test func `places are completed, and files behind the first`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("x", to: "secret.txt")
    func completed(_ word: String) throws -> String {
      let typed = ["fueki-backup", "show", "--passphrase-from", word]
      return try machine.run(
        ["---completion", "show", "--", "--passphrase-from", "3", "\(word.utf8.count)"] + typed
      ).text
    }
    let all = try completed("")
    for form in ["file:", "command:", "fd:"] { #expect(all.contains(form), "\(all)") }
    let files = try completed("file:sec")
    #expect(files.contains("file:secret.txt"), "\(files)")
  }
}
