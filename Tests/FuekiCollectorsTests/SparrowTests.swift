import FuekiBackup
import FuekiCollectors
import FuekiSystem
import TestSupport
import Testing

/// Sparrow's files, by their first bytes.
struct SparrowTests {
  private static let page = [UInt8](repeating: 0, count: 4096)
  private static let encrypted = Array("H2encrypt\n01234567SPRW1\n0123456789abcdef".utf8)

  private static let files: [([UInt8], WalletFinding.Result, isSecret: Bool)] = [
    (encrypted + page.dropFirst(encrypted.count) + page, .notProved(.notRead), false),
    (encrypted + page.dropFirst(encrypted.count) + page.dropLast(), .faulty(.length), false),
    (encrypted, .faulty(.length), false),
    (Array("H:2,block:3,".utf8) + page.dropFirst(12) + page + page, .notProved(.notRead), true),
    (Array("H:2,block:3,".utf8) + page.dropFirst(12), .faulty(.length), true),
    (Array("U1BSVz".utf8) + [UInt8](repeating: 65, count: 400), .notProved(.notRead), false),
    (Array("U1BSVz".utf8), .faulty(.length), false),
    (Array(#"{"policyType":"SINGLE","keystores":[]}"#.utf8), .notProved(.notRead), true),
    (Array(#"{"policyType":"SINGLE","keystores":["#.utf8), .faulty(.malformed), true),
    (Array("something".utf8), .faulty(.malformed), true),
  ]

  @Test(arguments: files.indices)
  func `a file is kept, encrypted or as a secret, and what is cut is told`(_ place: Int) throws {
    let (bytes, result, isSecret) = Self.files[place]
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "savings.mv.db")
    let records = try CollectorKind(named: "sparrow").source(at: folder.path("savings.mv.db"))
      .read(.wholeBackup).holdingFiles()
    #expect(records.findings.map(\.result) == [result])
    #expect(records.files.count == (isSecret ? 0 : 1) && records.secretFiles.count == (isSecret ? 1 : 0))
  }

  @Test func `a published wallet of before is kept as it is`() throws {
    guard let folder = Fixtures.folder("wallets/sparrow") else { return }
    let records = try CollectorKind(named: "sparrow").source(at: "\(folder)/sparrow-single-wallet")
      .read(CollectionRequest()).holdingFiles()
    #expect(records.findings.map(\.result) == [.notProved(.notRead)] && records.files.count == 1)
    #expect(try CollectorKind.recognised(at: "\(folder)/sparrow-single-wallet")?.name == "sparrow")
  }
}
