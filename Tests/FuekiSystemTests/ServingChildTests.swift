import FuekiSystem
import TestSupport
import Testing

struct ServingChildTests {
  /// Starts a program, and returns it once it has ended; nil if it does not end.
  private func ended(_ program: String, _ arguments: [String] = []) throws -> ServingChild? {
    let folder = try TemporaryDirectory()
    let child = try ServingChild(
      executable: program, arguments: arguments, environment: [Array("PATH=/usr/bin:/bin".utf8)],
      log: folder.open().createUnnamedFile())
    let deadline = SystemClock.monotonicSeconds + 60
    while !child.hasEnded {
      guard SystemClock.monotonicSeconds < deadline else { return nil }
      SystemClock.sleep(seconds: 0.001)
    }
    return child
  }

  @Test func `a program that ends at once has ended, however busy the machine is`() throws {
    // What waits for this process's end had begun or not: both happen among so many.
    for _ in 0..<100 { try #require(try ended("/bin/false") != nil) }
  }

  @Test func `what a program said before its end can be read`() throws {
    #expect(try ended("/bin/echo", ["no such remote"])?.log == "no such remote\n")
  }
}
