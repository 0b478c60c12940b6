import TestSupport

/// A fault at a system call.
enum Fault: String, CaseIterable, Sendable {
  case kill = "signal=KILL"
  case inputOutput = "error=EIO"
  case noSpace = "error=ENOSPC"
  case quota = "error=EDQUOT"
  case readOnly = "error=EROFS"
  case interrupted = "error=EINTR"
  /// A write that writes no bytes, and reports that.
  case short = "retval=0"
  /// A write that says that it took a byte, and took none.
  case lost = "retval=1"
}

/// A system call that a run makes, and at which a fault can be put.
struct CountedCall: Sendable {
  let name: String
  /// Which of the main thread's calls of this name it is, from 1.
  let number: Int
  /// The subject of the call: its text without the parts that differ from run to run.
  let shape: String
  /// Whether its file is in the target, the state or among restored files.
  let isKept: Bool
  /// Whether its file is in the home's folder of restored files.
  var isPlaced = false

  var isWrite: Bool { name.contains("write") }
  /// Whether it changes visible or remembered state, so that each sample has some of its kind.
  var isDecisive: Bool { name.hasPrefix("rename") || name.hasPrefix("unlink") || name == "fsync" }

  /// The faults to inject at it.
  var faults: [Fault] {
    Fault.allCases.filter { fault in
      switch fault {
      case .short: isWrite
      // SQLite does not read its data back, so it makes no promise for a device that loses it.
      case .lost: isWrite && isKept
      case .kill, .inputOutput, .noSpace, .quota, .readOnly, .interrupted: true
      }
    }
  }
}

/// The calls of a run that touch something of the machine's, or its output.
///
/// Only the main thread is counted, and only it is traced when a fault is put: all that is done to the target, the
/// state and the data is done there, which ``others(in:root:)`` makes sure of. The loader's calls and those that read
/// the system's own files are left out.
enum CallCount {
  static let names = [
    "close", "copy_file_range", "fallocate", "fchmod", "fdatasync", "fsync", "ftruncate", "link", "linkat",
    "mkdir", "mkdirat", "open", "openat", "pwrite64", "pwritev", "pwritev2", "rename", "renameat",
    "renameat2",
    "rmdir", "sync_file_range", "symlinkat", "truncate", "unlink", "unlinkat", "write", "writev",
  ]
  /// The names for strace, which skips those that this processor's kernel lacks.
  static let expression = "trace=" + names.map { "?\($0)" }.joined(separator: ",")

  /// The calls of one thread's trace.
  static func calls(in trace: [UInt8], root: String) -> [CountedCall] {
    var counts: [String: Int] = [:]
    return lines(trace).compactMap { line in
      let name = String(line.prefix { $0 != "(" })
      guard names.contains(name) else { return nil }
      counts[name, default: 0] += 1
      guard isOwn(line, root) else { return nil }
      let shape = Self.shape(of: line, name, root)
      return CountedCall(
        name: name, number: counts[name, default: 0], shape: shape,
        isKept: isKept(line, root), isPlaced: line.contains("\(root)/\(CrashScenario.placingFolder)"))
    }
  }

  /// Returns the calls of other threads and children, which get no faults: only reads are allowed among them.
  ///
  /// strace splits a call into two lines if another thread's call comes between. The first line has all arguments. The
  /// second, `<... openat resumed>) = 7</path>`, has only the result, and not the way that it was opened.
  static func others(in trace: [UInt8], root: String) -> [String] {
    let lines = lines(trace)
    let main = lines.first?.prefix { $0 != " " }
    return lines.filter { line in
      let call = line.drop { $0 != " " }.drop { $0 == " " }
      guard line.prefix(while: { $0 != " " }) != main, isOwn(call, root) else { return false }
      return !call.hasPrefix("<... ") && !call.hasPrefix("close(") && !call.contains(", O_RDONLY")
    }.map(String.init)
  }

  /// Whether the call of this number in a trace was made to the same thing, and met the fault.
  static func isHit(_ call: CountedCall, by fault: Fault, in trace: [UInt8], root: String) -> Bool {
    let lines = lines(trace)
    let same = lines.filter { $0.hasPrefix("\(call.name)(") }
    guard same.count >= call.number else { return false }
    let line = same[call.number - 1]
    guard shape(of: line, call.name, root) == call.shape else { return false }
    return fault == .kill ? same.count == call.number : line.contains("(INJECTED)")
  }

  private static func lines(_ trace: [UInt8]) -> [Substring] {
    String(decoding: trace, as: UTF8.self).split(separator: "\n")
  }

  // Not by the shape, from which letters that a number could have are left out.
  private static func isKept(_ line: Substring, _ root: String) -> Bool {
    ["target", "state", CrashScenario.placingFolder].contains { line.contains("\(root)/\($0)/") }
  }

  private static func isOwn(_ line: Substring, _ root: String) -> Bool {
    line.hasPrefix("write(1<") || line.hasPrefix("write(2<") || line.contains("\(root)/")
      || line.contains("\(root)>, \"") && !line.contains(">, \"/")
  }

  /// Returns the call up to its result or, for calls with data, only its subject.
  ///
  /// Random names and numbers are hex, and are left out.
  private static func shape(of line: Substring, _ name: String, _ root: String) -> String {
    let isByDescriptor = !["link", "mkdir", "open", "rename", "rmdir", "symlink", "truncate", "unlink"]
      .contains { name.hasPrefix($0) }
    let end =
      isByDescriptor ? line.firstIndex(of: ">") : line.firstRange(of: ") = ")?.lowerBound
    let text = line[..<(end ?? line.endIndex)].replacing(root, with: "@")
    return name + text.dropFirst(name.count).filter { !$0.isHexDigit }
  }
}
