import FuekiBackup
import Testing

@Suite struct FileIDTests {
  private let id = [UInt8](repeating: 1, count: 16)

  @Test func `the same file in two places has two ids, each the same every time`() {
    var (ids, again) = (FileIDs(), FileIDs())
    let places: [[UInt8]?] = [Array("~/a".utf8), Array("~/b".utf8), Array("~/c".utf8), Array("~/a".utf8)]
    let named = places.map { ids.id(id, at: $0) }
    #expect(named[0] == id && named[3] == id && Set(named).count == 3)
    #expect(named.allSatisfy { $0.count == 16 })
    #expect(places.map { again.id(id, at: $0) } == named)
  }

  @Test func `a file without a place keeps its id`() {
    var ids = FileIDs()
    #expect(ids.id(id, at: nil) == id && ids.id(id, at: nil) == id)
    let other = [UInt8](repeating: 2, count: 16)
    #expect(ids.id(other, at: Array("~/a".utf8)) == other && ids.id(other, at: nil) == other)
    #expect(ids.id(id, at: Array("~/a".utf8)) != id)
  }
}
