internal import CProcess
internal import Glibc

/// Attempts of operations that a sandbox must deny, made on a worker thread as for parsing files.
public enum SandboxTrial {
  /// An attempted operation.
  public enum Attempt: String, CaseIterable, Sendable {
    case read
    case create
    case connect
    case execute
  }

  /// The result of an attempt.
  public struct Finding: Sendable {
    /// The attempted operation.
    public let attempt: Attempt
    /// The path or address of the attempt.
    public let subject: String
    /// Whether the system denied it.
    public let isRefused: Bool
  }

  /// Makes each attempt once, leaving nothing behind.
  ///
  /// - Parameter home: The user's home directory.
  /// - Returns: The result of each attempt.
  /// - Throws: An error, other than a denial, that prevents an attempt.
  public static func run(home: String) throws -> [Finding] {
    let workers = OrderedWorkers<[Finding]>(width: 1, window: 1)
    workers.submit { try Attempt.allCases.map { try finding($0, home) } }
    return try workers.next() ?? []
  }

  private static func finding(_ attempt: Attempt, _ home: String) throws(SystemError) -> Finding {
    switch attempt {
    case .read:
      let key = "\(home)/.ssh/id_ed25519"
      do {
        return Finding(
          attempt: attempt, subject: key,
          isRefused: try isRefused { () throws(SystemError) in _ = try File.open(key) })
      } catch  where error.isNotFound {
        return Finding(
          attempt: attempt, subject: home,
          isRefused: try isRefused { () throws(SystemError) in _ = try Directory.open(home) })
      }
    case .create:
      let path = "\(home)/.fueki-trial-\(UInt64.random(in: .min ... .max))"
      let name = try CPath(path)
      let refused = try isRefused { () throws(SystemError) in
        let file = try systemCall("open", path) {
          unsafe name.withPointer { unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        }
        _ = close(file)
        _ = unsafe name.withPointer { unsafe unlink($0) }
      }
      return Finding(attempt: attempt, subject: home, isRefused: refused)
    case .connect:
      let code = fueki_try_connecting()
      // A refusal for lack of a listener means that the system permitted the connection.
      return Finding(attempt: attempt, subject: "127.0.0.1", isRefused: code == EACCES || code == EPERM)
    case .execute:
      let program = "/bin/true"
      let refused = try isRefused { () throws(SystemError) in
        let child = ChildCommand(executable: program, arguments: [program], environment: [])
        _ = try ChildEnding.wait(for: try child.start())
      }
      return Finding(attempt: attempt, subject: program, isRefused: refused)
    }
  }

  private static func isRefused(_ body: () throws(SystemError) -> Void) throws(SystemError) -> Bool {
    do {
      try body()
      return false
    } catch  where error.code == EACCES || error.code == EPERM {
      return true
    }
  }
}
