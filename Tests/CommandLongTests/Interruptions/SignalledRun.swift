import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A run of the program that receives a signal during a long step.
///
/// The time to its end is measured in processor time, which does not depend on the machine's load.
struct SignalledRun {
  /// How it ended; nil if it was still there at the deadline, and was killed.
  let ending: ChildEnding?
  /// The processor time of the program and of the children that it waited for, in seconds after the signal.
  let secondsAfter: Double
  let text: String
  let errors: String

  /// More than the program may take by far: only a wait without an end takes longer.
  fileprivate static let deadline = 60.0

  /// Starts the program, waits for a stage, and sends one signal.
  init(
    _ arguments: [String], on machine: Machine, environment: [String: String] = [:], signal: Int32 = SIGTERM,
    at stage: Stage
  ) throws {
    let own = [
      "HOME": machine.path("home"), "FUEKI_STATE": machine.state, "FUEKI_DATADIR": machine.data,
      "TMPDIR": machine.path("tmp"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "SWIFT_BACKTRACE": "enable=no",
    ].merging(environment) { $1 }
    let scratch = try TemporaryDirectory()
    let folder = try scratch.open()
    let input = try File.open("/dev/null")
    let output = try folder.createFile("output")
    let errors = try folder.createFile("errors")
    let program = try PreparedMachine.binary()
    var command = ChildCommand(
      executable: program, arguments: [program] + arguments,
      environment: own.map { Array("\($0)=\($1)".utf8) },
      directory: machine.root)
    command.streams = (input.descriptor, output.descriptor, errors.descriptor)
    let process = try command.start()
    var usage = rusage()
    var status: Int32 = 0
    var isReached = false
    let latest = SystemClock.monotonicSeconds + Self.deadline
    while !isReached, SystemClock.monotonicSeconds < latest,
      unsafe wait4(process, &status, WNOHANG, &usage) == 0
    {
      isReached = try stage.isReached(process, machine)
      if !isReached { SystemClock.sleep(seconds: 0.005) }
    }
    func said(_ file: borrowing File) throws -> String {
      String(decoding: try file.readExactly(Int(file.size()), at: 0), as: UTF8.self)
    }
    guard isReached else {
      kill(process, SIGKILL)
      throw NotReached(said: try said(errors))
    }
    let before = try ProcessFigures.secondsUsed(process)
    kill(process, signal)
    let end = SystemClock.monotonicSeconds + Self.deadline
    var ended = unsafe wait4(process, &status, WNOHANG, &usage)
    while ended == 0, SystemClock.monotonicSeconds < end {
      SystemClock.sleep(seconds: 0.005)
      ended = unsafe wait4(process, &status, WNOHANG, &usage)
    }
    if ended == 0 {
      kill(process, SIGKILL)
      _ = unsafe wait4(process, &status, 0, &usage)
    }
    let (low, high) = (status & 0x7F, (status >> 8) & 0xFF)
    ending = ended == 0 ? nil : low == 0 ? .exited(high) : .killed(signal: low)
    secondsAfter = ProcessFigures.seconds(usage) - before
    (text, self.errors) = (try said(output), try said(errors))
  }

  /// The program never was where the signal was to meet it.
  struct NotReached: Error {
    let said: String
  }

  /// Where a run is when the signal comes.
  enum Stage: Sendable {
    /// Filling the memory of a key derivation.
    case deriving(mebibytes: Int)
    /// A program or server has written this file.
    case wrote(String)
    /// It has opened this named pipe, and waits for what is written to it.
    case opened(String)
    /// It has connected to this server, which never answers.
    case connected(SilentServer)

    func isReached(_ process: Int32, _ machine: Machine) throws -> Bool {
      switch self {
      case .deriving(let mebibytes): return try ProcessFigures.mebibytesHeld(process) > mebibytes * 3 / 4
      case .wrote(let name): return try machine.exists(name) && !machine.read(name).isEmpty
      case .opened(let name):
        // A pipe without a reader cannot be opened for writing.
        let pipe = unsafe open(machine.path(name), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        // It stays open until the test ends, so that the program waits on.
        return pipe >= 0
      case .connected(let server): return server.hasConnection
      }
    }
  }
}

/// A server on the loopback device that takes connections and never answers.
final class SilentServer: Sendable {
  let port: UInt16
  private let socket: Int32

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = self.socket
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(socket, pointer, length) == 0 && listen(socket, 8) == 0
          && getsockname(socket, pointer, &length) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(socket) }

  /// Whether a client is connected, which waits from then on.
  var hasConnection: Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) == 1
  }
}

/// The kernel's public figures of a process.
enum ProcessFigures {
  /// Processor time that it, and the children that it waited for, have used.
  static func secondsUsed(_ process: Int32) throws -> Double {
    let text = String(decoding: try File.open("/proc/\(process)/stat").readAll(limit: 4096), as: UTF8.self)
    // The name, in parentheses, may have spaces.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.dropFirst(11).prefix(4).compactMap { Double($0) }.reduce(0, +)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  static func seconds(_ usage: rusage) -> Double {
    [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(0, +)
  }

  /// How much memory it has.
  static func mebibytesHeld(_ process: Int32) throws -> Int {
    let text = String(decoding: try File.open("/proc/\(process)/statm").readAll(limit: 4096), as: UTF8.self)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (pages * Int(getpagesize())) >> 20
  }

  /// Whether a process is gone, or is within the time that the kernel of a busy machine may take to end a killed one.
  static func ends(_ process: Int32) -> Bool {
    let deadline = SystemClock.monotonicSeconds + SignalledRun.deadline
    while isAlive(process) {
      guard SystemClock.monotonicSeconds < deadline else { return false }
      SystemClock.sleep(seconds: 0.005)
    }
    return true
  }

  /// Whether a process runs, or could.
  private static func isAlive(_ process: Int32) -> Bool {
    guard let stat = try? File.open("/proc/\(process)/stat").readAll(limit: 4096) else { return false }
    let state = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
    return state != "Z" && state != "X"
  }
}
