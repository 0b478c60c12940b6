internal import Dispatch
internal import FuekiSystem
internal import FuekiWallet
internal import Synchronization

/// The `bark` program on one data directory: one run at a time, for bark's database has room for one process.
struct BarkProgram: Sendable {
  /// Where the program is; nil for the one that `PATH` has.
  let path: String?
  /// The directory that its `--datadir` names.
  let directory: String
  /// How many seconds all runs together may take.
  let deadline: Double

  /// What a run gave.
  struct Answer: Sendable {
    let value: ServerAnswer
    /// Whether it said that something went wrong all the same: with status 0 the numbers are old ones.
    let hasWarned: Bool
  }

  /// More than any history that a person's wallet has.
  private static let outputLimit = 64 << 20
  private static let name = "bark"

  /// Runs one command after the other, while nobody else does.
  ///
  /// - Parameter commands: the arguments of each, behind those that name the directory.
  /// - Returns: What each printed.
  /// - Throws: ``SyncError/program(name:_:)`` for the first that fails, and then no answer counts.
  func run(_ commands: [[String]]) async throws(SyncError) -> [Answer] {
    let flag = CancellationFlag()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<[Answer], SyncError>, Never>) in
        // A thread of its own: waiting for a program would keep one of the few that tasks share.
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

  /// Whether what was said beside the answer is more than progress.
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

/// Whether a program that is waited for should end.
private final class CancellationFlag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}
