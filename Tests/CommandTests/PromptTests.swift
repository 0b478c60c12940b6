import TestSupport
import Testing

/// Answers on a pseudo-terminal, which controls the program's session as a person's does.
@Suite(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
struct PromptTests {
  private func create(_ machine: Machine) -> [String] {
    ["create", "--target", machine.target, "--accept=new-passphrase"] + machine.keychainSecret
      + Machine.quick
  }

  private func opens(_ machine: Machine, with secret: String) throws -> Int32 {
    try machine.write(secret, to: "typed")
    return try machine.run([
      "verify", "latest", "--target", machine.target, "--depth", "contents", "-p",
      machine.path("typed"),
    ]).status
  }

  @Test func `a new passphrase is asked for twice and not shown`() throws {
    let machine = try Machine()
    let secret = "typed by hand, 29 letters"
    let run = try machine.type([("new passphrase", secret), ("again", secret)], create(machine)).expect(0)
    #expect(!run.text.contains(secret))
    #expect(try machine.archives().count == 2)
    #expect(try opens(machine, with: secret) == 0)
  }

  @Test func `answers that differ are asked for again, and after three times make nothing`() throws {
    let machine = try Machine()
    let wrong = [("new passphrase", "typed by hand, one"), ("again", "typed by hand, two")]
    let run = try machine.type(wrong + wrong + wrong, create(machine)).expect(64)
    #expect(run.text.contains("The two passphrases differ. Try again (2 left)."))
    #expect(run.text.contains("(1 left)") && !run.text.contains("(0 left)"))
    #expect(!run.text.contains("typed by hand"))
    #expect(try machine.archives().count == 1)
    let secret = "typed by hand, right in the end"
    let right = try machine.type(
      wrong + [
        ("new passphrase", ""), ("from your paper", "what is not there"), ("from your paper", "{made}"),
      ], create(machine))
    #expect(right.status == 0, "\(right.text)")
    let once = try machine.type(
      [("new passphrase", "password"), ("can be guessed", secret), ("the same again:", secret)],
      create(machine))
    #expect(once.status == 0, "\(once.text)")
    #expect(try opens(machine, with: secret) == 0)
  }

  @Test func `an empty answer generates a passphrase and shows it once`() throws {
    let machine = try Machine()
    let run = try machine.type([("new passphrase", ""), ("from your paper", "{made}")], create(machine))
      .expect(0)
    let words = run.text.split(whereSeparator: \.isWhitespace).map(String.init)
    var opening = 0
    for word in words where word.count == 24 && word.contains("-") {
      opening += try opens(machine, with: word) == 0 ? 1 : 0
    }
    #expect(opening == 1, "\(run.text)")
  }

  @Test func `a passphrase that can be guessed is refused when typed too`() throws {
    let machine = try Machine()
    let run = try machine.type(
      [("new passphrase", "password"), ("new passphrase", "password"), ("new passphrase", "password")],
      create(machine))
    #expect(run.status == 64)
    #expect(try machine.archives().count == 1)
  }

  @Test func `a passphrase that lasts only days may be kept, and an empty answer generates another`() throws {
    let machine = try Machine()
    let secret = PassphraseStrengthTests.doubtful
    let kept = try machine.type([("new passphrase", secret), ("the same again", secret)], create(machine))
    #expect(kept.status == 0 && kept.text.contains("about 5 days"), "\(kept.text)")
    #expect(try opens(machine, with: secret) == 0)
    let run = try machine.type(
      [
        ("new passphrase", secret), ("the same again, or empty to have one made", ""),
        ("from your paper", "{made}"),
      ], create(machine))
    #expect(run.status == 0, "\(run.text)")
    let made = run.text.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0.count == 24 && $0.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4] }
    #expect(made.count == 1, "\(run.text)")
    #expect(try opens(machine, with: secret) == 12)
    for passphrase in made { #expect(try opens(machine, with: passphrase) == 0) }
  }

  @Test func `a restore asks for the archive's passphrase, and then twice for the new keychain's`() throws {
    let machine = try Machine()
    let arguments =
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("new")] + Machine.quick
    let new = "of the new machine's keychain"
    let run = try machine.type(
      [
        ("archive's passphrase", Machine.passphrase), ("use the archive's passphrase", "no"),
        ("new passphrase", new), ("again", new),
      ],
      arguments)
    #expect(run.status == 0, "\(run.text)")
    #expect(machine.exists("new/keychain.sealed"))
    try machine.write(new, to: "new.pass")
    try machine.run(
      [
        "create", "--dry-run", "--datadir", machine.path("new"), "--keychain-passphrase-from",
        machine.place("new.pass"),
      ], status: 0)
  }

  @Test func `control-C at the prompt ends with 130 and makes nothing`() throws {
    let machine = try Machine()
    try machine.type([("new passphrase", "\u{3}")], create(machine)).expect(130)
    #expect(try machine.archives().count == 1)
  }

  @Test func `a wrong passphrase is asked for again, three times, and never shown`() throws {
    let machine = try Machine()
    let arguments = ["verify", "latest", "--target", machine.target, "--depth", "contents"]
    let run = try machine.type(
      [
        ("archive's passphrase", "not this one"),
        ("Wrong passphrase. Try again (2 left).", Machine.passphrase),
      ], arguments)
    #expect(run.status == 0, "\(run.text)")
    #expect(!run.text.contains("not this one") && !run.text.contains(Machine.passphrase))
    let wrong = try machine.type(
      [("passphrase)", "one"), ("(2 left)", ""), ("(1 left)", "three")], arguments)
    #expect(wrong.status == 12, "\(wrong.text)")
  }

  @Test func `a generated passphrase opens in capitals and with blanks`() throws {
    let machine = try Machine()
    let made = "7k2m-9pqr-4t6v-xyz0-abcd"
    try machine.write(made, to: "made")
    try machine.run(
      [
        "create", "--target", machine.target, "--accept=new-passphrase", "-p",
        machine.path("made"),
      ]
        + machine.keychainSecret + Machine.quick, status: 0)
    let typed = made.uppercased().replacing("-", with: " ")
    let arguments = ["verify", "latest", "--target", machine.target, "--depth", "contents"]
    try machine.type([("archive's passphrase", typed)], arguments).expect(0)
    // In a file, and for the vault's next archive, which opens with the form on paper.
    try machine.write(typed + "\r\n", to: "typed")
    try machine.run(
      ["create", "--target", machine.target, "-p", machine.path("typed")]
        + machine.keychainSecret
        + Machine.quick, status: 0)
    #expect(try opens(machine, with: made) == 0)
    // A text of another shape stays as it is.
    #expect(try opens(machine, with: made.replacing("-", with: "")) == 12)
    #expect(try opens(machine, with: made.replacing("-", with: "_")) == 12)
    let again = try machine.type(
      [("archive's passphrase", typed)], create(machine).filter { $0 != "--accept=new-passphrase" })
    #expect(again.status == 0, "\(again.text)")
    #expect(try opens(machine, with: made) == 0)
  }

  @Test func `nothing is asked when the secrets are given`() throws {
    let machine = try Machine()
    let run = try machine.type([], create(machine) + machine.archiveSecret).expect(0)
    #expect(!run.text.contains("passphrase"))
  }
}
