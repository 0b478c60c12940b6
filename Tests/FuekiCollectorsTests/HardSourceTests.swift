import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Sources whose files change or have lost their contents.
struct HardSourceTests {
  private func request(_ folder: borrowing TemporaryDirectory) -> CollectionRequest {
    let copies = folder.path("copies")
    var request = CollectionRequest(includesPrivateKeys: true)
    request.isForBackup = true
    request.changes = SourceChanges { copies }
    return request
  }

  private func collected(_ path: String, _ request: CollectionRequest) throws -> BackupBundle {
    var bundle = BackupBundle.Builder()
    try CollectorKind.source("file:\(path)").collect(request, into: &bundle)
    return bundle.build()
  }

  /// Writes a file of the source, replacing an older one.
  private func write(_ bytes: [UInt8], _ name: String, _ folder: borrowing TemporaryDirectory) throws {
    let source = try Directory.open(folder.path("source"))
    if try source.contains(name) { try source.remove(name) }
    try source.createFile(name).pwriteAll(bytes, at: 0)
  }

  // MARK: files that change

  @Test func `a file that changed since its digest is read from a copy the next time`() throws {
    let folder = try TemporaryDirectory()
    for name in ["copies", "source"] { try folder.open().makeDirectory(name) }
    try write(Array("first".utf8), "state", folder)
    let request = request(folder)
    let first = try collected(folder.path("source"), request)
    try write(Array("second, longer".utf8), "state", folder)
    #expect(throws: CollectError.sourceKeepsChanging(name: "file:\(folder.path("source"))")) {
      try first.fingerprint()
    }
    let second = try collected(folder.path("source"), request)
    try write(Array("third, and longer than that".utf8), "state", folder)
    let held = try second.fingerprint()
    #expect(held.sections[.secretFiles]?.records == 1)
    // The same bytes in an unchanged source yield the same records.
    try write(Array("second, longer".utf8), "state", folder)
    #expect(try collected(folder.path("source"), request).fingerprint().sections.count == 1)
  }

  @Test func `a file that goes away before the archive is written does not end the run as a system error`()
    throws
  {
    let folder = try TemporaryDirectory()
    for name in ["copies", "source"] { try folder.open().makeDirectory(name) }
    try write([1, 2, 3], "kept", folder)
    try write([4], "state.new", folder)
    let request = request(folder)
    let first = try collected(folder.path("source"), request)
    try Directory.open(folder.path("source")).remove("state.new")
    #expect(throws: CollectError.sourceKeepsChanging(name: "file:\(folder.path("source"))")) {
      try first.fingerprint()
    }
    let second = try collected(folder.path("source"), request)
    #expect(try second.fingerprint().sections[.secretFiles]?.records == 1)
  }

  // MARK: wallets that are destroyed

  private static let destroyed: [(kind: String, name: String)] = [
    ("bitcoin-core", "wallet.dat"), ("sparrow", "mine.mv.db"), ("electrum", "default_wallet"),
    ("monero", "mine.keys"), ("core-lightning", "hsm_secret"), ("lnd", "channel.backup"),
    ("keystore", "UTC--2026-01-01"), ("eip2335", "keystore-m.json"), ("solana", "id.json"),
  ]

  @Test(arguments: destroyed, [0, 32, 70_000])
  func `an empty wallet and one of zeros are kept and faulty, and other files are kept unread`(
    _ wallet: (kind: String, name: String), _ count: Int
  ) throws {
    let folder = try TemporaryDirectory()
    for name in ["copies", "source"] { try folder.open().makeDirectory(name) }
    try write([UInt8](repeating: 0, count: count), wallet.name, folder)
    try write(Array("Read me.\n".utf8), "readme.txt", folder)
    let records = try CollectorKind(named: wallet.kind).source(at: folder.path("source"))
      .read(request(folder)).holdingFiles()
    #expect(records.findings.map(\.isFaulty) == [true], "\(records.findings)")
    let kept = records.secretFiles.map { String(decoding: $0.path, as: UTF8.self) }
    // The other file is kept, too: it may be what nobody thought of.
    #expect(Set(kept) == [wallet.name, "readme.txt"] && records.files.isEmpty, "\(kept)")
    let bytes = records.secretFiles.first { [UInt8]($0.path) == Array(wallet.name.utf8) }?.content.bytes.count
    #expect(bytes == count && records.isComplete, "\(records.excluded)")
    #expect(records.excluded.map(\.what) == ["readme.txt"] && records.excluded.allSatisfy { $0.isKeptUnread })
  }

  @Test(arguments: [("bitcoin-core", "wallet.dat"), ("sparrow", "mine.mv.db")], [UInt8(0), 0x5a])
  func `a wallet without its first sector is kept and faulty by its name`(
    _ wallet: (kind: String, name: String), _ filler: UInt8
  ) throws {
    let folder = try TemporaryDirectory()
    for name in ["copies", "source"] { try folder.open().makeDirectory(name) }
    let sector = [UInt8](repeating: filler, count: 512)
    try write(sector + Array("the rest of a wallet".utf8), wallet.name, folder)
    let records = try CollectorKind(named: wallet.kind).source(at: folder.path("source"))
      .read(request(folder)).holdingFiles()
    #expect(records.findings.map(\.isFaulty) == [true], "\(records.findings)")
    #expect(records.secretFiles.count == 1)
  }

  @Test func `without its secrets a destroyed wallet is still faulty, and missing`() throws {
    let folder = try TemporaryDirectory()
    for name in ["copies", "source"] { try folder.open().makeDirectory(name) }
    try write([UInt8](repeating: 0, count: 600), "wallet.dat", folder)
    var request = request(folder)
    request.includesPrivateKeys = false
    let records = try CollectorKind(named: "bitcoin-core").source(at: folder.path("source")).read(request)
      .holdingFiles()
    #expect(records.findings.map(\.isFaulty) == [true] && !records.isComplete)
  }

  @Test func `a page in place of a channel backup is faulty`() throws {
    let folder = try TemporaryDirectory()
    let page =
      "<!DOCTYPE html><html><body>" + String(repeating: "Not logged in. ", count: 40) + "</body></html>"
    try folder.write(Array(page.utf8), to: "channel.backup")
    let records = try CollectorKind(named: "lnd").source(at: folder.path("channel.backup")).read(.wholeBackup)
      .holdingFiles()
    #expect(records.findings.map(\.result) == [.faulty(.malformed)] && records.secretFiles.count == 1)
  }
}
