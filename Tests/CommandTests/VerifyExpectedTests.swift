import FuekiSystem
import TestSupport
import Testing

/// `verify --expected`: the vaults of a list, by the archives that were read.
struct VerifyExpectedTests {
  /// A machine whose vault's archives are in `bucket/alice`, another vault's in `bucket/bob`, and a list of both.
  private func bucket() throws -> Machine {
    let machine = try Machine.withBucket()
    try makeList(machine, of: [machine.path("bucket"), "--recursive"])
    return machine
  }

  /// Writes `list.toml`, in which every vault has an owner, and the one in `bob` a label.
  private func makeList(
    _ machine: Machine, of target: [String], environment: [String: String] = [:]
  ) throws {
    let list = ["--write-expected", machine.path("made.toml")]
    try machine.watch(["status", "--target"] + target + list, environment: environment, status: 0)
    let text = try machine.text("made.toml")
    if machine.exists("watcher") { try machine.remove("watcher") }
    try machine.write(
      text.replacing("target = ", with: "owner = \"The desk\"\ntarget = ")
        .replacing(
          "owner = \"The desk\"\ntarget = \"bucket/bob",
          with: "label = \"bob\"\nowner = \"Bob, +41 44\"\ntarget = \"bucket/bob"),
      to: "list.toml")
  }

  private func words(_ run: RunResult) throws -> [String] {
    try run.json()["expected"]?.elements.compactMap { $0["status"]?.text } ?? []
  }

  @Test func `a failed archive has its vault's label and owner in text, JSON and JUnit`() throws {
    let machine = try bucket()
    let (bucket, report) = (machine.path("bucket"), machine.path("report.xml"))
    let verify = ["verify", bucket, "--recursive", "--expected", machine.path("list.toml")]
    let well = try machine.watch(verify, status: 0)
    #expect(well.text.contains("All 2 expected vaults are well.") && !well.text.contains("owner:"))
    #expect(!well.text.contains("Only the beginning"), "\(well.text)")

    try machine.damage("bucket/bob/b.fueki")
    let failed = try machine.watch(verify + ["--report", "junit=\(report)"], status: 20)
    #expect(failed.text.contains("vault: bob (") && failed.text.contains("), owner: Bob, +41 44"))
    #expect(failed.text.contains("1 of 2 expected vaults has a problem: 1 damaged."), "\(failed.text)")
    let xml = try machine.text("report.xml")
    #expect(xml.contains("classname=\"bob ("), "\(xml)")
    // The archive and its vault each fail once, in suites of their own.
    for suite in ["--depth checksums: archives", "--expected: vaults"] {
      let start = "<testsuite name=\"fueki-backup verify \(suite)\""
      let line = xml.split(separator: "\n").first { $0.hasPrefix(start) }
      #expect(line?.contains("failures=\"1\"") == true, "\(xml)")
    }
    #expect(xml.components(of: "owner: Bob, +41 44") == 2 && xml.contains("classname=\"expected\""), "\(xml)")

    let document = try machine.watch(verify + ["--problems-only", "--json"])
    let archives = try document.json()["archives"]?.elements ?? []
    #expect(archives.count == 1 && archives[0]["label"] == .string("bob"), "\(document.text)")
    #expect(archives.first?["owner"] == .string("Bob, +41 44"))
    #expect(archives.first?["vault"]?.text?.count == 32)
    #expect(try words(document) == ["damaged"] && document.json()["ok"] == .bool(false))
    #expect(try words(machine.watch(verify + ["--json"])) == ["damaged", "ok"])
  }

  @Test func `a file without a readable header counts to the vault whose folder it is in`() throws {
    let machine = try bucket()
    try machine.write("not all of an archive", to: "bucket/bob/b.fueki")
    let run = try machine.watch(["verify", "--expected", machine.path("list.toml"), "--json"], status: 19)
    let archives = try run.json()["archives"]?.elements ?? []
    let owners = archives.filter { $0["verdict"]?.text != "ok" }.map { $0["owner"]?.text }
    #expect(try owners == ["Bob, +41 44"] && words(run) == ["missing", "ok"], "\(run.text)")
  }

  @Test func `a file that holds only zeros is not said to be on its way`() throws {
    let machine = try Machine()
    let zeros = [UInt8](repeating: 0, count: 3 << 19)
    for (name, bytes, isZero) in [("zero", zeros, true), ("tail", zeros + [1], false)] {
      try machine.write(bytes, to: "\(name)/wallet-20261121T063000Z-000003-0123456789ab.fueki")
      let run = try machine.watch(["verify", machine.path(name)], status: 21)
      #expect(run.text.contains("the file holds only zeros") == isZero, "\(run.text)")
      #expect(run.text.contains("make a new backup") == isZero, "\(run.text)")
      #expect(run.text.contains("wait for the sync") != isZero, "\(run.text)")
    }
  }

  @Test func `a vault without an archive is missing, and one whose folder is gone unreachable`() throws {
    let machine = try bucket()
    let list = ["--expected", machine.path("list.toml")]
    try machine.remove("bucket/bob/b.fueki")
    // Without an archive, the targets of the list are read.
    let missing = try machine.watch(
      ["verify", "--report", "junit=\(machine.path("report.xml"))"] + list, status: 60)
    let row = missing.text.split(separator: "\n").first { $0.hasPrefix("missing ") }
    #expect(row?.contains("Bob, +41 44") == true, "\(missing.text)")
    let xml = try machine.text("report.xml")
    #expect(xml.contains("<failure type=\"missing\"") && xml.contains("owner: Bob, +41 44"), "\(xml)")
    let again = try machine.watch(["verify", "--json"] + list)
    #expect(try again.status == 60 && words(again) == ["missing", "ok"], "\(again.text)\(again.errors)")

    // Each part judges its own vaults.
    let parts = try (1...3).map { number in
      try machine.watch(["verify", "--shard", "\(number)/3", "--json"] + list)
    }
    #expect(parts.map(\.status).sorted() == [0, 0, 60], "\(parts.map(\.text))")
    #expect(try parts.flatMap(words).sorted() == ["missing", "ok"])
    let one = try machine.watch(["verify", machine.path("bucket/alice"), "--json"] + list)
    #expect(try one.status == 0 && words(one) == ["ok"], "\(one.text)\(one.errors)")
    #expect(one.errors.contains("1 vault of the list: not judged"), "\(one.errors)")

    try machine.remove("bucket/bob")
    for options in [[], ["--recursive"]] {
      let gone = try machine.watch(["verify", "--json"] + options + list)
      #expect(try gone.status == 60 && words(gone) == ["unreachable", "ok"], "\(gone.text)\(gone.errors)")
      #expect(gone.errors.contains("bucket/bob was not verified: target not found"), "\(gone.errors)")
    }
    try machine.remove("bucket/alice")
    let nothing = try machine.watch(["verify"] + list)
    #expect(
      nothing.status == 60 && nothing.text.contains("2 unreachable"), "\(nothing.text)\(nothing.errors)")
  }

  @Test func `an archive needs the signature that the list names`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    #expect(try machine.create(["--sign-key", machine.path("keys/signing.key")]).status == 0)
    let target = [machine.target]
    try makeList(machine, of: target)
    // Two keys signed, and the person says which of them counts.
    let key = try SigningMachine.publicKey(machine)
    let made = try machine.text("list.toml")
    let line = "signers = [\"\(key)\"]"
    #expect(made.contains("# \(line)"), "\(made)")
    try machine.write(made.replacing("# \(line)", with: line), to: "list.toml")
    let list = ["--expected", machine.path("list.toml")]
    // The first archive is signed by an earlier key, and the second one states it as its predecessor.
    try machine.watch(["verify"] + target + list, status: 0)
    let first = try machine.path(#require(machine.archives().first))
    #expect(try machine.watch(["verify", first] + list).status == 23)
    let last = try machine.path(#require(machine.archives().last))
    for named in [[first, last], [last, first]] {
      try machine.watch(["verify"] + named + list, status: 0)
    }

    let text = try machine.text("list.toml")
    #expect(text.contains(key))
    try machine.write(
      text.replacing(key, with: String(repeating: "ab", count: 32)), to: "list.toml")
    let newest = try machine.path(#require(machine.archives().last))
    for archives in [target, [newest]] {
      for options in [[], ["--trusted-signer", "any"], ["--trusted-signer", key]] {
        let other = try machine.watch(["verify", "--json"] + archives + options + list)
        #expect(other.status == 23, "\(options) \(other.text)\(other.errors)")
        let verdicts = try other.json()["archives"]?.elements.compactMap { $0["verdict"]?.text } ?? []
        #expect(verdicts.contains("not-signed-by-a-trusted-signer"), "\(other.text)")
      }
    }
    let owner = try machine.watch(["verify"] + target + list)
    #expect(owner.text.contains("owner: The desk") && owner.text.contains("unsigned"), "\(owner.text)")
    // Without the list, a machine that does not know the vault accepts any signer.
    #expect(try machine.watch(["verify"] + target).status == 0)
  }

  @Test func `a newest archive without its intact base is not well`() throws {
    let machine = try Machine(isPrepared: false)
    let base = try TestVectors.file("archives/differential-base.fueki")
    try machine.write(try TestVectors.file("archives/differential.fueki"), to: "bucket/d/differential.fueki")
    try machine.write(base, to: "bucket/d/base.fueki")
    try makeList(machine, of: [machine.path("bucket/d")])
    let verify = ["verify", "--expected", machine.path("list.toml"), "--json"]
    let well = try machine.watch(verify)
    #expect(try well.status == 0 && words(well) == ["ok"], "\(well.text)\(well.errors)")
    try machine.write("another passphrase than the right one", to: "wrong")
    let contents = ["--depth", "contents", "-p", machine.path("wrong")]
    let locked = try machine.watch(verify + contents)
    #expect(try locked.status == 12 && words(locked) == ["ok"], "\(locked.text)\(locked.errors)")
    try machine.damage("bucket/d/base.fueki")
    let damaged = try machine.watch(verify)
    #expect(try damaged.status == 20 && words(damaged) == ["incomplete"], "\(damaged.text)\(damaged.errors)")
    try machine.remove("bucket/d/base.fueki")
    let missing = try machine.watch(verify)
    #expect(try missing.status == 26 && words(missing) == ["incomplete"], "\(missing.text)\(missing.errors)")
  }

  @Test func `a list of which no vault was judged is no success`() throws {
    let machine = try bucket()
    let list = ["--expected", machine.path("list.toml")]
    let sentence = "The targets of all 2 vaults in the list were not read, so no vault was judged."
    // One folder has a copy of a vault's archives, and the other one is above the vaults' targets.
    for folder in [machine.target, machine.path("bucket")] {
      for command in [["verify", folder], ["status", "--target", folder]] {
        let report = ["--report", "junit=\(machine.path("report.xml"))"]
        let run = try machine.watch(command + list + report)
        #expect(run.status == 60 && run.text.contains(sentence), "\(run.text)\(run.errors)")
        #expect(!run.text.contains("expected vaults are well"), "\(run.text)")
        #expect(try machine.text("report.xml").contains("not-judged"))
        let document = try machine.watch(command + list + ["--json"])
        #expect(try document.json()["ok"] == .bool(false) && words(document).isEmpty, "\(document.text)")
        #expect(document.status == 60, "\(document.errors)")
      }
    }
    for command in [["verify", machine.path("bucket")], ["status", "--target", machine.path("bucket")]] {
      let run = try machine.watch(command + list + ["--recursive", "--json"])
      #expect(try run.status == 0 && words(run) == ["ok", "ok"], "\(run.text)\(run.errors)")
    }
  }

  @Test func `the list is checked as status does, and needs every byte`() throws {
    let machine = try bucket()
    let key = try machine.run([
      "key", "new-signer", "--no-passphrase", "--output", machine.path("desk.key"),
    ])
    #expect(key.status == 0, "\(key.errors)")
    let list = ["verify", "--expected", machine.path("list.toml")]
    let signed = list + ["--expected-signer", machine.path("desk.pub")]
    #expect(try machine.watch(signed).status == 23)
    let sign = try machine.run([
      "key", "sign", machine.path("list.toml"), "--sign-key", machine.path("desk.key"),
    ])
    #expect(sign.status == 0, "\(sign.errors)")
    #expect(try machine.watch(signed).status == 0)
    #expect(try machine.watch(list + ["--depth", "structure"]).status == 64)
    let nothing = try machine.watch(list + ["--expected-signer", machine.path("nope.pub")])
    #expect(nothing.status == 64 && nothing.errors.contains("--expected-signer takes"), "\(nothing.errors)")
    #expect(try machine.watch(["verify", machine.target, "--expected-signer", "ab"]).status == 64)
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `the targets of the list may be folders of a remote`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let name = try #require(machine.archives().last?.split(separator: "/").last)
    try machine.copy("target/\(name)", to: "remote/wallet/\(name)")
    try makeList(machine, of: [remote.target], environment: remote.environment)
    let list = try machine.text("list.toml")
    let gone = "\n[[vault]]\nid = \"\(String(repeating: "ab", count: 16))\"\nowner = \"Carol\"\n"
    try machine.write(list + gone + "target = \"rclone:local:carol\"\n", to: "list.toml")
    let verify = ["verify", "--expected", machine.path("list.toml"), "--json"]
    let first = try machine.watch(verify, environment: remote.environment)
    #expect(try first.status == 60 && words(first) == ["unreachable", "ok"], "\(first.text)\(first.errors)")
    try machine.damage("remote/wallet/\(name)")
    let second = try machine.watch(verify, environment: remote.environment)
    #expect(try second.status == 20 && words(second) == ["unreachable", "damaged"], "\(second.text)")
    #expect(try second.json()["archives"]?[0]?["owner"] == .string("The desk"), "\(second.text)")
    let all = ["verify", "rclone:local:", "--recursive"] + verify.dropFirst()
    let third = try machine.watch(all, environment: remote.environment)
    #expect(try third.status == 20 && words(third) == ["missing", "damaged"], "\(third.text)\(third.errors)")
  }
}

extension String {
  /// The number of places at which a text begins.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
