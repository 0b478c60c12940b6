import FuekiCollectors
import TestSupport
import Testing

/// The README's table of wallets against the tables of kinds and of programs.
struct WalletTableTests {
  private struct Row {
    let kinds: [String]
    let isFound: String
  }

  private static func rows() throws -> [Row] {
    let text = String(decoding: try TestVectors.file("../README.md"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = try #require(lines.firstIndex { $0.hasPrefix("| wallet | kind | found |") })
    return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      return Row(
        kinds: cells[1].matches(of: /`([^`]+)`/).map { String($0.1) },
        isFound: String(cells[2].prefix { $0 != " " }))
    }
  }

  @Test func `every kind is in one row, and no other`() throws {
    #expect(try Self.rows().flatMap(\.kinds).sorted() == CollectorKind.all.map(\.name).sorted())
  }

  @Test func `a kind is found by itself exactly where a program has it`() throws {
    let found = Set(WalletProgram.all.flatMap(\.kinds))
    for row in try Self.rows() where !row.kinds.isEmpty {
      let isFound = row.kinds.map(found.contains)
      #expect(row.isFound == (isFound.allSatisfy { $0 } ? "yes" : "no"), "\(row.kinds)")
      #expect(Set(isFound).count == 1, "a row with both needs two rows: \(row.kinds)")
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
