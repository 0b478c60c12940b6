import FuekiSystem
import TestSupport
import Testing

struct FileTests {
  @Test func `a file gives back what was written`() throws {
    let temporary = try TemporaryDirectory()
    try temporary.write([1, 2, 3], to: "a")
    #expect(try temporary.read("a") == [1, 2, 3])
  }
}
