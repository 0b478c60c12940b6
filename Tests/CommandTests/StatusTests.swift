import FuekiSystem
import TestSupport
import Testing

struct StatusTests {
  private func status(_ machine: Machine, _ more: [String] = []) throws -> (run: RunResult, vault: JSONValue)
  {
    let run = try machine.run(["status", "--target", machine.target, "--json"] + more)
    return (run, try run.json()["targets"]?[0]?["vaults"]?[0] ?? .null)
  }

  @Test func `each command notes what went well`() throws {
    let machine = try Machine()
    // The machine of the tests was prepared in another folder.
    #expect(try status(machine).vault["create"]?.text == nil)
    #expect(try machine.create().status == 0)
    #expect(try machine.run(["verify", machine.target]).status == 0)
    #expect(try machine.run(["prune", "--target", machine.target, "--keep-last", "9"]).status == 0)
    let (run, vault) = try status(machine, ["--max-age", "1h", "--max-verify-age", "1h"])
    #expect(run.status == 0, "\(run.text)")
    for kind in ["create", "verify", "prune"] {
      #expect(vault[kind]?.text?.hasPrefix("20") == true, "\(kind)")
    }
    #expect(vault["drill"]?.text == nil && vault["sequence"] == .number(2))
    let text = try machine.run(["status", "--target", machine.target + "/"])
    #expect(text.status == 0 && text.text.hasPrefix("All is well: ") && text.text.contains("  DRILLED  "))
  }

  @Test func `a timer of the package is found where it is enabled`() throws {
    let machine = try Machine()
    let folder = "home/.config/systemd/user/timers.target.wants"
    try Directory.makePrivateDirectories(machine.path(folder))
    // A link to a unit of the package, which need not be there to be listed.
    let linked = try BuiltBinary.run(
      program: "/bin/ln",
      ["-s", "/usr/lib/systemd/user/fueki-backup.timer", machine.path("\(folder)/fueki-backup.timer")])
    try #require(linked.status == 0, "\(linked.errors)")
    let text = try machine.run(["status", "--target", machine.target]).text
    #expect(text.contains("timer: \(machine.path(folder))/fueki-backup.timer\n"), "\(text)")
  }

  @Test func `what is too old, or never was, ends with 60`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    // It reads the newest once a day itself, and notes that.
    #expect(try status(machine, ["--max-verify-age", "1d"]).run.status == 0)
    // An age is whole seconds.
    SystemClock.sleep(seconds: 2)
    let (run, vault) = try status(machine, ["--max-age", "1s"])
    #expect(run.status == 60 && vault["problems"]?.elements.count == 1)
    #expect(try status(machine, ["--max-age", "1x"]).run.status == 64)
  }

  @Test func `the files that can go back into a home are counted`() throws {
    let machine = try Machine()
    try machine.write(ImportedFiles.keystore, to: "home/.ethereum/keystore/UTC--one")
    try machine.write("[1,2,3]", to: "home/.ethereum/key")
    try machine.write([7], to: "elsewhere")
    #expect(try machine.create().status == 0)
    #expect(try status(machine).vault["files"] == .number(0))
    let sources = [
      "store", "keystore:~/.ethereum/keystore", "file:~/.ethereum", "file:\(machine.path("elsewhere"))",
    ]
    try machine.create(["--accept=synced-keys"] + sources.flatMap { ["--from", $0] }, status: 0)
    // The keystore is taken by two sources, and goes back once; what lay elsewhere does not.
    #expect(try status(machine).vault["files"] == .number(2))
    let text = try machine.run(["status", "--target", machine.target]).text
    #expect(text.contains("files: 2 files of other programs. put-back returns them to their places"))
    let page = try machine.run(["kit", "print", "--target", machine.target], status: 0)
    let words = page.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("and then whether 2 files of other programs go back into place."), "\(words)")
    let lines = page.text.split(separator: "\u{0C}")[0].split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 66, "\(lines.count)")
    let kit = try machine.run(["kit", "print", "--target", machine.target, "--json"]).json()
    #expect(kit["files"] == .number(2))
    // An archive that another machine made has files that this one did not count.
    let other = try machine.run(
      ["status", "--target", machine.target, "--json"],
      environment: ["FUEKI_STATE": machine.path("other-state")])
    #expect(try other.json()["targets"]?[0]?["vaults"]?[0]?["files"] == nil)
  }

  @Test func `a failed verification is not noted`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let newest = try #require(machine.archives().last)
    try machine.damage(newest)
    #expect(try machine.run(["verify", machine.target]).status == 20)
    #expect(try status(machine).vault["verify"]?.text == nil)
  }

  @Test func `damage that verify found is a problem at once`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    // It has read the newest, and would do so again tomorrow.
    #expect(try status(machine).run.status == 0)
    let newest = try #require(machine.archives().last)
    let whole = try machine.damage(newest)
    #expect(try machine.run(["verify", machine.target]).status == 20)
    let (run, vault) = try status(machine)
    #expect(run.status == 60, "\(run.text)")
    #expect(vault["problems"]?[0]?.text?.contains("is damaged: make a new one") == true, "\(run.text)")
    try machine.write(whole, to: newest)
    #expect(try status(machine).run.status == 0)
  }

  @Test(
    .enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"),
    arguments: [
      ("mount --bind \"$T\" \"$T\" && mount -o remount,ro,bind \"$T\"", "read-only"),
      (
        "mkdir s && cp -a \"$T/.\" s && mount -t tmpfs -o size=300k s \"$T\" && cp -a s/. \"$T\"",
        "not enough"
      ),
      ("mount --bind state state && mount -o remount,ro,bind state", "read-only"),
    ])
  func `what keeps tonight's backup from being written is a problem`(_ mounts: String, _ words: String) throws
  {
    let machine = try Machine()
    // So that one archive has room, and a second has not.
    for archive in try machine.archives() { try machine.remove(archive) }
    try machine.write("[[target]]\npath = \"target\"\nkind = \"local\"\n", to: "config.toml")
    let config = ["--config", machine.path("config.toml")]
    #expect(try machine.run(["create", "--full"] + config + machine.secrets).status == 0)
    try machine.run(["status"] + config, status: 0)
    let inside = Namespace.shell("\(mounts) && exec \"$@\"", machine)
    let run = try machine.run(["status"] + config, through: inside)
    #expect(run.status == 60 && run.text.contains("PROBLEM: "), "\(run.text)\(run.errors)")
    #expect(run.text.contains(words), "\(run.text)")
  }

  @Test func `a target that is away or empty, and an archive that is gone, are problems`() throws {
    let machine = try Machine()
    #expect(try machine.run(["status", "--target", machine.path("away")]).status == 60)
    try Directory.makePrivateDirectories(machine.path("empty"))
    #expect(try machine.run(["status", "--target", machine.path("empty")]).status == 60)
    #expect(try machine.create().status == 0)
    try machine.remove(try #require(machine.archives().last))
    let (run, vault) = try status(machine)
    #expect(run.status == 60)
    #expect(vault["problems"]?[0]?.text?.contains("is gone") == true)
  }

  @Test func `of a disk that is not there it is said what was on it, and what to do`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    try machine.copy("target", to: "elsewhere")
    try machine.remove("target")
    let run = try machine.run(["status", "--target", machine.target])
    let words = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.status == 60 && words.contains("up to number 2, the last made 20"), "\(words)")
    #expect(words.contains("Plug in or mount its disk") && !words.contains("is gone"), "\(words)")
  }

  @Test(.enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"))
  func `an empty folder where the disk is not mounted is no loss of archives`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let unmounted = Namespace.shell("mount -t tmpfs small \"$T\" && exec \"$@\"", machine)
    let run = try machine.run(["status", "--target", machine.target], through: unmounted)
    let words = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.status == 60 && words.contains("is not mounted there. It has archives of vault"), "\(words)")
    #expect(words.contains("Mount the disk") && !words.contains("is gone"), "\(words)")
  }

  @Test func `a configured vault that has no archive beside another's is missed`() throws {
    let machine = try Machine()
    let club = String(repeating: "ab", count: 16)
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      [[vault]]
      name = "mine"
      [[vault]]
      name = "club"
      id = "\(club)"
      """, to: "home/.config/fueki-backup/config.toml")
    #expect(try machine.run(["create", "--vault", "mine"] + machine.secrets).status == 0)
    let all = try machine.run(["status", "--json"])
    let vaults = try #require(try all.json()["targets"]?[0]?["vaults"]?.elements)
    #expect(all.status == 60 && vaults.count == 2)
    let missed = vaults.filter { $0["problems"]?[0]?.text == "there is no whole archive" }
    #expect(missed.map { $0["vault"]?.text } == [club])
    let text = try machine.run(["status"]).text
    #expect(text.contains("PROBLEM: club: there is no whole archive"), "\(text)")
    #expect(text.contains("\nmine  ") && text.contains("\nclub  "), "\(text)")
    #expect(try machine.run(["status", "--vault", "mine", "--max-age", "1h"]).status == 0)
    #expect(try machine.run(["status", "--vault", "club"]).status == 60)
    // Another folder than the configuration's is looked at for what is there.
    try Directory.makePrivateDirectories(machine.path("elsewhere"))
    try machine.copy(machine.archives()[0], to: "elsewhere/a.fueki")
    #expect(try machine.run(["status", "--target", machine.path("elsewhere")]).status == 0)
  }

  @Test func `the newest counts as verified by its name too`() throws {
    let machine = try Machine()
    let first = try #require(try machine.archives().first)
    #expect(try machine.create().status == 0)
    #expect(try machine.run(["verify", machine.path(first)]).status == 0)
    let noted = { try machine.text("state/activity.json") }
    #expect(try !noted().contains("\"verify\""))
    #expect(try machine.run(["verify", "latest", "--target", machine.target]).status == 0)
    #expect(try noted().contains("\"verify\""))
    #expect(try status(machine, ["--max-verify-age", "1h"]).run.status == 0)
  }

  @Test func `verifying elsewhere leaves nothing behind`() throws {
    let machine = try Machine()
    try machine.remove("state")
    #expect(try machine.run(["verify", machine.target]).status == 0)
    #expect(!machine.exists("state"))
  }
}
