import CommandSupport
import TestSupport

/// A system call of a run that fails, or at which the run is killed.
struct LifeFault: Equatable {
  let call: String
  /// The fault as strace injects it.
  let effect: String
  /// The number of the call, from 1.
  let when: Int

  var isKill: Bool { effect == Self.kill }

  private static let kill = "signal=KILL"
  private static let calls = ["pwrite64", "fsync", "renameat2", "renameat", "unlinkat"]
  /// A full disk, a failing disk, and a disk that became read-only.
  private static let errors = [("pwrite64", "ENOSPC"), ("fsync", "EIO"), ("renameat2", "EROFS")]

  static func any(_ random: inout TestSupport.RandomSource, before limit: Int = 12) -> LifeFault {
    let when = Int.random(in: 1..<limit, using: &random)
    guard Int.random(in: 0..<3, using: &random) > 0 else {
      let (call, error) = errors[Int.random(in: 0..<errors.count, using: &random)]
      return LifeFault(call: call, effect: "error=\(error)", when: when)
    }
    return LifeFault(
      call: calls[Int.random(in: 0..<calls.count, using: &random)], effect: kill, when: when)
  }

  /// The command that starts a program with this fault; an error stays from then on.
  var through: [String] {
    [
      Strace.program, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
      "inject=\(call):\(effect):when=\(when)\(isKill ? "" : "+")",
    ]
  }
}
