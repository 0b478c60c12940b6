import FuekiSystem
import Synchronization
import TestSupport
import Testing

struct BoundedWaitTests {
  private final class Gate: Sendable {
    let isOpen = Mutex(false)
  }

  @Test func `an answer is returned, and a missing answer keeps no caller waiting`() {
    #expect(BoundedWait.answer(within: 600) { 7 } == 7)
    let gate = Gate()
    let answer = BoundedWait.answer(within: 0.05) {
      while !gate.isOpen.withLock({ $0 }) { SystemClock.sleep(seconds: 0.01) }
      return 7
    }
    #expect(answer == nil)
    gate.isOpen.withLock { $0 = true }
  }

  @Test func `a path is described without being opened, its last link followed or not`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("four".utf8), to: "file")
    try folder.open().makeSymbolicLink("link", to: "file")
    try folder.open().makeSymbolicLink("nowhere", to: "gone")
    #expect(try FileStatus.of(folder.path("link")).size == 4)
    #expect(try FileStatus.of(folder.path("link"), symbolicLinks: .refuse).kind == .symbolicLink)
    #expect(throws: SystemError.self) { _ = try FileStatus.of(folder.path("nowhere")) }
    #expect(try FileStatus.of(folder.path("nowhere"), symbolicLinks: .refuse).kind == .symbolicLink)
    #expect(throws: SystemError.self) { _ = try FileStatus.of(folder.path("file/below")) }
  }
}
