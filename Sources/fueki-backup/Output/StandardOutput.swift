internal import FuekiSystem

/// Standard output, and what kept a command's results from reaching it.
///
/// All results pass here. A failed write ends no command, which may be about to publish an archive: it decides the exit
/// status instead.
enum StandardOutput {
  private enum Loss {
    /// The reader has closed the pipe.
    case brokenPipe
    case failed(reason: String)
  }

  private static let loss = Locked<Loss?>(nil)

  /// Whether results are missing for another reason than a closed pipe.
  static var hasFailed: Bool {
    if case .failed? = loss.withLock({ $0 }) { true } else { false }
  }

  /// Writes a part of the results.
  ///
  /// After a failure it writes nothing more, so that the output has no gap.
  static func write(_ text: String) {
    guard loss.withLock({ $0 == nil }) else { return }
    do throws(SystemError) {
      try StandardStream.output.write(text)
    } catch {
      record(error)
    }
  }

  /// Records results that could not be made into text.
  static func recordUnwritable(_ reason: String) {
    loss.withLock { $0 = $0 ?? .failed(reason: reason) }
  }

  /// Ends the output, and returns the status that the run ends with: its own, unless results are missing.
  static func end(_ status: ExitStatus) -> ExitStatus {
    // A remote file system may report only now that it kept nothing.
    do throws(SystemError) { try StandardStream.output.close() } catch { record(error) }
    switch loss.withLock({ $0 }) {
    case nil: return status
    case .brokenPipe: return .brokenPipe
    case .failed where Interruption.wasRequested: return .interrupted
    case .failed(let reason):
      let own =
        status == .done ? "the command itself is done" : "the command itself ended with \(status.words)"
      Failure(.failed, "\(reason). The output is not complete, and \(own)").print(
        isJSON: false)
      return .failed
    }
  }

  private static func record(_ error: SystemError) {
    loss.withLock { $0 = $0 ?? (error.isBrokenPipe ? .brokenPipe : .failed(reason: error.sentence)) }
  }
}

extension ExitStatus {
  /// The number and its name.
  fileprivate var words: String { "\(rawValue) (\(id))" }
}
