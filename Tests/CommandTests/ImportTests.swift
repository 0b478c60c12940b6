import FuekiSystem
import TestSupport
import Testing

/// Another wallet's files, on their way in, through an archive, and out again.
struct ImportTests {
  /// The example of the Web3 Secret Storage definition; its password and its key are public.
  static let keystore = """
    {"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},
    "ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdf":"pbkdf2",
    "kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256",
    "salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
    "mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},
    "id":"3198bc9c-6672-5ab3-d995-4942343ae5b6",  "version":3 , "unknown": 1.50}

    """

  /// Two bundles of the Fueki app: in the second somebody else is paid for Alice, and there is another Alice.
  static let contacts = [
    "first.json": contacts([("C1", 1)]), "second.json": contacts([("C1", 2), ("C2", 3)]),
  ]

  private static func contacts(_ people: [(id: String, address: Int)]) -> String {
    let list = people.map {
      #"{"id":"\#($0.id)","name":"Alice","address":"\#(address($0.address))","chainId":1}"#
    }
    return #"{"version":1,"wallets":[],"addressBook":[\#(list.joined(separator: ","))]}"#
  }

  static func address(_ number: Int) -> String { "0x" + String(repeating: "1\(number)", count: 20) }

  private func machine() throws -> Machine {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("keystores"))
    try machine.write(Self.keystore, to: "keystores/UTC--one")
    return machine
  }

  private func exported(_ machine: Machine, _ archive: String) throws -> [UInt8]? {
    let run = try machine.run(
      ["export", archive, "--target", machine.target, "--output", machine.path("out")] + machine.archiveSecret
    )
    #expect(run.status == 0, "\(run.errors)")
    return try machine.snapshot(of: "out").first { $0.key.hasSuffix("UTC--one") }?.value
  }

  @Test func `an imported file comes out of an archive byte for byte`() throws {
    let machine = try machine()
    let run = try machine.run(["import", machine.path("keystores"), "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.import/1"))
    #expect(json["added"]?["files"] == .number(1))
    #expect(try machine.create().status == 0)
    #expect(try exported(machine, "latest") == Array(Self.keystore.utf8))
    let again = try machine.run(["import", machine.path("keystores/UTC--one"), "--json"])
    #expect(again.status == 0)
    #expect(try again.json()["equal"]?["files"] == .number(1))
  }

  @Test func `a backup takes such files without a wallet of its own`() throws {
    let machine = try machine()
    try machine.remove("data")
    try machine.remove(machine.archives()[0])
    let run = try machine.run(
      ["create", "--from", "keystore:\(machine.path("keystores"))", "--target", machine.target, "--json"]
        + machine.archiveSecret + Machine.quick)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json()["sections"]?["files"] == .number(1))
    #expect(try exported(machine, "latest") == Array(Self.keystore.utf8))
    #expect(!machine.exists("data"))
  }

  /// A row that has more columns than the first line names may have lost something.
  @Test(arguments: [[], ["--dry-run"]], [[], ["--json"]])
  func `a file of which something may be missing ends with 3, tried or done`(dry: [String], json: [String])
    throws
  {
    let machine = try machine()
    let file = machine.path("people.csv")
    try machine.write(
      "address,name\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq,A\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq,B,x,y\n",
      to: "people.csv")
    let imported = try machine.run(["import", file, "--datadir", machine.path("new")] + dry + json)
    #expect(imported.status == 3 && machine.exists("new") == dry.isEmpty, "\(imported.errors)")
    let created = try machine.create(["--from", "store", "--from", "csv-contacts:\(file)"] + dry + json)
    #expect(created.status == 3, "\(created.errors)")
  }

  @Test func `a source that is given twice is refused before anything is asked for`() throws {
    let machine = try machine()
    let before = try machine.archives()
    for source in ["store", "keystore:\(machine.path("keystores"))"] {
      let run = try machine.create(["--from", source, "--from", source])
      #expect(run.status == 64 && run.errors.contains("given twice"), "\(run.errors)")
    }
    #expect(try machine.archives() == before)
  }

  @Test func `a data directory that an import makes is its owner's only`() throws {
    let machine = try machine()
    let run = try machine.run(
      ["import", machine.path("keystores"), "--datadir", machine.path("new")],
      through: ["/bin/sh", "-c", "umask 0; exec \"$@\"", "sh"])
    #expect(run.status == 0, "\(run.errors)")
    let folder = try Directory.open(machine.root).status(of: "new").permissions
    #expect(folder == 0o700)
    try machine.visit("new") { path, entry in
      let permissions = try Directory.open(machine.path("new")).status(of: entry.name).permissions
      #expect(permissions == 0o600, "\(path)")
    }
  }

  @Test(arguments: [
    "unstoppable", "keystore", "tss-lib", "fueki-app", "fueki-vault", "ownd", "electrum", "fueki-share",
    "bip329", "vcard", "csv-contacts",
  ])
  func `a file that cannot be of its kind is named, with the reason`(kind: String) throws {
    let machine = try machine()
    try machine.write("", to: "empty")
    try machine.write("milk and eggs", to: "list")
    for name in ["empty", "list"] {
      for arguments in [["--format", kind], []] {
        let run = try machine.run(
          ["import", machine.path(name), "--datadir", machine.path("new")] + arguments)
        #expect(run.status == 1 && run.errors.contains("\(name)"), "\(kind): \(run.errors)")
        if name == "empty" { #expect(run.errors.contains("empty is empty"), "\(kind): \(run.errors)") }
      }
    }
    try Directory.makePrivateDirectories(machine.path("folder"))
    let run = try machine.run(
      ["import", machine.path("folder"), "--datadir", machine.path("new"), "--format", kind, "--dry-run"])
    #expect(!run.errors.contains("half-written"), "\(kind): \(run.errors)")
    #expect(!machine.exists("new"))
  }

  @Test func `whom a payment would go to is told, of contacts that differ and of new ones`() throws {
    let machine = try machine()
    for (name, file) in Self.contacts { try machine.write(file, to: name) }
    let first = try machine.run(["import", "first.json"])
    #expect(first.status == 0 && !first.errors.contains("paid"), "\(first.errors)")
    let differs =
      "\"Alice\" is paid by \(Self.address(1)) here, and by \(Self.address(2)) in the imported file"
    let isNew =
      "\"Alice\" is here already, and is paid by \(Self.address(1)), while this one in the imported file "
      + "is paid by \(Self.address(3))"
    let stopped = try machine.run(["import", "second.json"])
    #expect(stopped.status == 40 && stopped.errors.contains(differs), "\(stopped.errors)")
    let planned = try machine.run(["import", "second.json", "--dry-run"])
    #expect(planned.status == 0 && planned.errors.contains(differs) && planned.errors.contains(isNew))
    let done = try machine.run(["import", "second.json", "--on-conflict", "skip", "--quiet"])
    #expect(done.status == 0 && done.errors.contains(isNew), "\(done.errors)")
    let again = try machine.run(["import", "second.json", "--on-conflict", "skip", "--json"]).json()
    #expect(
      again["namesakes"] == .array([]) && again["conflicts"]?[0]?["address"]?["name"] == .string("Alice"))
  }

  @Test func `what cannot be imported changes nothing`() throws {
    let machine = try machine()
    try machine.write("milk, eggs", to: "text")
    let missing = machine.path("new")
    let cases: [([String], Int32)] = [
      (["none.json"], 10), (["text"], 1), (["keystores", "text"], 1),
      (["keystores", "--format", "floppy"], 64),
      (["keystores", "--dry-run"], 0), ([], 64),
    ]
    for (arguments, status) in cases {
      let run = try machine.run(["import", "--datadir", missing] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(!machine.exists("new"), "\(arguments)")
    }
  }
}
