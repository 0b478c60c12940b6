import CommandSupport
import TestSupport
import Testing

/// Key shares of several programs: out of a home, through an archive, and back on another machine.
struct KeySharePutBackTests {
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
    let pair = try LostMachine()
    for file in Self.files {
      try pair.write(Fixtures.file("wallets/\(file.fixture)"), to: "home/\(file.place)")
    }
    try pair.create(Self.files.map { "\($0.kind):~/\($0.place)" })
    try pair.restore()
    try pair.putBack().expect(0)
    for file in Self.files { try pair.expectSame(file.place) }
  }

  @Test(.enabled(if: Fixtures.folder("wallets/vultisig") != nil, "the fixtures are not here"))
  func `shares check reads the shares of every kind`() throws {
    let machine = try Machine(isPrepared: false)
    let root = try #require(Fixtures.folder("wallets"))
    func check(_ paths: [String]) throws -> RunResult {
      try machine.run(["key-shares", "check", "--json"] + paths.map { "\(root)/\($0)" })
    }
    let vault = try check(["vultisig/Test-part1of2.vult", "vultisig/Test-part2of2.vult"]).expect(0)
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
    try check(["frost/unsound-secp256k1-key_package.json"]).expect(60)
  }
}
