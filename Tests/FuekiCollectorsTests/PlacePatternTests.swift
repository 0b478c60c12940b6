import FuekiCollectors
import FuekiSystem
import TestSupport
import Testing

/// Paths with `*` in their names.
struct PlacePatternTests {
  private func paths(_ pattern: String, in names: [String]) throws -> [String] {
    let folder = try TemporaryDirectory()
    for name in names { try folder.write([], to: name) }
    var unreadable: Set<String> = []
    return PlacePattern(folder.path(pattern)).paths(unreadable: &unreadable)
      .map { String($0.dropFirst(folder.path.count + 1)) }
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
}
