import FuekiSystem
import Glibc
import TestSupport
import Testing

struct FileTests {
  @Test func `a file gives back what was written, and where it ends`() throws {
    let temporary = try TemporaryDirectory()
    let file = try temporary.open().createFile("a")
    try file.pwriteAll([1, 2, 3, 4, 5], at: 10)
    #expect(try file.size() == 15)

    var buffer = [UInt8](repeating: 9, count: 8)
    #expect(try file.pread(into: &buffer, at: 8) == 7)
    #expect(buffer == [0, 0, 1, 2, 3, 4, 5, 9])
    #expect(try file.pread(into: &buffer, at: 15) == 0)
    #expect(try file.pread(into: &buffer, at: 1 << 50) == 0)
    #expect(try file.readExactly(5, at: 10) == [1, 2, 3, 4, 5])
    #expect(try file.readExactly(0, at: 15) == [])
    #expect(try temporary.read("a").count == 15)
  }

  @Test(arguments: [(1, 5), (6, 0), (1, 99), (Int.max, 0), (1, UInt64.max)] as [(Int, UInt64)])
  func `reading past the end is an error and allocates nothing`(count: Int, offset: UInt64) throws {
    let temporary = try TemporaryDirectory()
    try temporary.write([1, 2, 3, 4, 5], to: "a")
    let file = try File.open(temporary.path("a"))
    let error = #expect(throws: SystemError.self) { try file.readExactly(count, at: offset) }
    #expect(error?.isEndOfFile == true)
    #expect(error?.sentence == "\(temporary.path("a")): the file ends too early")
  }

  @Test func `all is read up to the limit and never beyond`() throws {
    let temporary = try TemporaryDirectory()
    for count in [0, 1, 4095, 4096, 4097, (1 << 20) + 3] {
      var random = random(UInt64(count))
      let bytes = random.bytes(count)
      try temporary.write(bytes, to: "\(count)")
      #expect(try File.open(temporary.path("\(count)")).readAll(limit: count) == bytes)
      guard count > 0 else { continue }
      let error = #expect(throws: SystemError.self) {
        try File.open(temporary.path("\(count)")).readAll(limit: count - 1)
      }
      #expect(error?.isTooLong == true)
    }
  }

  @Test func `a link is followed only where asked`() throws {
    let temporary = try TemporaryDirectory()
    try temporary.write([1], to: "a")
    #expect(unsafe symlink("a", temporary.path("link")) == 0)
    #expect(try File.open(temporary.path("link")).size() == 1)
    let error = #expect(throws: SystemError.self) {
      _ = try File.open(temporary.path("link"), symbolicLinks: .refuse)
    }
    #expect(error?.code == ELOOP)
  }

  @Test func `the lock is held by one open file at a time`() throws {
    let temporary = try TemporaryDirectory()
    let directory = try temporary.open()
    let other = try directory.openOrCreateFile("lock")
    do {
      let first = try directory.openOrCreateFile("lock")
      #expect(try first.tryLockExclusive())
      #expect(try !other.tryLockExclusive())
      #expect(try first.tryLockExclusive())
      first.unlock()
      #expect(try other.tryLockExclusive())
      other.unlock()
      #expect(try first.tryLockExclusive())
    }
    // A program being started by another test may have inherited the closed file.
    let deadline = SystemClock.monotonicSeconds + 120
    while try !other.tryLockExclusive() {
      try #require(SystemClock.monotonicSeconds < deadline, "the lock outlives its file")
      SystemClock.sleep(seconds: 0.001)
    }
  }

  @Test func `length, times and owner are told`() throws {
    let temporary = try TemporaryDirectory()
    let before = SystemClock.now / 1_000_000
    let file = try temporary.open().createFile("a")
    try file.truncate(to: 100)
    file.startWriteback(offset: 0, length: 100)
    try file.sync()
    #expect(try file.size() == 100)
    #expect(try file.status().owner == CurrentUser.identifier)
    #expect(try file.permissions() == 0o600)
    #expect(try abs(file.status().modificationTime.seconds - before) < 100)
    #expect(try file.status().isSameFile(as: temporary.open().status(of: "a")))
  }

  @Test func `a second descriptor leaves the first one open`() throws {
    let temporary = try TemporaryDirectory()
    try temporary.write([1, 2], to: "a")
    let descriptor = unsafe open(temporary.path("a"), O_RDONLY)
    defer { close(descriptor) }
    do { #expect(try File.duplicating(descriptor: descriptor).readAll(limit: 9) == [1, 2]) }
    #expect(fcntl(descriptor, F_GETFD) != -1)
    #expect(throws: SystemError(code: EBADF, call: "fcntl", path: "descriptor 9999")) {
      _ = try File.duplicating(descriptor: 9999)
    }
  }

  @Test func `a name with a zero byte is no name`() throws {
    #expect(throws: SystemError.self) { _ = try File.open("/dev/null\0.txt") }
  }

  @Test func `a limit on file sizes is an error like a full disk`() async {
    await #expect(processExitsWith: .success) {
      ProcessHardening.apply()
      let temporary = try TemporaryDirectory()
      let file = try temporary.open().createFile("a")
      var limit = rlimit(rlim_cur: 10, rlim_max: 10)
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      do {
        try file.pwriteAll([UInt8](repeating: 1, count: 20), at: 0)
        exit(1)
      } catch let error as SystemError {
        // The bytes that fit are written: the short write was continued, and the next one failed.
        guard try error.isNoSpace && file.size() == 10 else { exit(2) }
      }
    }
  }

  @Test func `a full device is told from other errors`() async {
    await #expect(processExitsWith: .success) {
      let full = unsafe open("/dev/full", O_WRONLY)
      _ = dup2(full, 1)
      do throws(SystemError) {
        try StandardStream.output.write("text")
        exit(1)
      } catch {
        guard error.isNoSpace, error.code == ENOSPC else { exit(2) }
      }
    }
  }
}
