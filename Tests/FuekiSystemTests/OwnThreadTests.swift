import FuekiSystem
import Testing

struct OwnThreadTests {
  private struct Failure: Error {}

  @Test func `work that blocks returns its result or its error to the task`() async throws {
    #expect(try await OwnThread.run { 7 } == 7)
    await #expect(throws: Failure.self) { try await OwnThread.run { throw Failure() } }
  }
}
