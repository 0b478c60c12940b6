import TestSupport
import Testing

/// `kit test`: the paper is compared with what there is.
struct KitTestCommandTests {
  @Test func `the paper is compared with what there is`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    var answers = [
      "--vault-digits": String(kit.vault.suffix(8)), "--signer-digits": kit.signer, "--archive-number": "2",
      "--archive-digits": String(kit.digest.suffix(8)),
    ]
    func test(_ more: [String]? = nil) throws -> RunResult {
      try kit.run(["test"] + answers.flatMap { [$0.key, $0.value] } + (more ?? machine.archiveSecret))
    }
    let right = try test().expect(0)
    #expect(right.text.contains("secret: right: it opens slot 1 (paper <1>)"))
    let status = try machine.run(["status", "--json"] + kit.configuration).json()
    #expect(status["targets"]?[0]?["vaults"]?[0]?["kit"]?.text?.hasPrefix("20") == true)
    let untried = try test([])
    #expect(untried.status == 3 && untried.text.contains("secret: NOT TRIED"))
    try machine.write("not the passphrase", to: "wrong")
    let wrong = try test(["-p", machine.path("wrong")])
    #expect(
      wrong.status == 60 && wrong.text.contains("secret: WRONG")
        && wrong.text.contains("which opens with a passphrase."), "\(wrong.text)")
    let typed = answers
    for (option, value, sentence) in [
      ("--vault-digits", "0000 0000", "vault: WRONG"), ("--vault-digits", "0", "vault: WRONG"),
      ("--signer-digits", "none", "signer: WRONG"), ("--signer-digits", "0123 4567", "signer: WRONG"),
      ("--archive-number", "9", "newest archive: WRONG: the paper names archive 9"),
      ("--archive-number", "1", "newest archive: WRONG"),
      ("--archive-digits", "0123 4567", "newest archive: WRONG"),
    ] {
      answers = typed
      answers[option] = value
      let run = try test()
      #expect(run.status == 60 && run.text.contains(sentence), "\(option) \(run.text)")
    }
    // The same typed as the paper has it, and after another archive; then the old one is gone.
    answers = typed
    answers["--vault-digits"] = "\(kit.vault.suffix(8).prefix(4).uppercased()) \(kit.vault.suffix(4))"
    #expect(try machine.run(["create"] + machine.secrets + kit.configuration).status == 0)
    let later = try test()
    #expect(later.status == 0 && later.text.contains("1 newer since the page was printed"), "\(later.text)")
    for folder in ["target", "a <b> & \"c\" folder"] {
      for name in try machine.names(in: folder) where name.contains("-000002-") {
        try machine.remove("\(folder)/\(name)")
      }
    }
    let gone = try test()
    #expect(gone.status == 0 && gone.text.contains("newest archive: cannot be compared"), "\(gone.text)")
    #expect(try kit.run(["test"]).status == 64)
  }

  @Test(.enabled(if: Typist.isPossible, "this machine has no Python"))
  func `a typo is forgiven twice, and then the line is named`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    let vault = String(kit.vault.suffix(8))
    let signer = String(kit.signer.suffix(8))
    let digits = String(kit.digest.suffix(8))
    func type(_ answers: [(String, String)]) throws -> RunResult {
      try machine.type(answers, ["kit", "test"] + kit.configuration)
    }
    let right = try type([
      ("of the vault: ", "00000000"), ("again (2 left)", ""), ("again (1 left)", vault),
      ("or none: ", "none"), ("again (2 left)", signer), ("newest archive: ", "9"), ("again (2 left)", "2"),
      ("of its id: ", "01234567"), ("again (2 left)", digits), ("passphrase", "not the one"),
      ("2 left", Machine.passphrase),
    ])
    #expect(right.status == 0 && right.text.contains("the paper brings the wallet back"), "\(right.text)")
    #expect(!right.text.contains(Machine.passphrase))
    let wrong = try type([
      ("of the vault: ", vault), ("or none: ", "01234567"), ("again (2 left)", "01234567"),
      ("again (1 left)", "01234567"), ("newest archive: ", "2"), ("of its id: ", digits),
      ("passphrase", "not the one"), ("2 left", "nor this"), ("1 left", "nor that"),
    ])
    #expect(wrong.status == 60, "\(wrong.text)")
    #expect(wrong.text.contains("signer: WRONG") && wrong.text.contains("vault: right"))
    #expect(wrong.text.contains("from what is here: the line \"signer\"; the passphrase"), "\(wrong.text)")
    #expect(wrong.text.contains("Nothing is lost") && !wrong.text.contains("destroy"))
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `archives on a remote have a kit too`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    try remote.create(["--json"], status: 0)
    let printed = try remote.run(["kit", "print", "--target", remote.target])
    #expect(printed.status == 0 && printed.text.contains("rclone     \(remote.target)"), "\(printed.errors)")
    let facts = try remote.run(["kit", "print", "--json", "--target", remote.target]).json()
    let answers = [
      "--vault-digits", try #require(facts["vault"]?.text), "--signer-digits",
      try #require(facts["signer"]?.text), "--archive-number", "2",
      "--archive-digits", try #require(facts["archive"]?["id"]?.text),
    ]
    try remote.run(["kit", "test", "--target", remote.target] + answers + machine.archiveSecret, status: 0)
    let status = try remote.run(["status", "--target", remote.target, "--json"]).json()
    #expect(status["targets"]?[0]?["vaults"]?[0]?["kit"]?.text?.hasPrefix("20") == true)
  }
}
