import FuekiSystem
import TestSupport
import Testing

/// The commands' reports on seals: whether a signature covers them, and whether a copy has others.
struct SealCoverTests {
  /// Puts an archive of the released test vectors into the machine's folder `name`.
  private func released(_ vector: String, in name: String, _ machine: Machine) throws -> String {
    try Directory.makePrivateDirectories(machine.path(name))
    try machine.write(TestVectors.file("archives/\(vector).fueki"), to: "\(name)/\(vector).fueki")
    return machine.path("\(name)/\(vector).fueki")
  }

  @Test(arguments: [
    ("signed", "not-covered", "its signature does not cover the seals"),
    ("everything", "unsigned", "it is unsigned, so nothing vouches for the seals"),
  ])
  func `verify, show and list say that no signature covers an older archive's seals`(
    _ vector: String, _ name: String, _ sentence: String
  ) throws {
    let machine = try Machine(isPrepared: false)
    let path = try released(vector, in: "old", machine)
    try machine.write("correct horse battery staple", to: "old.pass")
    let closed = try machine.run(["verify", path])
    #expect(
      closed.status == 0 && closed.text.contains("  \(sentence). Opening was not tried\n"), "\(closed.text)")
    let secret = ["-p", machine.path("old.pass")]
    let open = try machine.run(["verify", path, "--depth", "contents"] + secret)
    #expect(open.status == 0 && open.text.contains("  \(sentence)\n"), "\(open.text) \(open.errors)")
    #expect(!open.text.contains("not tried"))
    #expect(try machine.run(["verify", path, "--json"]).json()["archives"]?[0]?["seals"] == .string(name))
    let shown = try machine.run(["show", path])
    #expect(shown.text.contains("\nseals     "), "\(shown.text)")
    #expect(try machine.run(["show", path, "--json"]).json()["header"]?["seals"] == .string(name))
    let listed = try machine.run(["list", machine.path("old")])
    #expect(listed.errors.contains("no signature covers the seals of 1 archive. Opening was not tried"))
    #expect(
      try machine.run(["list", machine.path("old"), "--json"]).json()["archives"]?[0]?["seals"]
        == .string(name))
  }

  @Test func `a copy of a signed archive with other seals is forged, is not mine, and decides nothing`()
    throws
  {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let newest = try #require(try machine.archives().last)
    let path = machine.path(newest)
    let good = try machine.run(["verify", path])
    #expect(good.status == 0 && !good.text.contains("seals"), "\(good.text)")
    #expect(try !machine.run(["show", path]).text.contains("\nseals "))

    try machine.write(machine.read(newest).withOtherSeals, to: "target/0.fueki")
    let copy = machine.path("target/0.fueki")
    let forged = try machine.run(["verify", copy])
    #expect(forged.status == 22 && forged.text.contains("its signature is not valid"), "\(forged.text)")
    #expect(try machine.run(["verify", machine.target]).status == 22)
    let signer = try #require(
      try machine.run(["show", path, "--json"]).json()["header"]?["signer"]?.text)
    #expect(try machine.run(["verify", copy, "--trusted-signer", signer]).status == 23)
    let listed = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    let whose = listed.first { $0["path"]?.text == copy }?["whose"]
    #expect(whose == .string("stranger"))
    #expect(listed.first { $0["path"]?.text == path }?["whose"] == .string("mine"))
    let latest = try machine.run(["show", "latest", "--target", machine.target, "--json"]).json()
    #expect(latest["header"]?["path"]?.text == path)
    let deep = ["verify", "latest", "--target", machine.target, "--depth", "contents"]
    #expect(try machine.run(deep + machine.archiveSecret).status == 0)
    // The vault goes on as if the copy were not there.
    try machine.create(status: 0)
  }

  @Test func `a change of keys writes an archive whose signature covers the seals`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    try machine.run(
      ["key", "add", "latest", "--target", machine.target, "--recipient", recipient]
        + machine.archiveSecret, status: 0)
    let header = try machine.run(["show", "latest", "--target", machine.target, "--json"]).json()["header"]
    #expect(header?["seals"] == .string("covered") && header?["signer"]?.text != nil)
  }
}
