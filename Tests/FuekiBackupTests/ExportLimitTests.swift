internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet
internal import Testing

/// Archives that would become far more than they are.
@Suite struct ExportLimitTests {
  private func part(
    _ content: [UInt8], at offset: UInt64, of total: UInt64, id: UInt8 = 1, path: String = "a"
  ) -> FilePart {
    var record = FilePart()
    record.id = Data(repeating: id, count: 16)
    record.source = "keystore"
    record.path = Data(path.utf8)
    record.offset = offset
    record.total = total
    record.content = Data(content)
    return record
  }

  /// Exports what is refused; nothing may be left of it.
  private func refused(_ fill: (inout BackupBundle.Builder) throws -> Void) throws -> ExportLimitError? {
    let directory = try ExportWorkplace()
    let error = #expect(throws: ExportLimitError.self) { try directory.export(fill) }
    #expect(try directory.names() == ["a.fueki"])
    return error
  }

  @Test(arguments: [1 << 43, 65 << 20 as UInt64])
  func `a part far behind all that the archive holds makes no file`(offset: UInt64) throws {
    let error = try refused { try $0.add(part([1, 2, 3], at: offset, of: offset + 3)) }
    #expect(error == .file(section: "files"))
  }

  @Test func `a file of which parts are missing is made as long as it was`() throws {
    let directory = try ExportWorkplace()
    let exported = try directory.export { try $0.add(part([1], at: 9 << 20, of: 10 << 20)) }
    #expect(exported.incompleteFiles == ["files/keystore/a"])
    #expect(try directory.read("out/files/keystore/a").count == 9 << 20 + 1)
  }

  @Test func `a file in very many pieces is refused`() throws {
    let error = try refused { builder in
      for place in 0..<UInt64(1 << 14 + 1) { try builder.add(part([7], at: 2 * place, of: 1 << 16)) }
    }
    #expect(error == .pieces(section: "files"))
  }

  @Test func `records that say nothing do not fill the disk`() throws {
    let error = try refused { builder in
      for _ in 0..<250_000 { try builder.add(Wallet()) }
    }
    #expect(error == .lines(section: "wallets"))
  }

  @Test func `many files of one name get names of their own, files and folders`() throws {
    let directory = try ExportWorkplace()
    try directory.export { builder in
      for number in 0..<200 {
        let id = UInt8(number)
        try builder.add(part([id], at: 0, of: 1, id: id, path: number.isMultiple(of: 2) ? "a" : "a/b"))
      }
    }
    #expect(try directory.fileCount(in: "out/files") == 200)
    #expect(try directory.read("out/files/keystore/a") == [0])
    #expect(try directory.read("out/files/keystore/a~2/b") == [1])
    #expect(try directory.read("out/files/keystore/a~3") == [2])
    #expect(try directory.read("out/files/keystore/a~2/b~100") == [199])
  }
}
