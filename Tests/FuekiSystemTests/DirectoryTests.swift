import FuekiSystem
import Glibc
import TestSupport
import Testing

struct DirectoryTests {
  @Test func `a file is made only where nothing has its name`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    _ = try directory.createFile("a")
    let error = #expect(throws: SystemError.self) { _ = try directory.createFile("a") }
    #expect(error?.isAlreadyThere == true)
    #expect(error?.path == temporary.path("a"))
  }

  @Test func `a planted link is neither followed nor replaced`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try temporary.write([1], to: "victim")
    #expect(unsafe symlink("victim", temporary.path("link")) == 0)
    #expect(unsafe symlink("missing", temporary.path("dangling")) == 0)
    #expect(unsafe symlink(temporary.path, temporary.path("folder")) == 0)

    #expect(throws: SystemError.self) { _ = try directory.createFile("dangling") }
    for name in ["link", "dangling"] {
      for open in ["read", "write", "create"] {
        let error = #expect(throws: SystemError.self) {
          switch open {
          case "read": _ = try directory.openFile(name)
          case "write": _ = try directory.openFileForWriting(name)
          default: _ = try directory.openOrCreateFile(name)
          }
        }
        #expect(error?.code == ELOOP)
      }
    }
    #expect(throws: SystemError.self) { _ = try directory.openDirectory("folder") }
    #expect(try !directory.contains("missing"))
    #expect(try directory.status(of: "link").kind == .symbolicLink)
  }

  @Test(arguments: [0, 0o777] as [UInt32])
  func `files and directories are private whatever the umask`(mask: UInt32) async {
    await #expect(processExitsWith: .success) { [mask = mask as UInt32] in
      umask(mask)
      let temporary = try TemporaryDirectory()
      let directory = try temporary.open()
      let file = try directory.createFile("file")
      let tool = try directory.createFile("tool", permissions: 0o755)
      try directory.makeDirectory("directory")
      try Directory.makePrivateDirectories(temporary.path("a/b//c/"))
      let found = try [
        file.permissions(), tool.permissions(), directory.status(of: "directory").permissions,
        directory.status(of: "a").permissions,
        directory.openDirectory("a").openDirectory("b").openDirectory("c").status().permissions,
        directory.status().permissions,
      ]
      guard found == [0o600, 0o755, 0o700, 0o700, 0o700, 0o700] else { exit(1) }
      guard file.hasRequestedPermissions else { exit(2) }
    }
  }

  @Test func `names that are not UTF-8 are listed, opened and removed`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    let names: [[UInt8]] = [[0xFF, 0xFE], [0xC3, 0xA9], [0x65, 0xCC, 0x81]]
    for name in names { try directory.createFile(name).pwriteAll(name, at: 0) }
    let entries = try directory.list()
    #expect(entries.map(\.name) == [[0x65, 0xCC, 0x81], [0xC3, 0xA9], [0xFF, 0xFE]])
    #expect(entries.map(\.text) == ["e\u{301}", "\u{E9}", nil])
    for entry in entries {
      #expect(try directory.openFile(entry.name).readAll(limit: 9) == entry.name)
      try directory.remove(entry.name)
    }
    #expect(try directory.list().isEmpty)
  }

  @Test func `a listing tells kinds and comes in the order of bytes`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try temporary.write([], to: "b")
    try directory.makeDirectory("a")
    #expect(unsafe symlink("b", temporary.path("C")) == 0)
    #expect(unsafe mkfifo(temporary.path("d"), 0o600) == 0)
    let entries = try directory.list()
    #expect(entries.map(\.text) == ["C", "a", "b", "d"])
    #expect(entries.map(\.kind) == [.symbolicLink, .directory, .file, .other])
    // A second listing starts at the beginning.
    #expect(try directory.list() == entries)
  }

  @Test func `neither a directory nor a pipe is opened as a file`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try directory.makeDirectory("a")
    #expect(unsafe mkfifo(temporary.path("pipe"), 0o600) == 0)
    #expect(throws: SystemError(code: EISDIR, call: "openat", path: temporary.path("a"))) {
      _ = try directory.openFile("a")
    }
    #expect(throws: SystemError(code: EINVAL, call: "openat", path: temporary.path("pipe"))) {
      _ = try directory.openFile("pipe")
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "/etc/passwd", "a\0b"])
  func `a name cannot lead out of the directory`(name: String) throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    #expect(throws: SystemError.self) { _ = try directory.createFile(name) }
    #expect(throws: SystemError.self) { try directory.removeTree(name) }
    #expect(throws: SystemError.self) { _ = try directory.status(of: name) }
  }

  @Test func `a tree is removed and what its links point to stays`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    try directory.makeDirectory("kept")
    try directory.openDirectory("kept").createFile("file").pwriteAll([1], at: 0)
    try directory.makeDirectory("tree")
    let tree = try directory.openDirectory("tree")
    try tree.makeDirectory("inner")
    _ = try tree.openDirectory("inner").createFile("x")
    #expect(unsafe symlink(temporary.path("kept"), temporary.path("tree/link")) == 0)

    #expect(throws: SystemError.self) { try directory.removeDirectory("tree") }
    try directory.removeTree("tree")
    #expect(try directory.list().map(\.text) == ["kept"])
    #expect(try directory.openDirectory("kept").contains("file"))
    let error = #expect(throws: SystemError.self) { try directory.removeTree("tree") }
    #expect(error?.isNotFound == true)
  }

  @Test func `private directories are made once and nothing that exists changes`() throws {
    let temporary = try TemporaryDirectory()
    try Directory.makePrivateDirectories(temporary.path("a"))
    #expect(unsafe chmod(temporary.path("a"), 0o755) == 0)
    try Directory.makePrivateDirectories(temporary.path("a/b"))
    #expect(try temporary.open().status(of: "a").permissions == 0o755)
    try temporary.write([], to: "file")
    let error = #expect(throws: SystemError.self) {
      try Directory.makePrivateDirectories(temporary.path("file/x"))
    }
    #expect(error?.code == ENOTDIR)
  }

  @Test func `free bytes are told and directories can be synced`() throws {
    let temporary = try TemporaryDirectory()
    #expect(try temporary.open().freeBytes() > 0)
    #expect(try temporary.open().sync())
  }
}
