import FuekiBackup
import FuekiCollectors
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `Kinds of sources` {
  @Test(arguments: CollectorKind.all.filter(\.takesFolders).map(\.name))
  func `what a kind says of its reach is how its collector walks a folder`(_ name: String) throws {
    let folder = try TemporaryDirectory()
    try Directory.makePrivateDirectories(folder.path("inner"))
    try Directory.open(folder.path("inner")).createFile("file").pwriteAll(Array("nothing".utf8), at: 0)
    let kind = try CollectorKind(named: name)
    let source = kind.source(at: folder.path)
    let said = try source.read(CollectionRequest(includesPrivateKeys: true)).excluded
    let isPassedOver = said.contains { $0.what == "inner" && $0.reason.contains("are not searched") }
    #expect(isPassedOver == (kind.reach == .folder), "\(said)")
    let path = Array("/a/inner/file".utf8)
    #expect(kind.reach.covers(path, below: Array("/a/inner".utf8)))
    #expect(kind.reach.covers(path, below: Array("/a".utf8)) == (kind.reach == .tree))
    #expect(!kind.reach.covers(path, below: Array("/a/inn".utf8)))
  }

  @Test func `a source is named by its kind and path`() throws {
    #expect(try CollectorKind.source("keystore:/a:b").name == "keystore:/a:b")
    #expect(try CollectorKind.source("tss-lib:x").name == "tss-lib:x")
    #expect(try CollectorKind.source("fueki-app:x").name == "fueki-app:x")
    #expect(Set(CollectorKind.all.map(\.name)).count == CollectorKind.all.count)
  }

  @Test(arguments: ["keystore", "keystore:", ":", "", "store"])
  func `a text without kind or path is refused`(text: String) {
    #expect(throws: CollectorKindError.self) { try CollectorKind.source(text) }
  }

  @Test func `an unknown kind is refused with those that are known`() {
    #expect(
      throws: CollectorKindError.unknownKind(name: "geth", known: CollectorKind.all.map(\.name))
    ) {
      try CollectorKind.source("geth:x")
    }
  }

  @Test func `files and folders are recognised by what is in them`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(ShareFile().text.utf8), to: "share")
    try folder.write(Array(`Bundles of the Fueki app`.whole.utf8), to: "bundle")
    try folder.write(Array(#"{"crypto":{"ciphertext":"","kdfparams":{}}}"#.utf8), to: "key")
    try folder.write(Array("text".utf8), to: "a text")
    #expect(try CollectorKind.recognised(at: folder.path("share"))?.name == "tss-lib")
    #expect(try CollectorKind.recognised(at: folder.path("bundle"))?.name == "fueki-app")
    #expect(try CollectorKind.recognised(at: folder.path("key"))?.name == "keystore")
    #expect(try CollectorKind.recognised(at: folder.path("a text")) == nil)
    #expect(try CollectorKind.recognised(at: folder.path)?.name == "keystore")
    #expect(throws: SystemError.self) { try CollectorKind.recognised(at: folder.path("nothing")) }
  }

  @Test func `a collected bundle has the records, their report and their problems`() throws {
    let folder = try TemporaryDirectory()
    var file = ShareFile()
    file.secret = "4"
    try folder.write(Array(file.text.utf8), to: "share")
    var builder = BackupBundle.Builder()
    try CollectorKind.source("tss-lib:\(folder.path)").collect(CollectionRequest(), into: &builder)
    try CollectorKind.source("keystore:\(folder.path)").collect(CollectionRequest(), into: &builder)
    let bundle = builder.build()
    #expect(bundle.sections == [.keyShareDescriptors, .keyShares])
    #expect(bundle.reports.map(\.name) == ["tss-lib:\(folder.path)", "keystore:\(folder.path)"])
    #expect(bundle.reports.map(\.complete) == [true, false])
    #expect(bundle.reports[0].records(in: .keyShares) == 1)
    #expect(bundle.problems.map(\.section) == [6])
  }
}
