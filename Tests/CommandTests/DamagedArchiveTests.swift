import TestSupport
import Testing

/// The report of `status` on archives that `verify` found damaged.
struct DamagedArchiveTests {
  private static let found = "is damaged, as verify found on "

  @Test func `damage in a vault that this machine does not know is reported everywhere`() throws {
    let machine = try Machine.withTwoArchives()
    let (target, list) = (["--target", machine.target], machine.path("list.toml"))
    #expect(try machine.watch(["status", "--write-expected", list] + target).status == 0)
    let newest = try #require(machine.archives().last)
    let whole = try machine.damage(newest)
    #expect(try machine.watch(["verify", machine.target]).status == 20)
    let (page, metrics) = (machine.path("page.html"), machine.path("fueki.prom"))
    let outputs = ["--html", page, "--prometheus", metrics]
    let text = try machine.watch(["status"] + target + outputs)
    #expect(text.status == 60 && !text.text.contains("All is well"), "\(text.text)\(text.errors)")
    #expect(text.text.contains(Self.found) && text.text.contains("failed "), "\(text.text)")
    let html = try machine.text("page.html")
    #expect(html.contains(Self.found) && html.contains("failed on ") && !html.contains("All is well"))
    let numbers = try machine.text("fueki.prom").split(separator: "\n")
    for name in ["problems", "failed_verify"] {
      let line = numbers.first { $0.hasPrefix("fueki_backup_vault_\(name){") }
      #expect(line?.hasSuffix(" 1") == true, "\(name)")
    }
    let json = try machine.watch(["status", "--json"] + target)
    let vault = try json.json()["targets"]?[0]?["vaults"]?[0]
    let digest = try #require(vault?["id"]?.text)
    #expect(vault?["problems"]?[0]?.text?.contains(digest.prefix(8)) == true, "\(json.text)")
    #expect(vault?["failed_verify"]?.text?.hasSuffix("Z") == true, "\(json.text)")
    let expected = try machine.watch(["status", "--expected", list, "--json"] + target)
    #expect(try expected.json()["expected"]?[0]?["status"] == .string("damaged"), "\(expected.text)")

    // The bytes are not read again before the next verification.
    try machine.write(whole, to: newest)
    #expect(try machine.watch(["status"] + target).status == 60)
    #expect(try machine.watch(["verify", machine.target]).status == 0)
    #expect(try machine.watch(["status", "--expected", list] + target).status == 0)
    #expect(try machine.watch(["status"] + target).status == 0)
  }

  @Test(arguments: [100_000, 40])
  func `what lies there damaged is not called removed`(_ byteCount: Int) throws {
    let machine = try Machine.withTwoArchives()
    try #require(try machine.create().status == 0)
    let middle = try machine.archives()[1]
    try machine.write(Array(try machine.read(middle).prefix(byteCount)), to: middle)
    let report = machine.path("verify.xml")
    for command in [["verify", "--complete", "--report", "junit=\(report)"], ["list"]] {
      let damaged = try machine.watch(command + [machine.target])
      #expect(!(damaged.text + damaged.errors).contains("removed them"), "\(damaged.text)")
    }
    let junit = try machine.text("verify.xml")
    #expect(!junit.contains("damaged: damaged") && !junit.contains("incomplete: incomplete"), "\(junit)")
    try machine.remove(middle)
    for command in [["verify", "--complete"], ["list"]] {
      let removed = try machine.watch(command + [machine.target])
      #expect((removed.text + removed.errors).contains("removed them"), "\(removed.text)")
    }
  }

  @Test func `the report for CI says once that an archive is damaged`() throws {
    let machine = try Machine.withTwoArchives()
    try machine.damage(try #require(machine.archives().last))
    try machine.watch(
      ["verify", machine.target, "--report", "junit=\(machine.path("verify.xml"))"], status: 20)
    let junit = try machine.text("verify.xml")
    #expect(
      junit.contains("message=\"damaged: a part of ") && !junit.contains("damaged: damaged"), "\(junit)")
  }

  @Test func `damage is no longer reported if the archive is not the newest, or is gone`() throws {
    let machine = try Machine.withTwoArchives()
    let status = ["status", "--target", machine.target]
    try machine.damage(try #require(machine.archives().last))
    #expect(try machine.watch(["verify", machine.target]).status == 20)
    #expect(try machine.watch(status).status == 60)
    #expect(try machine.create().status == 0)
    #expect(try machine.watch(status).status == 0)
    // It is the newest again.
    let third = try #require(machine.archives().last)
    try machine.copy(third, to: "third")
    try machine.remove(third)
    #expect(try machine.watch(["verify", machine.target]).status == 20)
    #expect(try machine.watch(status).text.contains(Self.found))
    try machine.remove(try #require(machine.archives().last))
    #expect(try machine.watch(["verify", machine.target]).status == 0)
    let record = try machine.text("watcher/damaged.json")
    #expect(!record.contains("archive"), "\(record)")
  }

  @Test func `the age of a verification that failed is its date, and not never`() throws {
    let machine = try Machine.withTwoArchives()
    try machine.damage(try #require(machine.archives().last))
    let status = ["status", "--target", machine.target, "--max-verify-age", "1d", "--json"]
    func problems(_ run: RunResult) throws -> [String] {
      try run.json()["targets"]?[0]?["vaults"]?[0]?["problems"]?.elements.compactMap(\.text) ?? []
    }
    #expect(try problems(machine.watch(status)).contains("the last verification: never"))
    // This machine's own is read here, and the others where verify is.
    let own = try machine.run(status)
    #expect(try problems(own).contains("the last verification failed"), "\(own.text)")
    for isOwn in [true, false] {
      func run(_ arguments: [String]) throws -> RunResult {
        isOwn ? try machine.run(arguments) : try machine.watch(arguments)
      }
      #expect(try run(["verify", machine.target]).status == 20)
      let failed = try problems(run(status))
      let isDated = failed.contains {
        $0.hasPrefix("the last verification, on ") && $0.hasSuffix("Z, failed")
      }
      #expect(isDated && !failed.contains { $0.contains("never") }, "\(failed)")
    }
  }

  @Test func `files that others plant in a known vault's target raise no alarm`() throws {
    let machine = try Machine.withTwoArchives()
    let status = ["status", "--target", machine.target]
    // A damaged copy of the newest archive, and a damaged archive with a later number.
    let other = try Machine(copying: machine.root)
    try other.create(["--unsigned"]).expect(0)
    let newest = try #require(machine.archives().last)
    try machine.write(try other.read(try #require(other.archives().last)), to: "target/planted.fueki")
    try machine.copy(newest, to: "target/copy.fueki")
    for name in ["planted", "copy"] { try machine.damage("target/\(name).fueki") }
    for archives in [
      [machine.target], [machine.path("target/planted.fueki")], [machine.path("target/copy.fueki")],
    ] {
      let verified = try machine.run(["verify"] + archives)
      #expect(verified.status == 20, "\(archives) \(verified.text)\(verified.errors)")
    }
    let seen = try machine.run(status)
    #expect(seen.status == 0 && !seen.text.contains("damaged"), "\(seen.text)\(seen.errors)")
    #expect(!machine.exists("state/damaged.json"))
  }

  @Test func `the record is bounded, and a damaged one is made again`() throws {
    let machine = try Machine.withTwoArchives()
    let status = ["status", "--target", machine.target]
    try machine.damage(try #require(machine.archives().last))
    let entries = (0..<5000).map { number in
      let digits = String(number)
      let digest = digits + String(repeating: "a", count: 64 - digits.count)
      return "{\"archive\": \"\(digest)\", \"target\": \"/elsewhere\", \"time\": \(number), "
        + "\"depth\": \"checksums\", \"known\": \(number < 10)}"
    }
    let long = "[\(entries.joined(separator: ","))]"
    let misspelled = long.replacing("\"checksums\", \"known\": true", with: "\"check\", \"known\": true")
    for (text, isDamaged) in [("[", true), (misspelled, true), (long, false)] {
      try machine.write(text, to: "watcher/damaged.json")
      let seen = try machine.watch(status)
      #expect(seen.status == (isDamaged ? 60 : 0), "\(seen.text)\(seen.errors)")
      #expect(seen.text.contains("damaged.json") == isDamaged, "\(seen.text)")
      #expect(seen.text.contains("All is well") != isDamaged, "\(seen.text)")
      let verified = try machine.watch(["verify", machine.target], status: 20)
      #expect(verified.errors.contains("made again") == isDamaged, "\(verified.errors)")
      #expect(try machine.watch(status).text.contains(Self.found))
    }
    let record = try machine.text("watcher/damaged.json")
    #expect(record.ranges(of: "\"archive\"").count == 4096)
    // The first ones that were found, but those of vaults that the machine knew remain.
    #expect(record.ranges(of: "\"known\" : true").count == 10)
  }

  @Test func `a newest archive whose base is damaged is reported as damaged`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.run(["demo", "--keep", machine.path("demo"), "--transactions", "6000"], status: 0)
    let create =
      ["create", "--datadir", machine.path("demo/old-machine/data/fueki"), "--target", machine.target]
      + ["--keychain-passphrase-from", machine.place("demo/old-machine.key")] + machine.archiveSecret
      + Machine.quick
    for kind in ["--full", "--differential"] {
      try machine.run(create + [kind], status: 0)
    }
    let (target, list) = (["--target", machine.target], machine.path("list.toml"))
    #expect(try machine.watch(["status", "--write-expected", list] + target).status == 0)
    let base = try #require(machine.archives().first)
    let whole = try machine.damage(base)
    for isOwn in [true, false] {
      func run(_ arguments: [String]) throws -> RunResult {
        isOwn ? try machine.run(arguments) : try machine.watch(arguments)
      }
      #expect(try run(["status"] + target).status == 0)
      #expect(try run(["verify", machine.target]).status == 20)
      let seen = try run(["status"] + target)
      #expect(seen.status == 60 && seen.text.contains(Self.found), "\(seen.text)\(seen.errors)")
      #expect(seen.text.contains("create --full"), "\(seen.text)")
      let expected = try run(["status", "--expected", list, "--json"] + target)
      #expect(try expected.json()["expected"]?[0]?["status"] == .string("damaged"), "\(expected.text)")
    }
    // With a secret, the base of an archive is read. It is what is damaged.
    try machine.write("[]", to: "watcher/damaged.json")
    try machine.watch(
      ["verify", "latest", "--depth", "contents"] + target + machine.archiveSecret, status: 20)
    let seen = try machine.watch(["status"] + target)
    #expect(seen.status == 60 && seen.text.contains("create --full"), "\(seen.text)\(seen.errors)")
    try machine.write(whole, to: base)
    try machine.watch(
      ["verify", machine.target, "--depth", "contents"] + machine.archiveSecret, status: 0)
    #expect(try machine.watch(["status"] + target).status == 0)
  }

  /// Writes the watcher's record, which has the newest archive as if it had been found damaged.
  private func record(_ machine: Machine, depth: String, time: Int64) throws {
    let listed = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    let newest = try #require(listed.max { ($0["sequence"]?.number ?? 0) < ($1["sequence"]?.number ?? 0) })
    let id = try #require(newest["id"]?.text)
    try machine.write(
      "[{\"archive\": \"\(id)\", \"target\": \"\(machine.target)\", \"time\": \(time), "
        + "\"depth\": \"\(depth)\", \"known\": false}]", to: "watcher/damaged.json")
  }

  @Test func `only a verification of the same or a greater depth removes a record`() throws {
    let machine = try Machine.withTwoArchives()
    let (status, verify) = (["status", "--target", machine.target], ["verify", machine.target])
    try record(machine, depth: "contents", time: 1)
    #expect(try machine.watch(verify).status == 0)
    let seen = try machine.watch(status)
    #expect(seen.status == 60 && seen.text.contains(Self.found), "\(seen.text)")
    try machine.watch(verify + ["--depth", "contents"] + machine.archiveSecret, status: 0)
    #expect(try machine.watch(status).status == 0)
    try record(machine, depth: "checksums", time: 1)
    #expect(try machine.watch(verify).status == 0)
    #expect(try machine.read("watcher/damaged.json") == Array("[\n\n]".utf8))
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"), arguments: [true, false])
  func `damage is recorded, and removed, however the archive is chosen`(_ isOwn: Bool) throws {
    let machine = try Machine.withTwoArchives()
    let remote = try RcloneRemote(.local, machine)
    for archive in try machine.archives() {
      try machine.copy(archive, to: "remote/wallet/\(archive.split(separator: "/").last ?? "")")
    }
    let name = try String(#require(machine.archives().last?.split(separator: "/").last))
    let state = isOwn ? "state" : "watcher"
    func run(_ arguments: [String]) throws -> RunResult {
      isOwn ? try remote.run(arguments) : try machine.watch(arguments, environment: remote.environment)
    }
    for (file, target) in [("remote/wallet/\(name)", remote.target), ("target/\(name)", machine.target)] {
      for chosen in [["latest", "--target", target], ["\(target)/\(name)"], [target], ["--target", target]] {
        let whole = try machine.damage(file)
        let failed = try run(["verify"] + chosen)
        #expect(failed.status == 20, "\(chosen) \(failed.text)\(failed.errors)")
        let record = try machine.text("\(state)/damaged.json")
        #expect(record.contains("\"target\" : \"\(target)\""), "\(chosen) \(record)")
        let seen = try run(["status", "--target", target])
        // In a folder, status itself reads this machine's own archives.
        let isRead = isOwn && target == machine.target
        let found = seen.text.contains(isRead ? "is damaged: make a new one" : Self.found)
        #expect(seen.status == 60 && found, "\(chosen) \(seen.text)\(seen.errors)")
        try machine.write(whole, to: file)
        #expect(try run(["verify"] + chosen).status == 0)
        #expect(try machine.read("\(state)/damaged.json") == Array("[\n\n]".utf8), "\(chosen)")
        #expect(try run(["status", "--target", target]).status == 0, "\(chosen)")
      }
    }
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"), arguments: [true, false])
  func `damage on a remote is reported until a verification finds the archive intact`(_ isOwn: Bool) throws {
    let machine = try Machine.withTwoArchives()
    let remote = try RcloneRemote(.local, machine)
    for archive in try machine.archives() {
      try machine.copy(archive, to: "remote/wallet/\(archive.split(separator: "/").last ?? "")")
    }
    let newest = "remote/wallet/\(try #require(machine.archives().last?.split(separator: "/").last))"
    func run(_ arguments: [String]) throws -> RunResult {
      isOwn ? try remote.run(arguments) : try machine.watch(arguments, environment: remote.environment)
    }
    let status = ["status", "--target", remote.target]
    #expect(try run(status).status == 0)
    // A damaged copy next to the intact archive is not the newest archive's damage.
    try machine.copy(newest, to: "remote/wallet/copy.fueki")
    try machine.damage("remote/wallet/copy.fueki")
    #expect(try run(["verify", remote.target]).status == 20)
    #expect(try run(status).status == 0)
    try machine.remove("remote/wallet/copy.fueki")
    let whole = try machine.damage(newest)
    #expect(try run(["verify", remote.target]).status == 20)
    let seen = try run(status)
    #expect(seen.status == 60 && seen.text.contains(Self.found), "\(seen.text)\(seen.errors)")
    try machine.write(whole, to: newest)
    #expect(try run(["verify", remote.target]).status == 0)
    #expect(try run(status).status == 0)
  }
}
