import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A boxed reader's remaining rights, each tested in a separate process, because a box cannot be left.
@Suite(
  .enabled(
    if: Sandbox.version != nil && ReaderBox.canFilterCalls, "this kernel has no Landlock or no seccomp"))
struct ReaderBoxTests {
  @Test func `every call that leads out of the box is refused`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      let outside = "\(temporary.path)/file"
      _ = try Directory.open(temporary.path).createFile("file")
      let box = try ReaderBox.enter(SandboxRules())
      guard box.landlock != nil, box.hasCallFilter else { exit(1) }
      for (number, trial) in BoxTrial.ofReader.enumerated() {
        guard trial.isRefused(process: getppid(), path: outside) else { exit(Int32(10 + number)) }
      }
    }
  }

  @Test func `outside a box the same calls are let through`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      _ = try Directory.open(temporary.path).createFile("file")
      let outside = "\(temporary.path)/file"
      let harmless: [BoxTrial] = [
        .socket, .connect, .fork, .read, .write, .create, .permissions, .signal, .newCode, .module, .remove,
      ]
      for (number, trial) in harmless.enumerated() {
        guard !trial.isRefused(process: getpid(), path: outside) else { exit(Int32(10 + number)) }
      }
    }
  }

  @Test func `a reader reads what it may, on threads too, and writes nothing there`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      let folder = try Directory.open(temporary.path)
      try folder.makeDirectory("in")
      try folder.openDirectory("in").writeWhole([7], as: "file", replacing: false)
      var rules = SandboxRules()
      rules.allow(.read, "\(temporary.path)/in")
      _ = try ReaderBox.enter(rules)
      let path = "\(temporary.path)/in/file"
      let read = BoundedWait.answer(within: 60) { (try? File.openRegular(path).readAll(limit: 10)) ?? [] }
      guard read == [7] else { exit(1) }
      guard (try? Directory.open("\(temporary.path)/in").list().count) == 1 else { exit(2) }
      guard (try? Directory.open("\(temporary.path)/in").createFile("new")) == nil else { exit(3) }
      guard (try? Directory.open("\(temporary.path)/in").openFileForWriting("file")) == nil else { exit(4) }
      guard (try? Directory.open(temporary.path)) == nil else { exit(5) }
    }
  }

  @Test func `a process that copies a database locks and writes only where it may, and no more than it may`()
    async
  {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryDirectory()
      let folder = try Directory.open(temporary.path)
      try folder.makeDirectory("in")
      _ = try folder.createFile("outside")
      _ = signal(SIGXFSZ, SIG_IGN)
      var rules = SandboxRules()
      rules.allow(.write, "\(temporary.path)/in")
      _ = try ReaderBox.enter(rules, for: .copying(fileByteCount: 1000))
      let inner = try Directory.open("\(temporary.path)/in")
      let file = try inner.createFile("file")
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      guard unsafe fcntl(file.descriptor, F_SETLK, &lock) == 0 else { exit(1) }
      guard (try? file.pwriteAll([UInt8](repeating: 7, count: 1000), at: 0)) != nil else { exit(2) }
      guard (try? file.pwriteAll([7], at: 1000)) == nil, try file.size() == 1000 else { exit(3) }
      try inner.remove("file")
      guard (try? Directory.open(temporary.path)) == nil else { exit(4) }
      let outside = "\(temporary.path)/outside"
      for (number, trial) in BoxTrial.ofReader.enumerated() {
        guard trial.isRefused(process: getppid(), path: outside) else { exit(Int32(10 + number)) }
      }
    }
  }
}

/// Messages between this program and a process of its own.
struct MessageSocketTests {
  @Test func `a child that closes its end, or says too much, is noticed`() async throws {
    // As the program has it: a process that is gone is an error, and no signal.
    _ = signal(SIGPIPE, SIG_IGN)
    let child = try ReaderChild(executable: "/bin/true", name: "true")
    #expect(try child.socket.next() == nil)
    #expect(child.ownEnding() == .exited(0))
    let talker = try ReaderChild(executable: "/bin/cat", name: "cat")
    // It says back nothing, because its output is not the socket.
    try talker.socket.append(1, [1, 2, 3])
    try talker.socket.flush()
    talker.end()
    #expect(throws: SystemError.self) { try talker.socket.append(1, [UInt8](repeating: 0, count: 1 << 20)) }
  }
}
