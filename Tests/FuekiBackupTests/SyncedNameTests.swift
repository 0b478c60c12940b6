import FuekiBackup
import Testing

struct SyncedNameTests {
  @Test(arguments: [
    ("wallet-20261121T063000Z-000001-7c1e09ab55d0.fueki", SyncedName.plain),
    (
      "wallet-20261121T063000Z-000001-7c1e09ab55d0.sync-conflict-20261121-081500-ABCDEFG.fueki", .conflictCopy
    ),
    ("wallet (Ada's conflicted copy 2026-11-21).fueki", .conflictCopy),
    ("wallet (conflicted copy 2026-11-21 081500).fueki", .conflictCopy),
    ("wallet (Case Conflicted Copy).fueki", .conflictCopy),
    ("wallet (SFConflict ada 2026-11-21).fueki", .conflictCopy),
    ("wallet 2.fueki", .numberedCopy),
    ("wallet(1).fueki", .numberedCopy),
    ("wallet (12).fueki", .numberedCopy),
    ("wallet - Copy.fueki", .numberedCopy),
    ("wallet 2026.fueki", .plain),
    ("wallet2.fueki", .plain),
    (".wallet.fueki.icloud", .placeholder),
    ("wallet.fueki.nextcloud", .placeholder),
    (".syncthing.wallet.fueki.tmp", .partial),
    ("~syncthing~wallet.fueki.tmp", .partial),
    ("wallet.fueki.part", .partial),
    ("wallet.fueki.crdownload", .partial),
    ("wallet.fueki.a1b2c3d4.partial", .partial),
    ("~wallet.fueki.tmp", .partial),
    (".wallet.fueki.~1f3c", .partial),
    (".wallet.fueki.Xy12Zq", .partial),
    (".hidden.fueki", .plain),
  ])
  func `a name says how its file came here`(_ name: String, _ origin: SyncedName) {
    #expect(SyncedName(name) == origin)
    #expect(SyncedName.claimsArchive(name))
  }

  @Test(arguments: [
    "", ".", "fueki", "notes.txt", ".photo.jpg.icloud", "film.crdownload", ".fueki-0badcafe-01.tmp",
    "my fueki 2",
  ])
  func `a name that is no archive's claims none`(_ name: String) {
    #expect(!SyncedName.claimsArchive(name))
  }
}
