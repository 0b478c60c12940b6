import FuekiSystem
import TestSupport
import Testing

/// The JSON documents against their schemas, which are the reference for scripts.
///
/// The schemas allow no member that they do not list: a document that drifts from them fails here.
struct SchemaTests {
  private static let python = "/usr/bin/python3"
  private static let folder = "\(SourceTree.path)/Sources/fueki-backup/Schemas"

  private static let canValidate = Installed.runs(python, ["-c", "import jsonschema"])

  /// The documents of one machine, each kept in a file of its own.
  private final class Documents {
    let machine: Machine
    private(set) var files: [String] = []
    private(set) var schemas: Set<String> = []

    init(of machine: Machine) throws {
      self.machine = machine
      try Directory.makePrivateDirectories(machine.path("documents"))
    }

    /// Keeps a command's output.
    ///
    /// The status is nil if it depends on the place of the damage.
    func keep(_ arguments: [String], status: Int32? = 0) throws {
      let run = try machine.run(arguments + ["--json"])
      #expect(run.status == status ?? run.status, "\(arguments): \(run.text) \(run.errors)")
      try keep(run.output)
    }

    func keep(_ document: [UInt8]) throws {
      let name = "documents/\(files.count).json"
      try machine.write(document, to: name)
      files.append(machine.path(name))
      schemas.insert(try #require(JSONValue(parsing: document)["schema"]?.text))
    }

    func validate() throws {
      try BuiltBinary.run(program: python, ["\(SourceTree.path)/.ci/schemas.py"] + files).expect(0)
    }
  }

  @Test(.enabled(if: canValidate, "this machine has no python3-jsonschema"))
  func `every document of every command is as its schema says`() throws {
    let documents = try Documents(of: Machine())
    let machine = documents.machine
    let target = ["--target", machine.target]
    let secret = machine.archiveSecret

    try documents.keep(["create"] + target + machine.secrets)
    try documents.keep(["create", "--dry-run"] + machine.keychainSecret)
    try documents.keep(["show", "latest"] + target)
    try documents.keep(["show", "latest"] + target + secret)
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      [[vault]]
      slot_names = ["paper"]
      [hooks]
      after = "true"
      [[health]]
      url = "https://a/b"
      """, to: "config.toml")
    try documents.keep(["config", "show", "--config", machine.path("config.toml")])
    try documents.keep(["config", "validate", "--config", machine.path("config.toml")])
    try documents.keep(["key", "list", "--config", machine.path("config.toml")])
    try documents.keep(["key", "list", "latest", "--config", machine.path("config.toml")])
    try documents.keep(["show", "latest", "--config", machine.path("config.toml")])
    try documents.keep(["key", "list", "latest"] + target + secret)
    try documents.keep(
      ["guardians", "split", "--threshold", "2", "--count", "2", "--output", machine.path("guardians")])
    let sheets = [1, 2].map { machine.path("guardians/guardian-\($0).txt") }
    let guardians = ["--guardians", machine.path("guardians/guardians.txt")]
    try documents.keep(["guardians", "check"] + sheets + guardians)
    try machine.write("one two", to: "typed")
    try documents.keep(["guardians", "check", sheets[0], sheets[0], machine.path("typed")], status: 12)
    try documents.keep(
      ["guardians", "combine"] + sheets + guardians + ["--output", machine.path("identity")])
    try documents.keep(["key-shares", "check", "latest"] + target + secret)
    for depth in ["structure", "checksums", "contents"] {
      try documents.keep(["verify", machine.target, "--depth", depth] + secret)
    }
    try documents.keep(["restore", "latest", "--dry-run"] + target + secret)
    try documents.keep(["restore", "latest", "--datadir", machine.path("new")] + target + machine.secrets)
    let merge = ["restore", "latest", "--datadir", machine.path("new")] + target + machine.secrets
    if Wallets.canBeEdited {
      try Wallets.edit(machine, "new", "UPDATE contacts SET name = 'other' WHERE row_id = 1")
      try documents.keep(merge, status: 40)
    }
    try documents.keep(merge + ["--on-conflict", "replace"])
    try documents.keep(["restore", "--discard-previous", "--datadir", machine.path("new")])
    try documents.keep(["resync", "--policy", "cache-only"], status: nil)
    try documents.keep(["records", "list", "wallets", "--limit", "1"])
    try documents.keep(["records", "list", "transactions", "--count"])
    try documents.keep(["records", "add", "contacts", "name=Ada"])
    try documents.keep(["export", "latest", "--output", machine.path("out")] + target + secret)
    try documents.keep(machine.read("out/manifest.json"))
    try documents.keep(["doctor"] + target)
    try documents.keep(["install", "--prefix", machine.path("prefix"), "--from", SourceTree.path])
    try documents.keep(["schedule", "print", "--systemd", "--user", "root"] + target)
    try Directory.makePrivateDirectories(machine.path("units"))
    try documents.keep(
      ["schedule", "print", "--cron", "--user", "root", "--output", machine.path("units")] + target)
    try documents.keep(["diff"] + machine.archives().map { machine.path($0) } + secret)
    try documents.keep(["diff", "latest", "--live"] + target + secret + machine.keychainSecret)
    for _ in 0..<2 { try documents.keep(["create", "--on-change"] + target + machine.secrets) }
    try machine.write("not all of an archive", to: "target/cut.fueki")
    try documents.keep(["list", machine.target])
    let newest = try #require(machine.archives().last { !$0.hasSuffix("cut.fueki") })
    var bytes = try machine.read(newest)
    // The first chunk of the history: a small archive's profile has four.
    bytes[48 + Int(bytes[12]) + Int(bytes[13]) << 8 + 4 * 16_400 + 100] ^= 1
    try machine.write(bytes, to: newest)
    try documents.keep(["verify", machine.path(newest)], status: 20)
    let salvage = [machine.path(newest), "--salvage"] + secret
    try documents.keep(["restore"] + salvage + ["--dry-run"], status: 3)
    try documents.keep(
      ["restore"] + salvage + ["--datadir", machine.path("left")] + machine.keychainSecret + Machine.quick,
      status: 3)
    try documents.keep(["export"] + salvage + ["--output", machine.path("rest")], status: 3)
    try machine.write(ImportedFiles.keystore, to: "keystore")
    try documents.keep(["import", "keystore", "--dry-run"])
    try documents.keep(["import", "keystore"])
    // One address in two spellings, which are both reported.
    let address = "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    for address in ["0x\(address)", "0x\(address.uppercased())"] {
      try machine.write("name,address\nAlice,\(address)\n", to: "contacts.csv")
      try documents.keep(["import", "contacts.csv", "--on-conflict", "skip"])
    }
    for (name, file) in ImportedFiles.contacts { try machine.write(file, to: name) }
    try documents.keep(["import", "first.json"])
    try documents.keep(["import", "second.json", "--dry-run"])
    try documents.keep(["import", "second.json"], status: 40)
    try documents.keep(["import", "second.json", "--on-conflict", "skip"])
    try documents.keep(["init", "--config", machine.path("new.toml"), "--no-sign-key"] + target)
    let key = machine.path("signing.key")
    try documents.keep(["key", "new-signer", "--no-passphrase", "--output", key])
    try documents.keep(["key", "new-identity", "--output", machine.path("new-identity.txt")])
    try documents.keep(["key", "trust", machine.path("signing.pub")] + target)
    try documents.keep(["key", "retire", String(repeating: "ab", count: 32)] + target)
    try documents.keep(["create", "--sign-key", key, "--label", "signed"] + target + machine.secrets)
    try documents.keep(["checkpoint", "export", "--sign-key", key] + target)
    try documents.keep(["kit", "print", "--sign-key", key] + target)
    try machine.write("#!/bin/sh\necho fueki-restore 0.1.0\n", to: "program", permissions: 0o755)
    try machine.write("[[target]]\npath = \"target\"\nkind = \"local\"\n", to: "local.toml")
    let local = ["--config", machine.path("local.toml")]
    try documents.keep(
      ["kit", "bundle", machine.target, "--program", machine.path("program"), "--sign-key", key] + local)
    try documents.keep(["kit", "print", "--sign-key", key] + local)
    try documents.keep(["doctor"] + local, status: nil)
    try documents.keep(
      ["key", "sign", machine.path("target/fueki-restore-0.1.0/SHA256SUMS"), "--sign-key", key])
    let digits = [
      "--vault-digits", "0", "--signer-digits", "0", "--archive-number", "1", "--archive-digits", "0",
    ]
    try documents.keep(["kit", "test"] + digits + target, status: 60)
    try documents.keep(["demo", "--transactions", "1"])

    try documents.keep(["drill"] + target + secret + machine.keychainSecret)
    try documents.keep(["status"] + target)
    let list = machine.path("vaults.toml")
    try documents.keep(["status", "--write-expected", list] + target)
    try documents.keep(["status", "--expected", list] + target)
    try documents.keep(["verify", machine.target, "--expected", list], status: 20)
    try machine.write(
      "[[vault]]\nid = \"\(String(repeating: "ab", count: 16))\"\nowner = \"a\"\n", to: "vaults.toml")
    try documents.keep(["status", "--expected", list] + target, status: 60)
    try documents.keep(["verify", machine.target, "--expected", list], status: 20)
    try documents.keep(["repair", "latest"] + target)
    try Directory.makePrivateDirectories(machine.path("copies"))
    try documents.keep(["copy", "--target", machine.path("copies")] + target)
    try documents.keep(["prune", "--keep-last", "1", "--dry-run"] + target)
    try documents.keep(["show", "none"], status: 10)
    try documents.keep(["create", "--nonsense"], status: 64)
    try machine.write(ImportedFiles.keystore, to: "home/.ethereum/keystore/UTC--one")
    try Directory.makePrivateDirectories(machine.path("originals"))
    let originals = ["--target", machine.path("originals")] + machine.archiveSecret
    try documents.keep(
      ["create", "--from", "keystore:\(machine.path("home/.ethereum/keystore"))"] + originals + Machine.quick)
    try documents.keep(["put-back", "--dry-run"] + originals, status: nil)
    try documents.keep(["discover"])
    try documents.keep(["discover", "--add", "--config", machine.path("added.toml")])
    try documents.keep(
      ["init", "--add-wallets", "--config", machine.path("found.toml"), "--no-sign-key"] + target)
    try documents.validate()
    let others = try documents.schemas.symmetricDifference(Self.named())
    #expect(others.isEmpty, "\(others)")
  }

  /// The schemas that there are.
  private static func named() throws -> Set<String> {
    let files = try Directory.open(folder).list().compactMap(\.text)
    return Set(
      files.map { file in
        let parts = file.dropLast(".json".count).split(separator: "-")
        return "fueki.\(parts.dropLast().joined(separator: "-"))/\(parts.last ?? "")"
      })
  }

  @Test func `each document that the sources name has its schema`() throws {
    let run = try BuiltBinary.run(
      program: "/bin/grep",
      ["-rhoE", "\"fueki\\.[a-z-]+/[0-9]+\"", "\(SourceTree.path)/Sources", "--include=*.swift"])
    let names = Set(run.text.split(separator: "\n").map { String($0.dropFirst().dropLast()) })
    #expect(names.count > 9)
    #expect(try names == Self.named())
  }
}
