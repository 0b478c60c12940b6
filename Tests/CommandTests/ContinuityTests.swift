import CommandSupport
import TestSupport
import Testing

/// A wallet's life across machines: its files come back from a restored store, and from their own programs' folders.
struct ContinuityTests {
  private let lost: LostMachine
  private let third: [String: String]
  private var machine: Machine { lost.machine }

  /// A wallet of Electrum in the clear.
  private static let electrum = """
    {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "labels": {"a": "rent"},
    "contacts": {"bc1q": ["address", "Bob"]}, "keystore": {"type": "bip32", "derivation": "m/0'",
    "root_fingerprint": "f4a32e43", "seed": "canary salmon nut prepare", "xpub":
    "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"
    }}
    """
  private static let wallet = ".electrum/wallets/default_wallet"
  /// The public key of the secret bytes 1 to 32.
  private static let publicKey = [
    121, 181, 86, 46, 143, 230, 84, 249, 64, 120, 177, 18, 232, 169, 139, 167,
    144, 31, 133, 58, 230, 149, 190, 215, 224, 227, 145, 11, 173, 4, 150, 100,
  ]
  /// Two parts of a file that holds no secret in the clear.
  private static let sealed =
    Array("{\"ciphertext\": 1, \"kdfparams\": 2, \"mac\": 3}".utf8)
    + [UInt8](repeating: UInt8(ascii: " "), count: (4 << 20) + 5)

  init() throws {
    lost = try LostMachine()
    let machine = lost.machine
    third = try machine.places(of: "third")
    try lost.write(Array(Self.electrum.utf8), to: "home/\(Self.wallet)")
    try lost.write(Array("a note\n".utf8), to: "home/docs/note")
    try lost.write(Self.sealed, to: "home/docs/sealed")
  }

  private func sources(_ home: String) -> [String] {
    ["electrum:\(machine.path("\(home)/\(Self.wallet)"))", "file:\(machine.path("\(home)/docs"))"]
  }

  private func run(_ arguments: [String], _ environment: [String: String], status: Int32 = 0) throws
    -> RunResult
  {
    let run = try machine.run(
      arguments + ["--target", machine.target] + machine.archiveSecret, environment: environment)
    #expect(run.status == status, "\(arguments.prefix(2)): \(run.errors)\(run.text)")
    return run
  }

  private func restore(_ more: [String], _ environment: [String: String]) throws {
    let run = try run(
      ["restore", "latest", "--no-resync", "--files", "home"] + machine.keychainSecret + Machine.quick + more,
      environment)
    #expect(run.text.contains("put back: ") || run.text.contains("there already: "), "\(run.text)")
  }

  private func createFromStoreAndSources(_ environment: [String: String]) throws -> JSONValue {
    try run(
      ["create", "--accept=synced-keys", "--include-private-keys", "--json"]
        + (["store"] + sources("new-home")).flatMap { ["--from", $0] } + machine.keychainSecret
        + Machine.quick, environment
    ).json()
  }

  /// How many records of each section the sources gave together.
  private func counts(_ made: JSONValue) -> [String: Double] {
    var counts: [String: Double] = [:]
    for source in made["sources"]?.elements ?? [] {
      for name in source["included"]?.keys ?? [] {
        if case .number(let count)? = source["included"]?[name] { counts[name, default: 0] += count }
      }
    }
    return counts
  }

  private static let once: [String: Double] = [
    "wallets": 1, "contacts": 1, "settings": 1, "private-keys": 1, "secret-files": 2, "files": 2,
  ]

  @Test func `what a restored store and its sources both have is in the next archive once`() throws {
    try lost.create(sources("home"))
    try restore([], lost.other)
    let made = try createFromStoreAndSources(lost.other)
    #expect(counts(made) == Self.once)
    _ = try run(["verify", "latest", "--depth", "contents"], lost.other)
    _ = try run(["drill", "latest", "--no-live"], lost.other)

    try restore([], third)
    for name in [Self.wallet, "docs/note", "docs/sealed"] {
      #expect(try machine.read("third-home/\(name)") == machine.read("home/\(name)"), "\(name)")
    }
    _ = try run(
      ["export", "latest", "--format", "native", "--output", machine.path("native"), "--include-secrets"],
      third)
    #expect(try machine.read("native/home/docs/sealed") == Self.sealed)
    #expect(try machine.names(in: "native/home/docs").sorted() == ["note", "sealed"])
  }

  @Test func `of a file's two versions the source's counts, also after a merge`() throws {
    try lost.create(sources("home"))
    try restore([], lost.other)
    let changed = Array("a longer note than before\n".utf8)
    try lost.write(changed, to: "new-home/docs/note")
    #expect(counts(try createFromStoreAndSources(lost.other)) == Self.once)
    // The store has the old version of the note and the new one now.
    try restore([], lost.other)
    let made = try createFromStoreAndSources(lost.other)
    #expect(counts(made) == Self.once)
    _ = try run(["drill", "latest", "--no-live"], lost.other)
    try restore([], third)
    #expect(try machine.read("third-home/docs/note") == changed)
    #expect(try machine.names(in: "third-home/docs").sorted() == ["note", "sealed"])
  }

  @Test func `a file that only the store has goes on with the next archive`() throws {
    try lost.create(sources("home"))
    try restore([], lost.other)
    // Its bytes are the same, and it is in another place now.
    try machine.copy("new-home/docs/note", to: "new-home/note.dat")
    try machine.remove("new-home/docs")
    _ = try run(
      ["create", "--accept=synced-keys", "--include-private-keys"]
        + ["--from", "store", "--from", "file:\(machine.path("new-home/note.dat"))"] + machine.keychainSecret
        + Machine.quick, lost.other)
    _ = try run(["drill", "latest", "--no-live"], lost.other)
    try restore([], third)
    for name in [Self.wallet, "docs/note", "docs/sealed"] {
      #expect(try machine.read("third-home/\(name)") == machine.read("home/\(name)"), "\(name)")
    }
    #expect(try machine.read("third-home/note.dat") == machine.read("home/docs/note"))
  }

  @Test(arguments: [["electrum"], ["solana"], ["file"], ["electrum", "solana"], ["solana", "file"]])
  func `an archive of sources drills well, and nothing differs right after it was made`(
    _ kinds: [String]
  ) throws {
    let key = "[\((Array(1...32) + Self.publicKey).map(String.init).joined(separator: ","))]"
    try lost.write(Array(key.utf8), to: "home/.config/solana/id.json")
    let places = ["electrum": Self.wallet, "solana": ".config/solana/id.json", "file": "docs/note"]
    let tables = kinds.map { "[[source]]\nkind = \"\($0)\"\npath = \"~/\(places[$0] ?? "")\"\n" }
    try machine.write("[[vault]]\nfrom = []\n\n" + tables.joined(separator: "\n"), to: "config.toml")
    let settings = ["--config", machine.path("config.toml")]
    _ = try run(["create", "--accept=synced-keys"] + settings + Machine.quick, [:])
    _ = try run(["drill", "latest"] + settings, [:])
    let difference = try run(["diff", "latest", "--live", "--exit-code"] + settings, [:])
    #expect(difference.text == "nothing differs\n")
    try machine.run(["status", "--max-drill-age", "1h", "--target", machine.target] + settings, status: 0)
  }
}
