import FuekiSystem
package import TestSupport
import Testing

/// A system call of a run at which something goes wrong.
package struct FaultPoint: Sendable, CustomTestStringConvertible {
  package let call: String
  /// Which of the main thread's calls of this name it is, from 1.
  package let when: Int
  /// The call as strace shows it.
  package let line: String

  package var testDescription: String { "\(call) \(when): \(line.prefix(120))" }

  /// Whether it changes visible or remembered state, so that each sample has some of its kind.
  package var isDecisive: Bool { call.hasPrefix("rename") || call == "fsync" }

  /// Starts a program with a fault at this point.
  package func inject(_ fault: String) -> [String] {
    [
      Strace.program, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
      "inject=\(call):\(fault):when=\(when)",
    ]
  }
}

/// strace as a source of faults.
package enum Strace {
  package static let program = "/usr/bin/strace"
  package static let isPermitted =
    (try? BuiltBinary.run(program: program, ["-f", "-qq", "-o", "/dev/null", "/bin/true"]).status) == 0
  package static let reason = "strace is not there, or not permitted to trace"

  private static let calls = [
    "write", "pwrite64", "fsync", "rename", "renameat", "renameat2", "openat", "unlinkat", "mkdirat",
    "ftruncate",
  ]

  /// The calls of a run's main thread, in order, that name something in one of these places.
  ///
  /// SQLite's lists of pages in shared memory are left out: no other run reads them.
  package static func points(
    _ machine: Machine, places: [String], calls: [String] = calls, status: Int32 = 0,
    _ run: (_ through: [String]) throws -> RunResult
  ) throws -> [FaultPoint] {
    let trace = machine.path("trace")
    let result = try run([program, "-f", "-y", "-o", trace, "-e", "trace=\(calls.joined(separator: ","))"])
    guard result.status == status else { throw PreparedMachine.Failed(run: result) }
    var counts: [String: Int] = [:]
    var points: [FaultPoint] = []
    let lines = String(decoding: try machine.read("trace"), as: UTF8.self).split(separator: "\n")
    let main = lines.first?.prefix { $0 != " " }
    for line in lines where line.prefix(while: { $0 != " " }) == main {
      let text = line.drop { $0 != " " }.drop { $0 == " " }
      let call = String(text.prefix { $0 != "(" })
      guard calls.contains(call) else { continue }
      counts[call, default: 0] += 1
      guard places.contains(where: text.contains), !text.contains("wallet.sqlite-shm") else { continue }
      points.append(FaultPoint(call: call, when: counts[call, default: 0], line: String(text)))
    }
    return points
  }

  /// Returns all points with FUEKI_FULL=1; else some decisive ones and some others, chosen by ``TestSeed``.
  package static func sample(_ points: [FaultPoint], decisive: Int, others: Int) -> [FaultPoint] {
    TestSeed.sample(points.filter(\.isDecisive), of: decisive)
      + TestSeed.sample(points.filter { !$0.isDecisive }, of: others)
  }
}
