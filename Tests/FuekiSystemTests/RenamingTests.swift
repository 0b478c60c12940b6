import FuekiSystem
import TestSupport
import Testing

struct RenamingTests {
  private static func isKept(_ temporary: borrowing TemporaryDirectory) throws -> Bool {
    try temporary.read("old") == [1] && temporary.read("new") == [2]
  }

  @Test func `without replacing, a taken name stays what it was`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try temporary.write([1], to: "old")
    try temporary.write([2], to: "new")
    let error = #expect(throws: SystemError.self) { try directory.rename("old", to: "new", replacing: false) }
    #expect(error?.isAlreadyThere == true)
    #expect(try Self.isKept(temporary))

    try directory.rename("old", to: "free", replacing: false)
    #expect(try directory.list().map(\.text) == ["free", "new"])
  }

  @Test func `the same holds where the kernel has no flag for it`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try temporary.write([1], to: "old")
    try temporary.write([2], to: "new")
    try directory.makeDirectory("folder")
    try directory.makeDirectory("taken")
    for (old, new) in [("old", "new"), ("old", "taken"), ("folder", "new"), ("folder", "taken")] {
      let error = #expect(throws: SystemError.self) {
        try directory.renameInSteps(old, to: new)
      }
      #expect(error?.isAlreadyThere == true, "\(old) to \(new)")
    }
    #expect(try Self.isKept(temporary))

    try directory.renameInSteps("old", to: "free")
    try directory.renameInSteps("folder", to: "other")
    #expect(try directory.list().map(\.text) == ["free", "new", "other", "taken"])
  }

  @Test func `with replacing, the new name is the old file`() throws {
    let temporary = try TemporaryDirectory()
    try temporary.write([1], to: "old")
    try temporary.write([2], to: "new")
    try temporary.open().rename("old", to: "new", replacing: true)
    #expect(try temporary.read("new") == [1])
    #expect(try temporary.open().list().count == 1)
  }

  @Test func `two names are swapped, of files and of directories`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try temporary.write([1], to: "a")
    try directory.makeDirectory("b")
    try directory.renameExchange("a", "b")
    #expect(try directory.status(of: "a").kind == .directory)
    #expect(try temporary.read("b") == [1])
    let error = #expect(throws: SystemError.self) { try directory.renameExchange("a", "missing") }
    #expect(error?.isNotFound == true)
  }
}
