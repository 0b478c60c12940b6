import FuekiSystem
import TestSupport
import Testing

/// Small files as editors and shells save them: each option that names one reads every form.
struct SavedTextFormTests {
  enum Form: String, CaseIterable, CustomTestStringConvertible {
    case windowsLines, mark, markAndWindowsLines, littleEndian, bigEndian

    var testDescription: String { rawValue }

    func bytes(of text: String) -> [UInt8] {
      let lines = text.replacing("\n", with: "\r\n")
      return switch self {
      case .windowsLines: Array(lines.utf8)
      case .mark: Array("\u{FEFF}\(text)".utf8)
      case .markAndWindowsLines: Array("\u{FEFF}\(lines)".utf8)
      case .littleEndian: "\u{FEFF}\(lines)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .bigEndian: "\u{FEFF}\(lines)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    }
  }

  private func seal(_ machine: Machine, _ more: [String]) throws -> RunResult {
    try machine.run(["create", "--target", machine.target] + machine.keychainSecret + Machine.quick + more)
  }

  private func verify(_ machine: Machine, _ more: [String]) throws -> RunResult {
    try machine.run(["verify", "latest", "--target", machine.target, "--depth", "contents"] + more)
  }

  @Test func `identities, recipients, signers and guardians are read in every form`() throws {
    let machine = try Machine()
    #expect(
      try machine.run(["key", "new-identity", "--output", machine.path("identity")]).status == 0)
    let identity = try machine.text("identity")
    let recipient = try #require(
      identity.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("age1") })
    try machine.run(
      ["guardians", "split", "--threshold", "2", "--count", "2", "--output", machine.path("guardians")],
      status: 0)
    let signer = try #require(machine.names(in: "state").first { $0.hasSuffix(".pub") })
    for form in Form.allCases {
      func save(_ text: String, _ name: String) throws -> String {
        try machine.write(form.bytes(of: text), to: name)
        return machine.path(name)
      }
      let listed = try save("# mine\n\(recipient)\n", "recipients")
      let made = try seal(
        machine,
        [
          "--recipients-file", listed, "--guardians",
          try save(machine.text("guardians/guardians.txt"), "list"),
        ])
      #expect(made.status == 0, "\(form): \(made.errors)")
      let opened = try verify(machine, ["--identity", save(identity, "saved-identity")])
      #expect(opened.status == 0, "\(form): \(opened.errors)")
      let shares = try [1, 2].map { try save(machine.text("guardians/guardian-\($0).txt"), "share-\($0)") }
      let joined = try verify(machine, ["--guardian-shares"] + shares)
      #expect(joined.status == 0, "\(form): \(joined.errors)")
      let signed = try machine.run(
        ["verify", "latest", "--target", machine.target, "--trusted-signer"]
          + [save(machine.text("state/\(signer)"), "signers")])
      #expect(signed.status == 0, "\(form): \(signed.errors)")
    }
  }

  @Test func `damaged UTF-16 is named, and a dry run ends as the run does`() throws {
    let machine = try Machine()
    try machine.write([0xFF, 0xFE, 0x61], to: "damaged")
    for option in ["--recipients-file", "--guardians"] {
      for name in ["damaged", "nowhere"] {
        let run = try seal(machine, [option, machine.path(name)])
        let planned = try seal(machine, [option, machine.path(name), "--dry-run"])
        #expect(
          run.status != 0 && planned.status == run.status,
          "\(option) \(name): \(run.status) \(planned.status)")
        #expect(planned.errors == run.errors)
        #expect(run.errors.contains("damaged UTF-16") == (name == "damaged"), "\(run.errors)")
      }
    }
    let opened = try verify(machine, ["--identity", machine.path("damaged")])
    #expect(opened.status == 12 && opened.errors.contains("damaged UTF-16"), "\(opened.errors)")
    #expect(try machine.archives().count == 1)
  }

  @Test(arguments: Form.allCases)
  func `a passphrase file opens in every form, and seals what the typed passphrase opens`(_ form: Form) throws
  {
    let machine = try Machine()
    try machine.write(form.bytes(of: Machine.passphrase + "\n"), to: "saved")
    let saved = ["-p", machine.path("saved")]
    let opened = try verify(machine, saved)
    #expect(opened.status == 0 && !opened.errors.contains("counts as"), "\(opened.errors)")
    let made = try seal(machine, saved + ["--accept=new-passphrase"]).expect(0)
    #expect(!made.errors.contains("warning: "), "\(made.errors)")
    #expect(try verify(machine, machine.archiveSecret).status == 0)
    // The keychain's secret, by the same reader.
    let keychain = form.bytes(of: try machine.text("keychain.pass"))
    try machine.write(keychain, to: "saved-keychain")
    try machine.run(
      ["create", "--target", machine.target, "--keychain-passphrase-from", machine.place("saved-keychain")]
        + saved
        + Machine.quick, status: 0)
  }

  @Test(arguments: ["\u{FEFF}\(Machine.passphrase)", "\(Machine.passphrase)\r"])
  func `an archive that 0.2.0 sealed with a mark or a carriage return opens, and its vault goes on`(
    _ exact: String
  ) throws {
    let machine = try Machine()
    // The environment's value is taken byte for byte, as 0.2.0 took a file.
    try machine.run(
      ["create", "--target", machine.target, "--accept=new-passphrase"] + machine.keychainSecret
        + Machine.quick,
      environment: ["FUEKI_PASSPHRASE": exact], status: 0)
    #expect(try verify(machine, machine.archiveSecret).status == 12)
    try machine.write(exact + "\n", to: "saved")
    let saved = ["-p", machine.path("saved")]
    #expect(try verify(machine, saved).status == 0)
    let next = try seal(machine, saved).expect(0)
    #expect(next.errors.contains("cannot be typed"), "\(next.errors)")
    #expect(try verify(machine, saved).status == 0)
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")] + saved
        + machine.keychainSecret + Machine.quick, status: 0)
    // After the change the typed passphrase opens it.
    try machine.write("another passphrase, which is long enough", to: "new")
    try machine.run(
      [
        "key", "change-passphrase", "latest", "--target", machine.target, "--new-passphrase-from",
        machine.place("new"),
      ]
        + saved + Machine.quick, status: 0)
    #expect(try verify(machine, ["-p", machine.path("new")]).status == 0)
  }

  @Test(arguments: [
    (" ", "", "begins with a space"), ("\u{3000}", "", "begins with a space"),
    ("\u{200B}", "", "begins with a zero-width space"),
    ("", " ", "ends with a space"), ("", "\u{200B}", "ends with a zero-width space"),
    ("", "\u{AD}", "ends with a soft hyphen"), ("x\u{AD}", "", "contains a soft hyphen"),
    ("x\n", "", "contains a line break"),
    ("x\u{FEFF}", "", "contains a byte order mark"),
    ("", "\u{2060}", "ends with an invisible character (U+2060)"),
    ("", "\t", "ends with a tab"),
  ])
  func `what is not seen in a new passphrase is warned of and stays`(
    _ front: String, _ back: String, _ words: String
  ) throws {
    let machine = try Machine()
    try machine.write("\(front)correct horse battery staple violin\(back)\n", to: "unseen")
    let file = machine.path("unseen")
    let made = try seal(machine, ["-p", file, "--accept=new-passphrase", "-q"]).expect(0)
    #expect(made.errors.contains("warning: the passphrase in \(file) \(words)"), "\(made.errors)")
    #expect(try verify(machine, ["-p", file]).status == 0)
    try machine.write("correct horse battery staple violin", to: "seen")
    #expect(try verify(machine, ["-p", machine.path("seen")]).status == 12)
    let added = try machine.run(
      ["key", "add", "latest", "--target", machine.target, "--new-passphrase-from", "file:\(file)"]
        + Machine.quick + ["-p", file])
    #expect(added.errors.contains("warning: the passphrase in \(file) \(words)"), "\(added.errors)")
  }
}
