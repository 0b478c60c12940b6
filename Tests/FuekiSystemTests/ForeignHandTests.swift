import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Other users who can change a file, by the permissions of the file and of each directory on its path.
@Suite struct ForeignHandTests {
  private func hand(_ path: String) throws -> ForeignHand? { try File.open(path).foreignHand() }

  private func permit(_ mode: mode_t, _ path: String) { #expect(unsafe chmod(path, mode) == 0) }

  @Test func `a file is judged with every folder on the way, and with every link`() throws {
    let scratch = try TemporaryDirectory()
    try Directory.makePrivateDirectories(scratch.path("a/b"))
    try Directory.makePrivateDirectories(scratch.path("links"))
    try Directory.open(scratch.path("a/b")).createFile("file").pwriteAll([1], at: 0)
    let file = scratch.path("a/b/file")
    #expect(unsafe symlink("../a", scratch.path("links/folder")) == 0)
    #expect(unsafe symlink("../links/folder/b/../b/file", scratch.path("links/file")) == 0)
    let ways = [file, scratch.path("a/./b/../b//file"), scratch.path("links/folder/b/file")]
    for path in ways + [scratch.path("links/file")] {
      #expect(try hand(path) == nil)
      for (mode, expected) in [
        (0o620, ForeignHand.writableFile(path: file)), (0o602, .writableFile(path: file)), (0o644, nil),
      ] as [(mode_t, ForeignHand?)] {
        permit(mode, file)
        #expect(try hand(path) == expected)
      }
      for folder in ["a", "a/b"] {
        for mode in [0o770, 0o703] as [mode_t] {
          permit(mode, scratch.path(folder))
          #expect(try hand(path) == .writableFolder(path: scratch.path(folder)))
        }
        permit(0o1777, scratch.path(folder))
        #expect(try hand(path) == nil)
        permit(0o700, scratch.path(folder))
      }
      permit(0o777, scratch.path("links"))
      let isThroughLinks = path.contains("links")
      #expect(try hand(path) == (isThroughLinks ? .writableFolder(path: scratch.path("links")) : nil))
      permit(0o700, scratch.path("links"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to somebody else"))
  func `what belongs to another user is named, a link in a folder of everybody's too`() throws {
    let scratch = try TemporaryDirectory()
    try scratch.write([1], to: "file")
    try Directory.makePrivateDirectories(scratch.path("open"))
    permit(0o1777, scratch.path("open"))
    #expect(unsafe symlink(scratch.path("file"), scratch.path("open/link")) == 0)
    #expect(try hand(scratch.path("open/link")) == nil)
    #expect(unsafe lchown(scratch.path("open/link"), 12345, 12345) == 0)
    #expect(
      try hand(scratch.path("open/link")) == .owner(path: scratch.path("open/link"), user: 12345))
    #expect(unsafe chown(scratch.path("file"), 12345, 12345) == 0)
    #expect(try hand(scratch.path("file")) == .owner(path: scratch.path("file"), user: 12345))
  }
}
