import FuekiCollectors
import FuekiSystem
import TestSupport
import Testing

/// The README's table of wallets, which `FUEKI_WRITE=1 swift test --filter WalletTableTests` writes.
struct WalletTableTests {
  @Test func `the table is that of the registry`() throws {
    let path = "\(SourceTree.path)/README.md"
    let lines = String(decoding: try File.open(path).readAll(limit: 1 << 20), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| wallet | kind | found |") })
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    if Environment.contains("FUEKI_WRITE") {
      let written = (lines[..<start] + WalletGuide.table + lines[end...]).joined(separator: "\n")
      try Directory.open(SourceTree.path).writeWhole(
        Array(written.utf8), as: "README.md", permissions: 0o644, replacing: true)
    } else {
      #expect(Array(lines[start..<end]) == WalletGuide.table)
    }
  }

  @Test func `a row has kinds that are all found, or none`() {
    let found = Set(WalletProgram.all.flatMap(\.kinds))
    for row in WalletGuide.allCases {
      #expect(
        Set(row.kinds.map { found.contains($0.name) }).count <= 1, "a row with both needs two rows: \(row)")
      #expect(row.kinds.isEmpty == (row == .devices))
    }
  }

  @Test func `a program's name, its folders and its kinds are those of the registry`() {
    let programs = WalletProgram.all
    #expect(Set(programs.map(\.id)).count == programs.count)
    let folders = programs.flatMap(\.folders)
    #expect(Set(folders).count == folders.count)
    #expect(programs.flatMap(\.kinds).allSatisfy { (try? CollectorKind(named: $0)) != nil })
  }
}
