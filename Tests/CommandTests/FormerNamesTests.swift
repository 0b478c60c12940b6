import FuekiSystem
import TestSupport
import Testing

/// Names of version 0.3.0, which work on and tell the present ones.
struct FormerNamesTests {
  @Test(arguments: [(["mend"], "repair"), (["shares", "check"], "key-shares check")])
  func `a former command has the present one's help, and a note`(_ former: [String], _ present: String) throws
  {
    let words = present.split(separator: " ").map(String.init)
    let new = try BuiltBinary.run(words + ["--help"])
    let old = try BuiltBinary.run(former + ["--help"])
    #expect(new.status == 0 && old.status == 0 && new.text == old.text && new.errors.isEmpty)
    #expect(old.errors.contains("note: \"\(former[0])\" is now \"\(words[0])\""), "\(old.errors)")
    #expect(try BuiltBinary.run(former + ["--help", "-q"]).errors.isEmpty)
    #expect(try BuiltBinary.run(["--help"]).text.contains("  \(words[0]) "))
  }

  @Test func `key generate makes a signer, or with a recipient an identity`() throws {
    let machine = try Machine(isPrepared: false)
    let signer = try machine.run(
      ["key", "generate", "--no-passphrase", "--output", machine.path("sign.key"), "--json"])
    #expect(signer.status == 0 && signer.errors.contains("\"key new-signer\""), "\(signer.errors)")
    #expect(try signer.json()["schema"]?.text == "fueki.key-generate/1")
    let identity = try machine.run(["key", "generate", "-r", "--output", machine.path("id.txt")])
    #expect(identity.status == 0 && identity.errors.contains("\"key new-identity\""), "\(identity.errors)")
    #expect(identity.text.hasPrefix("age1pq1"))
    let present = try machine.run(["key", "new-identity", "--output", machine.path("id2.txt")])
    #expect(present.status == 0 && !present.errors.contains("is now"), "\(present.errors)")
  }

  @Test func `restore --files-only and --shares tell their present names`() throws {
    let machine = try Machine()
    let files = try machine.run(
      ["restore", "latest", "--files-only", "--dry-run", "-t", machine.target] + machine.archiveSecret)
    #expect(files.errors.contains("\"restore --files-only\" is now \"put-back\""), "\(files.errors)")
    let shares = try machine.run(["show", "latest", "-t", machine.target, "--shares", machine.path("none")])
    #expect(shares.status != 64 && shares.errors.contains("is now \"--guardian-shares\""), "\(shares.errors)")
  }

  @Test func `the manual page has the former names`() throws {
    let page = String(decoding: try TestVectors.file("../man/fueki-backup.1"), as: UTF8.self)
    for name in ["mend", "shares", "key generate", "--shares", "restore --files-only"] {
      #expect(page.contains(".Li \(name)\n"), "\(name)")
    }
  }

  @Test func `shells complete the options of a former command`() throws {
    #expect(
      try BuiltBinary.run(["--generate-completion-script", "bash"]).text.contains(
        "mend) COMP_WORDS[1]=repair"))
  }
}
