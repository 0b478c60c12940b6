import FuekiBackup
import FuekiSystem
import TestSupport
import Testing

struct PracticeFolderTests {
  /// A folder whose lock is not held yet must not count as a leftover.
  ///
  /// A folder that is being wiped must.
  @Test func `drills that begin at the same moment leave each other alone`() async throws {
    let place = try TemporaryDirectory()
    let path = place.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            let room = try PracticeFolder.choose(
              from: PracticeFolder.makeAll(in: [path]), room: 1)
            try Directory.makePrivateDirectories(room.dataDirectory)
            let wallet = try Directory.open(room.dataDirectory)
            _ = try wallet.createFile("wallet.sqlite")
            #expect(try wallet.contains("wallet.sqlite"))
            try room.wipe()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Directory.open(path).list().isEmpty)
  }
}
