import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Operations that the kernel denies in a sandbox.
///
/// Each test runs in a separate process, because a sandbox cannot be left.
@Suite(.enabled(if: Sandbox.version != nil, "this kernel has no Landlock"))
struct SandboxTests {
  @Test func `a right reaches as far as its folder, and no further than it says`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      for name in ["read", "list", "write", "other"] {
        try Directory.makePrivateDirectories("\(temporary.path)/\(name)/below")
        _ = try Directory.open("\(temporary.path)/\(name)/below").createFile("file")
      }
      func path(_ name: String) -> String { "\(temporary.path)/\(name)/below" }
      var rules = SandboxRules()
      rules.allow(.read, path("read"))
      rules.allow(.list, path("list"))
      rules.allow(.write, path("write"))
      guard try Sandbox.enter(rules) else { exit(1) }
      _ = try File.open("\(path("read"))/file")
      guard (try? Directory.open(path("read")).createFile("new")) == nil else { exit(2) }
      guard try Directory.open(path("list")).list().count == 1 else { exit(3) }
      guard (try? File.open("\(path("list"))/file")) == nil else { exit(4) }
      try Directory.open(path("write")).writeWhole([1], as: "file", replacing: true)
      guard (try? Directory.open("\(temporary.path)/write")) == nil else { exit(5) }
      do throws(SystemError) {
        _ = try File.open("\(path("other"))/file")
        exit(6)
      } catch {
        guard error.code == EACCES else { exit(7) }
      }
      // Files and directories available to every process.
      _ = try File.open("/dev/urandom")
      _ = try Directory.open("/proc/self/task")
    }
  }

  @Test func `of a folder only the chosen files can be read, and none that came later`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      let folder = try temporary.open()
      for name in ["a.fueki", ".netrc"] { _ = try folder.createFile(name) }
      try folder.makeDirectory(".ssh")
      _ = try folder.openDirectory(".ssh").createFile("key")
      var rules = SandboxRules()
      rules.allowReadingFiles(of: temporary.path) { !$0.hasPrefix(".") }
      _ = try folder.createFile("later")
      guard try Sandbox.enter(rules) else { exit(1) }
      _ = try File.open("\(temporary.path)/a.fueki")
      for name in [".netrc", ".ssh/key", "later"] {
        guard (try? File.open("\(temporary.path)/\(name)")) == nil else { exit(2) }
      }
    }
  }

  @Test func `a new folder gets its name beside the old one, and nothing else is written there`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      let folder = try temporary.open()
      try folder.makeDirectory("new")
      try folder.makeDirectory("other")
      var rules = SandboxRules()
      rules.allow(.moveFolders, temporary.path)
      rules.allow(.write, "\(temporary.path)/new")
      guard try Sandbox.enter(rules) else { exit(1) }
      _ = try Directory.open("\(temporary.path)/new").createFile("file")
      try Directory.open(temporary.path).rename("new", to: "done", replacing: false)
      guard (try? Directory.open(temporary.path).createFile("file")) == nil else { exit(2) }
      guard (try? Directory.open("\(temporary.path)/other").createFile("file")) == nil else { exit(3) }
      _ = try File.open("\(temporary.path)/done/file")
    }
  }

  @Test func `no socket of any kind is to be had`() async {
    await #expect(processExitsWith: .success) {
      for family in [AF_INET, AF_INET6, AF_UNIX] {
        guard socket(family, Int32(SOCK_DGRAM.rawValue), 0) >= 0 else { exit(1) }
      }
      guard try Sandbox.enter(SandboxRules()) else { exit(2) }
      for family in [AF_INET, AF_INET6, AF_UNIX] {
        guard socket(family, Int32(SOCK_DGRAM.rawValue), 0) == -1, errno == EACCES else { exit(3) }
      }
    }
  }

  @Test func `threads of a forked process wait for one another`() async {
    await #expect(processExitsWith: .success) {
      let value = Locked(0)
      // A lock may remember this thread, of which the child's first thread is a copy.
      value.withLock { $0 += 1 }
      let rounds = 200_000
      let answer = try ForkedWork.answer {
        let workers = OrderedWorkers<Bool>(width: 1, window: 1)
        workers.submit {
          for _ in 0..<rounds { value.withLock { $0 += 1 } }
          return true
        }
        for _ in 0..<rounds { value.withLock { $0 += 1 } }
        return (try? workers.next()) == true && value.withLock { $0 == 2 * rounds + 1 } ? [1] : [0]
      }
      guard answer == [1] else { exit(1) }
    }
  }

  @Test func `a child's answer arrives, and its end without one is an error`() async {
    await #expect(processExitsWith: .success) {
      guard try ForkedWork.answer({ [1, 2, 3] }) == [1, 2, 3] else { exit(1) }
      guard (try? ForkedWork.answer { _exit(7) }) == nil else { exit(2) }
    }
  }
}
