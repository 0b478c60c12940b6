import FuekiCollectors
import FuekiSystem
import TestSupport
import Testing

/// Paths with `*` in their names.
struct PlacePatternTests {
  private func paths(_ pattern: String, in names: [String]) throws -> [String] {
    let folder = try TemporaryDirectory()
    for name in names { try folder.write([], to: name) }
    var unreadable: Set<ExactText> = []
    return PlacePattern(folder.path(pattern)).paths(unreadable: &unreadable)
      .map { PathText.text(Array($0.pathBytes.dropFirst(folder.path.utf8.count + 1))) }
  }

  @Test(arguments: [
    ("a*", ["a", "ab"]), ("*b", ["ab", "cb"]), ("*", ["a", "ab", "c*", "cb"]), ("a*b", ["ab"]),
    ("*a*", ["a", "ab"]), ("c*b", ["cb"]), ("c", []), (".h*", [".hidden"]), ("**", ["a", "ab", "c*", "cb"]),
  ])
  func `a star stands for any characters, and for no hidden name`(_ pattern: String, _ wanted: [String])
    throws
  {
    #expect(try paths(pattern, in: ["a", "ab", "cb", "c*", ".hidden"]) == wanted)
  }

  @Test func `names that are equal after normalisation, or not UTF-8, are each found`() throws {
    let names = ["caf\u{E9}", "cafe\u{301}", "caf\u{10FEE9}", "\u{301}"]
    let found = try paths("*", in: names)
    #expect(Set(found.map(\.pathBytes)) == Set(names.map(\.pathBytes)))
    #expect(found.count == names.count)
  }

  @Test func `two stars stand for any number of folders, hidden ones and links left out`() throws {
    let folder = try TemporaryDirectory()
    for name in ["a", "a/b/c", ".hidden", "elsewhere"] {
      try Directory.makePrivateDirectories(folder.path("top/\(name)"))
      try Directory.open(folder.path("top/\(name)")).createFile("w").pwriteAll([1], at: 0)
    }
    try Directory.open(folder.path("top")).makeSymbolicLink("round", to: "..")
    var unreadable: Set<ExactText> = []
    let root: String = folder.path
    let found = PlacePattern("top/**/w").paths(below: root, unreadable: &unreadable)
    let wanted = ["top/a/w", "top/a/b/c/w", "top/elsewhere/w"]
    #expect(found == wanted.map { "\(root)/\($0)" })
  }
}
