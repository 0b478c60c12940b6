import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Unblocks all signals.
///
/// Tests run on threads that block them, unlike a program's first thread.
func unblockAllSignals() {
  var none = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
}

struct ProcessTests {
  @Test func `the first interruption is noted and the second ends the process`() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      unblockAllSignals()
      Interruption.install()
      guard !Interruption.wasRequested else { exit(1) }
      raise(SIGTERM)
      guard Interruption.wasRequested else { exit(2) }
      raise(SIGINT)
      exit(3)
    }
  }

  @Test func `a terminal that closes interrupts, however often it tells, unless that is ignored`() async {
    await #expect(processExitsWith: .success) {
      unblockAllSignals()
      Interruption.install()
      raise(SIGHUP)
      guard Interruption.wasRequested else { exit(1) }
      raise(SIGHUP)
    }
    await #expect(processExitsWith: .success) {
      unblockAllSignals()
      _ = signal(SIGHUP, SIG_IGN)
      Interruption.install()
      raise(SIGHUP)
      guard !Interruption.wasRequested else { exit(1) }
    }
  }

  @Test func `a hardened process dumps nothing and keeps descriptors 0 to 2 occupied`() async {
    await #expect(processExitsWith: .success) {
      for descriptor in Int32(0)...2 { close(descriptor) }
      ProcessHardening.apply()
      var limit = rlimit()
      _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      guard limit.rlim_max == 0, umask(0) == 0o077 else { exit(1) }
      for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 { exit(2) }
      let temporary = try TemporaryDirectory()
      guard try temporary.open().createFile("a").descriptor > 2 else { exit(3) }
    }
  }

  @Test func `a command's output fills the caller's memory`() throws {
    var bytes = [UInt8](repeating: 0, count: 16)
    var buffer = bytes.mutableSpan
    let output = try ChildProcess.run(shell: "printf secret; exit 3", withoutVariables: [], into: &buffer)
    #expect(output.byteCount == 6)
    #expect(output.ending == .exited(3))
    #expect(Array(bytes[..<6]) == Array("secret".utf8))
  }

  @Test func `a command that prints for ever is ended`() throws {
    var bytes = [UInt8](repeating: 0, count: 1024)
    var buffer = bytes.mutableSpan
    do {
      _ = try ChildProcess.run(shell: "yes", withoutVariables: [], into: &buffer)
      Issue.record("it printed too much")
    } catch {
      #expect(error.isTooLong)
    }
  }

  // Changing the environment while other threads read it is unsafe, so both tests run in a separate process.

  @Test func `a command does not see the variables withheld, nor our input`() async {
    await #expect(processExitsWith: .success) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var buffer = bytes.mutableSpan
      guard unsafe setenv("FUEKI_TEST_SECRET", "hush", 1) == 0 else { exit(1) }
      guard unsafe setenv("FUEKI_TEST_SECRETS", "shown", 1) == 0 else { exit(2) }
      let output = try ChildProcess.run(
        shell: "cat; env", withoutVariables: ["FUEKI_TEST_SECRET"], into: &buffer)
      let text = String(decoding: bytes[..<output.byteCount], as: UTF8.self)
      guard !text.contains("hush") else { exit(3) }
      guard text.contains("FUEKI_TEST_SECRETS=shown") else { exit(4) }
    }
  }

  @Test func `a secret leaves the environment`() async {
    await #expect(processExitsWith: .success) {
      guard unsafe setenv("FUEKI_TEST_PASSPHRASE", "correct horse", 1) == 0 else { exit(1) }
      var bytes = [UInt8](repeating: 0, count: 32)
      var buffer = bytes.mutableSpan
      guard try Environment.takeSecret("FUEKI_TEST_PASSPHRASE", into: &buffer) == 13 else { exit(2) }
      guard try Environment.takeSecret("FUEKI_TEST_PASSPHRASE", into: &buffer) == nil else { exit(3) }
      guard Environment.get("FUEKI_TEST_PASSPHRASE") == nil else { exit(4) }
      guard Array(bytes[..<13]) == Array("correct horse".utf8) else { exit(5) }
    }
  }
}
