import FuekiSystem
import TestSupport
import Testing

struct WholeFileTests {
  @Test func `a file is there with all its bytes and permissions, and nothing beside it`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 7, count: 3 << 20)] {
      try directory.writeWhole(bytes, as: "file", permissions: 0o640, replacing: true)
      #expect(try temporary.read("file") == bytes)
    }
    #expect(try directory.status(of: "file").permissions & 0o777 == 0o640)
    #expect(try directory.list().map(\.text) == ["file"])
  }

  @Test func `what comes in pieces is there as a whole, and pieces that change are not taken`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    let pieces = [[UInt8](repeating: 1, count: 5000), [], [2], [UInt8](repeating: 3, count: 1 << 20)]
    try directory.writeWhole(as: "file", replacing: true) { (give) throws(SystemError) in
      for piece in pieces { try give(piece.span) }
    }
    #expect(try temporary.read("file") == pieces.flatMap(\.self))
    for second in [[UInt8](repeating: 1, count: 4999) + [9], [UInt8](repeating: 1, count: 4999)] {
      var round = 0
      #expect(throws: SystemError.self) {
        try directory.writeWhole(as: "other", replacing: true) { (give) throws(SystemError) in
          round += 1
          try give((round == 1 ? pieces[0] : second).span)
        }
      }
    }
    #expect(try directory.list().map(\.text) == ["file"])
  }

  @Test func `a name that is taken is kept, and nothing is left behind`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try temporary.write([1], to: "file")
    let error = #expect(throws: SystemError.self) {
      try directory.writeWhole([2], as: "file", replacing: false)
    }
    #expect(error?.isAlreadyThere == true)
    #expect(try temporary.read("file") == [1])
    #expect(try directory.list().count == 1)
  }

  @Test func `what a run that was cut off left is removed, and what another one is writing is not`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    let own = [".file.0123456789abcdef.tmp", ".file.1.tmp"]
    let others = [".file.2.tmp.fueki", ".other.0123456789abcdef.tmp", "file.tmp"]
    for name in own + others { try temporary.write([1], to: name) }
    let busy = try directory.openFileForWriting(own[1])
    #expect(try busy.tryLockExclusive())
    try directory.writeWhole([2], as: "file", replacing: true)
    #expect(try Set(directory.list().compactMap(\.text)) == Set(others + [own[1], "file"]))
    #expect(try busy.size() == 1)
  }
}
