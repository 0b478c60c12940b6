internal import Dispatch
internal import FuekiSystem
internal import FuekiWallet
internal import Synchronization

/// Runs the `bark` program on a data directory, one run at a time, because its database allows one process.
struct BarkProgram: Sendable {
  /// The program's path; nil to search `PATH`.
  let path: String?
  /// The argument of `--datadir`.
  let directory: String
  /// The time limit of all runs together, in seconds.
  let deadline: Double

  /// The result of a run.
  struct Answer: Sendable {
    let value: ServerAnswer
    /// Whether it warned of a problem.
    ///
    /// With status 0 the numbers are then outdated.
    let hasWarned: Bool
  }

  /// The limit of output, above any personal wallet's history.
  private static let outputLimit = 64 << 20
  private static let name = "bark"

  /// Runs commands in sequence, without any other run in between.
  ///
  /// - Throws: ``SyncError/program(name:_:)`` for the first that fails, which discards all results.
  func run(_ commands: [[String]]) async throws(SyncError) -> [Answer] {
    let flag = CancellationFlag()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<[Answer], SyncError>, Never>) in
        // A separate thread: waiting for a program would block one of the few threads that tasks share.
        DispatchQueue(label: Self.name).async { continuation.resume(returning: runBlocking(commands, flag)) }
      }
    } onCancel: {
      flag.set()
    }
    return try outcome.get()
  }

  private func runBlocking(_ commands: [[String]], _ flag: CancellationFlag) -> Result<[Answer], SyncError> {
    let end = SystemClock.monotonicSeconds + deadline
    do throws(SyncError) {
      guard let path = path ?? ChildRun.find(Self.name) else { throw Self.failure(.notInstalled) }
      let lock = try opened()
      while (try? lock.tryLockExclusive()) != true {
        if flag.isSet { throw .cancelled }
        guard SystemClock.monotonicSeconds < end else { throw Self.failure(.busy) }
        SystemClock.sleep(seconds: 0.1)
      }
      defer { lock.unlock() }
      var answers: [Answer] = []
      for command in commands { answers.append(try answer(path, command, until: end, flag)) }
      return .success(answers)
    } catch {
      return .failure(error)
    }
  }

  private func opened() throws(SyncError) -> File {
    do throws(SystemError) {
      return try File.open(directory)
    } catch {
      throw Self.failure(.noDirectory)
    }
  }

  private func answer(
    _ path: String, _ command: [String], until end: Double, _ flag: CancellationFlag
  ) throws(SyncError) -> Answer {
    let left = max(0, end - SystemClock.monotonicSeconds)
    let run = ChildRun(
      executable: path, arguments: ["--datadir", directory] + command,
      environment: Environment.all(withoutPrefix: "FUEKI_"), patience: left)
    var output: [UInt8] = []
    let outcome: ChildRun.Outcome
    do {
      outcome = try run.run { bytes in
        for index in bytes.indices { output.append(bytes[index]) }
        guard output.count <= Self.outputLimit else { throw Stop.tooMuch }
      } idle: {
        if flag.isSet { throw Stop.cancelled }
        if SystemClock.monotonicSeconds > end { throw Stop.deadline }
      }
    } catch Stop.cancelled {
      throw .cancelled
    } catch Stop.tooMuch {
      throw Self.failure(.tooMuchOutput(limit: Self.outputLimit))
    } catch let error as SystemError where !error.isTimedOut {
      throw error.isInterrupted ? .cancelled : Self.failure(.notRunnable)
    } catch {
      throw Self.failure(.deadline(seconds: Int(deadline)))
    }
    guard outcome.ending == .exited(0) else {
      throw Self.failure(.failed(command: command.joined(separator: " ")))
    }
    do throws(JSONError) {
      let root = try JSONDocument(output, limit: output.count).root
      return Answer(
        value: ServerAnswer(root, of: "bark \(command[0])"), hasWarned: Self.isWarning(outcome.errors))
    } catch {
      throw .notJSON(error, of: "bark \(command[0])")
    }
  }

  /// Whether the standard error has more than progress messages.
  private static func isWarning(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["warn", "error", "fail"].contains(where: text.contains)
  }

  private enum Stop: Error {
    case cancelled
    case deadline
    case tooMuch
  }

  private static func failure(_ fault: ProgramFault) -> SyncError { .program(name: name, fault) }
}

/// Whether a running program should be stopped.
private final class CancellationFlag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}
