internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import Testing

@Suite struct ExportedFileTests {
  @Test func `a file's parts are put together by offset`() throws {
    let directory = try ExportWorkplace()
    let content = [UInt8]("abcdefghi".utf8)
    let exported = try directory.export { builder in
      for range in [3..<6, 0..<3, 6..<9] {
        try builder.add(part(1, "dir/é.json", content[range], at: range.lowerBound, of: 9))
      }
      try builder.add(part(2, "empty", [], at: 0, of: 0))
    }
    #expect(try directory.read("out/files/keystore/dir/é.json") == content)
    #expect(try directory.read("out/files/keystore/empty") == [])
    #expect(exported.incompleteFiles.isEmpty)
    let lines = try JSON.lines(try directory.read("out/files.jsonl"))
    for line in lines.prefix(3) { #expect(line["file"] == .text("files/keystore/dir/é.json")) }
    let offsets: [JSON?] = lines.map { $0["offset"] }
    #expect(offsets == [.integer(3), .integer(0), .integer(6), .integer(0)])
    for line in lines { #expect(line["content"] == nil) }
  }

  @Test func `a part that contradicts its file is kept in its line`() throws {
    let directory = try ExportWorkplace()
    let exported = try directory.export { builder in
      try builder.add(part(1, "a", [1, 2, 3], at: 0, of: 4))
      try builder.add(part(1, "a", [9, 9], at: 2, of: 4))
      try builder.add(part(1, "a", [8], at: 4, of: 9))
      try builder.add(part(1, "a", [7], at: Int.max, of: 4))
    }
    #expect(try directory.read("out/files/keystore/a") == [1, 2, 3])
    #expect(exported.incompleteFiles == ["files/keystore/a"])
    let lines = try JSON.lines(try directory.read("out/files.jsonl"))
    let contents: [JSON?] = lines.map { $0["content"] }
    #expect(contents == [nil, .text("CQk="), .text("CA=="), .text("Bw==")])
  }

  /// As an archive of version 0.2.0 may have it.
  @Test func `a file that is in an archive twice is exported once`() throws {
    let directory = try ExportWorkplace()
    let exported = try directory.export { builder in
      for _ in 0..<2 {
        for (offset, content) in [(0, [1, 2]), (2, [3, 4])] as [(Int, [UInt8])] {
          try builder.add(part(1, "a", content, at: offset, of: 4))
        }
      }
    }
    #expect(try directory.read("out/files/keystore/a") == [1, 2, 3, 4])
    #expect(exported.incompleteFiles.isEmpty)
    let lines = try JSON.lines(try directory.read("out/files.jsonl"))
    #expect(lines.count == 4 && lines.allSatisfy { $0["content"] == nil })
  }

  static let hostile: [[UInt8]] = [
    Array("../../evil".utf8), Array("/etc/evil".utf8), Array("a/../../../../evil".utf8), Array("..".utf8),
    Array(".".utf8), Array("".utf8), Array("/".utf8), Array("a\0b".utf8), Array("./..//../x\n".utf8),
    Array(repeating: 0x61, count: 5000), Array("d/".utf8) + Array(repeating: 0xFF, count: 300),
    Array(String(repeating: "x/", count: 3000).utf8),
  ]

  @Test(arguments: hostile) func `no path leads out of the export`(path: [UInt8]) throws {
    let directory = try ExportWorkplace()
    try directory.export { builder in
      var record = part(1, "", [0x21], at: 0, of: 1)
      record.path = Data(path)
      record.source = "../up"
      try builder.add(record)
    }
    #expect(try directory.names() == ["a.fueki", "out"])
    #expect(try directory.names(in: "out") == ["files", "files.jsonl", "manifest.json"])
    #expect(try directory.names(in: "out/files") == [".._up"])
    #expect(try directory.fileCount(in: "out/files") == 1)
  }

  @Test func `files whose names collide get names of their own`() throws {
    let directory = try ExportWorkplace()
    try directory.export { builder in
      for (number, path) in ["a", "a", "./a", "a/b", "..", "__"].enumerated() {
        try builder.add(part(UInt8(number), path, [UInt8(number)], at: 0, of: 1))
      }
    }
    for (name, number) in [("a", 0), ("a~2", 1), ("a~3", 2), ("a~4/b", 3), ("__", 4), ("__~2", 5)] {
      #expect(try directory.read("out/files/keystore/\(name)") == [UInt8(number)])
    }
  }

  private func part(
    _ id: UInt8, _ path: String, _ content: some Collection<UInt8>, at offset: Int, of total: UInt64
  ) -> FilePart {
    var record = FilePart()
    record.id = Data(repeating: id, count: 16)
    record.source = "keystore"
    record.path = Data(path.utf8)
    record.offset = UInt64(offset)
    record.total = total
    record.content = Data(content)
    return record
  }
}
