import FuekiSystem
import TestSupport
import Testing

/// Key shares of several programs: out of a home, through an archive, and back on another machine.
struct KeySharePutBackTests {
  private static let time = "2021-02-03 04:05:06.123456"

  /// Each kind with a file of it, among the fixtures.
  private static let files: [(kind: String, fixture: String, place: String)] = [
    ("vultisig", "vultisig/Test-part1of2.vult", "Documents/Test-part1of2.vult"),
    ("vultisig", "vultisig/test_ios_vault_backup.bak", "Downloads/mac_vault_1.bak"),
    ("frost", "frost/hubert/key_package-1.json", "frost/key_package-1.json"),
    ("cggmp21", "cggmp21/core/v0.2.3/secp256k1-threshold-true-hd-true.cbor", "shares/core.cbor"),
    ("cggmp21", "cggmp21/full/t2n3-secp256k1-party0.json", "shares/full.json"),
    ("multi-party-sig", "multi-party-sig/cmp-bare/config-a.cbor", "relayer/config-a.cbor"),
    ("multi-party-sig", "multi-party-sig/sygma/0.keyshare", "relayer/0.keyshare"),
    ("dkls23", "dkls23/dkls-ecdsa-party0.bin", "shares/party0.bin"),
    ("fireblocks", "fireblocks/backup_new.zip", "Documents/fireblocks-backup.zip"),
    ("io.finnet", "iofinnet/new_single.json", "Documents/io.vault.json"),
  ]

  @Test(.enabled(if: Fixtures.folder("wallets/vultisig") != nil, "the fixtures are not here"))
  func `files of key shares come back byte for byte, with mode and time`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try Directory.makePrivateDirectories(machine.path("new-home"))
    for file in Self.files {
      let folder = String(file.place.prefix { $0 != "/" })
      try Directory.makePrivateDirectories(machine.path("home/\(folder)"))
      try machine.write(
        Fixtures.file("wallets/\(file.fixture)"), to: "home/\(file.place)", permissions: 0o600)
      _ = try BuiltBinary.run(
        program: "/usr/bin/touch", ["-d", Self.time, machine.path("home/\(file.place)")])
    }
    let created = try machine.run(
      ["create", "--target", machine.target, "--private-keys-to-synced", "--json"]
        + Self.files.flatMap { ["--from", "\($0.kind):~/\($0.place)"] } + machine.archiveSecret
        + Machine.quick)
    #expect(created.status == 0, "\(created.errors)\(created.text)")
    let other = [
      "HOME": machine.path("new-home"), "FUEKI_STATE": machine.path("new-state"),
      "FUEKI_DATADIR": machine.path("new-data"),
    ]
    let restored = try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target] + machine.secrets, environment: other)
    #expect(restored.status == 0 || restored.status == 3, "\(restored.errors)")
    let run = try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret, environment: other)
    #expect(run.status == 0, "\(run.errors)\(run.text)")
    for file in Self.files {
      #expect(
        try machine.read("new-home/\(file.place)") == machine.read("home/\(file.place)"), "\(file.place)")
      let old = try File.open(machine.path("home/\(file.place)")).status()
      let new = try File.open(machine.path("new-home/\(file.place)")).status()
      #expect(new.permissions == 0o600 && new.modificationTime.seconds == old.modificationTime.seconds)
      #expect(new.modificationTime.nanoseconds / 1000 == old.modificationTime.nanoseconds / 1000)
    }
  }

  @Test(.enabled(if: Fixtures.folder("wallets/vultisig") != nil, "the fixtures are not here"))
  func `shares check reads the shares of every kind`() throws {
    let machine = try Machine(isPrepared: false)
    let root = try #require(Fixtures.folder("wallets"))
    func check(_ paths: [String]) throws -> RunResult {
      try machine.run(["shares", "check", "--json"] + paths.map { "\(root)/\($0)" })
    }
    let vault = try check(["vultisig/Test-part1of2.vult", "vultisig/Test-part2of2.vult"])
    #expect(vault.status == 0, "\(vault.text)")
    let sets = try vault.json()["sets"]?.elements ?? []
    #expect(sets.count == 2 && sets.allSatisfy { $0["enough"] == .bool(true) })
    for paths in [
      ["frost/hubert"],
      ["cggmp21/full/t2n3-secp256k1-party0.json", "cggmp21/full/t2n3-secp256k1-party1.json"],
      ["multi-party-sig/cmp-wrapped"], ["dkls23/dkls-ecdsa-party0.bin"], ["multi-party-sig/sygma/0.keyshare"],
    ] {
      let run = try check(paths)
      #expect(run.status == 0, "\(paths): \(run.text)\(run.errors)")
    }
    let unsound = try check(["frost/unsound-secp256k1-key_package.json"])
    #expect(unsound.status == 60, "\(unsound.text)")
  }
}
