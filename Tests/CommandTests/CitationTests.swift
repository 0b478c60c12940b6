import FuekiSystem
import TestSupport
import Testing

/// The sources cite only things that are in the repository.
struct CitationTests {
  private static let sources = Result { try texts(in: "\(SourceTree.path)/Sources") }

  private static func texts(in path: String) throws -> [(path: String, text: String)] {
    let directory = try Directory.open(path)
    return try directory.list().flatMap { entry in
      guard let name = entry.text else { return [(path: String, text: String)]() }
      let inner = "\(path)/\(name)"
      if (try? Directory.open(inner)) != nil { return try texts(in: inner) }
      guard name.hasSuffix(".swift") || name.hasSuffix(".proto") || name.hasSuffix(".h") else { return [] }
      return [(inner, String(decoding: try File.open(inner).readAll(limit: 1 << 24), as: UTF8.self))]
    }
  }

  @Test func `every heading of fueki-archive that a comment names is on the page`() throws {
    let page = String(decoding: try TestVectors.file("../man/fueki-archive.5"), as: UTF8.self)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) }
    let citation = /fueki-archive\(5\), ([A-Z]+(?: (?:[A-Z]+))*)/
    var found = 0
    for source in try Self.sources.get() {
      for match in source.text.matches(of: citation) {
        found += 1
        #expect(headings.contains(String(match.1)), "\(source.path): \(match.0)")
      }
    }
    #expect(found > 10)
  }

  @Test func `no text is cited that is not in the repository`() throws {
    let text = /[A-Z][A-Z-]+\.md/
    for source in try Self.sources.get() {
      for match in source.text.matches(of: text) {
        #expect(match.0 == "README.md", "\(source.path): \(match.0)")
      }
    }
  }

  @Test func `every file that the article on the architecture walks through is there`() throws {
    let article = try String(
      decoding: TestVectors.file("../Sources/FuekiBackup/FuekiBackup.docc/Architecture.md"), as: UTF8.self)
    let paths = article.matches(of: /`(Sources\/[A-Za-z0-9\/.+-]+)`/).map { String($0.1) }
    #expect(paths.count > 20)
    for path in paths {
      let full = "\(SourceTree.path)/\(path)"
      #expect((try? File.open(full)) != nil || (try? Directory.open(full)) != nil, "\(path)")
    }
  }
}
