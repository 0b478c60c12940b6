import FuekiBackup
import FuekiSystem
import TestSupport
import Testing

/// The search for folders with archives.
@Suite struct ArchiveFoldersTests {
  private func folder(_ names: [String]) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for name in names {
      let parts = name.split(separator: "/").dropLast().joined(separator: "/")
      try Directory.makePrivateDirectories(folder.path + "/" + parts)
      let last = name.split(separator: "/").last.map(String.init) ?? ""
      try Directory.open(folder.path + "/" + parts).createFile(last).pwriteAll([1], at: 0)
    }
    return folder
  }

  private func found(_ folder: borrowing TemporaryDirectory, depth: Int = 16) throws -> ArchiveFolders {
    try ArchiveFolders(below: Target(path: folder.path, kind: .local), depth: depth)
  }

  @Test func `folders with archives are found, each once, and others are not`() throws {
    let folder = try folder(["a/1.fueki", "a/2.fueki", "b/c/1.fueki", "d/notes.txt"])
    let found = try found(folder)
    #expect(found.targets.map(\.path) == ["a", "b/c"].map { "\(folder.path)/\($0)" })
    #expect(found.targets.allSatisfy { $0.kind == .local } && found.unsearched.isEmpty)
  }

  @Test func `a target with archives itself comes first, and one with none at all stays`() throws {
    let mixed = try folder(["0.fueki", "a/1.fueki"])
    #expect(try found(mixed).targets.map(\.path) == [mixed.path, mixed.path + "/a"])
    let empty = try TemporaryDirectory()
    #expect(try found(empty).targets.map(\.path) == [empty.path])
    let away = empty.path + "/away"
    #expect(throws: TargetError.noTarget(path: away)) { try ArchiveFolders(below: Target(path: away)) }
  }

  @Test func `links are not followed, and what is too deep is reported`() throws {
    let folder = try folder(["a/b/c/1.fueki"])
    try folder.open().makeSymbolicLink("link", to: folder.path + "/a/b/c")
    try folder.open().makeSymbolicLink("loop", to: folder.path)
    #expect(try found(folder).targets.map(\.path) == [folder.path + "/a/b/c"])
    let shallow = try found(folder, depth: 1)
    #expect(shallow.targets.map(\.path) == [folder.path])
    #expect(shallow.unsearched == [folder.path + "/a/b"])
  }
}
