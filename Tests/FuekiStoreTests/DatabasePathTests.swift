import FuekiBackup
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import TestSupport
import Testing

/// Data directories whose paths are no UTF-8, or read as something else to SQLite.
struct DatabasePathTests {
  @Test(arguments: [
    Array("jos".utf8) + [0xE9], Array("a?b#c%25&d ".utf8) + [0xFF, 0x01], Array("it's file:".utf8),
    Array("Kle\u{301}".utf8),
  ])
  func `a store is made, written and read in any folder`(_ name: [UInt8]) throws {
    let scratch = try TemporaryDirectory()
    let directory = scratch.path(PathText.text(name))
    let store = try WalletStore.create(directory)
    try store.wallets.save(Samples.wallet(1))
    try store.close()
    #expect(try WalletStore.vaultID(ofStoreIn: directory) == store.vaultID)
    #expect(try Pipeline.bundle(directory).reports.first?.records(in: .wallets) == 1)
    #expect(try scratch.open().list().map(\.name) == [name])
    #expect(try scratch.open().openDirectory(name).list().contains { $0.text == "wallet.sqlite" })
  }

  @Test func `a database is copied from and to any folder`() throws {
    let scratch = try TemporaryDirectory()
    let name = Array("caf".utf8) + [0xE9]
    try scratch.open().makeDirectory(name)
    let queue = try DatabaseQueue(path: scratch.path("made"))
    try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (7)") }
    try queue.close()
    let folder = scratch.path(PathText.text(name))
    try scratch.open().openDirectory(name).createFile("a").pwriteAll(scratch.read("made"), at: 0)
    try DatabaseCopy.write(of: "\(folder)/a", as: "copy", in: folder)
    let copy = try scratch.open().openDirectory(name).openFile("copy").readAll(limit: 1 << 20)
    #expect(try copy == scratch.read("made"))
  }
}
