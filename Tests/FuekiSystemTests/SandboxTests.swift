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

  @Test
  func
    `no file is changed by its name, nor opened to others, and a file's own descriptor still sets its time`()
    async
  {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      try Directory.open(temporary.path).writeWhole([1], as: "file", replacing: false)
      let path = "\(temporary.path)/file"
      var rules = SandboxRules()
      rules.allow(.write, temporary.path)
      _ = try Sandbox.enter(rules)
      for (number, trial) in BoxTrial.changes.enumerated() {
        guard trial.isRefused(process: 0, path: path) else { exit(Int32(10 + number)) }
      }
      let file = try Directory.open(temporary.path).openFileForWriting("file")
      try file.setModificationTime(microseconds: 7_000_000)
      guard try file.changePermissions(to: 0o400), try file.permissions() == 0o400 else { exit(1) }
      guard try file.size() == 1, try file.status().modificationTime.seconds == 7 else { exit(2) }
      try file.truncate(to: 0)
      guard BoxTrial.unknown.code() == ENOSYS else { exit(3) }
    }
  }

  @Test func `nothing is typed into a terminal, which still has its size and its echo`() async {
    await #expect(processExitsWith: .success) {
      let pair = PseudoTerminal()
      let terminal = pair.terminal
      guard BoxTrial.type.code(process: terminal) != ENOTTY else { exit(1) }
      _ = try Sandbox.enter(SandboxRules())
      guard BoxTrial.type.code(process: terminal) == ENOTTY else { exit(2) }
      var state = termios()
      guard unsafe tcgetattr(terminal, &state) == 0, isatty(terminal) == 1 else { exit(3) }
      guard unsafe tcsetattr(terminal, TCSANOW, &state) == 0 else { exit(4) }
      var size = winsize()
      guard unsafe ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0 else { exit(5) }
    }
  }

  @Test(arguments: 1...7)
  func `what an earlier Landlock lacks, the filter refuses, but for signals`(
    version: Int
  ) async {
    await #expect(processExitsWith: .success) { [version = version as Int] in
      let temporary = try TemporaryDirectory()
      let folder = try temporary.open()
      for name in ["own", "own/below"] { try Directory.makePrivateDirectories("\(temporary.path)/\(name)") }
      for name in ["read", "outside"] { try folder.writeWhole([1], as: name, replacing: false) }
      try folder.openDirectory("own").writeWhole([1], as: "file", replacing: false)
      let (own, path) = ("\(temporary.path)/own", "\(temporary.path)/read")
      var rules = SandboxRules()
      rules.allow(.read, path)
      rules.allow(.write, own)
      rules.allowRunning(["/bin/true"])
      guard try Sandbox.enter(rules, newest: version) else { exit(1) }
      // Walls around files there are in each version.
      for trial in [BoxTrial.read, .write, .create, .remove] {
        guard trial.isRefused(process: 0, path: "\(temporary.path)/outside") else { exit(2) }
      }
      for trial in BoxTrial.changes + [.write, .socket] {
        guard trial.isRefused(process: 0, path: path) else { exit(3) }
      }
      guard try File.open(path).size() == 1 else { exit(4) }
      let moves = unsafe rename("\(own)/file", "\(own)/below/file") == 0
      guard moves == (version >= 2) else { exit(5) }
      // Only the wall of version 6 stands before another process.
      guard BoxTrial.signal.isRefused(process: getppid(), path: path) == (version >= 6) else { exit(6) }
      guard BoxTrial.trace.isRefused(process: getppid(), path: path) else { exit(7) }
    }
  }

  @Test func `what a kernel without Landlock lacks, the filter does not have, but all else`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      try Directory.open(temporary.path).writeWhole([1], as: "file", replacing: false)
      let path = "\(temporary.path)/file"
      guard try !Sandbox.enter(SandboxRules(), newest: 0) else { exit(1) }
      // It reads and writes all files of this user.
      guard BoxTrial.read.code(path: path) == 0, BoxTrial.write.code(path: path) == 0 else { exit(2) }
      for trial in BoxTrial.changes + [.socket, .execute, .trace] {
        guard trial.isRefused(process: getppid(), path: path) else { exit(3) }
      }
    }
  }

  @Test func `what a kernel without seccomp lacks, Landlock does not have`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      try Directory.open(temporary.path).writeWhole([1], as: "file", replacing: false)
      let path = "\(temporary.path)/file"
      guard try Sandbox.wall(SandboxRules()) else { exit(1) }
      for trial in [BoxTrial.read, .write, .empty] {
        guard trial.isRefused(process: 0, path: path) else { exit(2) }
      }
      guard BoxTrial.permissions.code(path: path) == 0, BoxTrial.times.code(path: path) == 0 else { exit(3) }
      guard BoxTrial.socket.code() == 0 else { exit(4) }
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
