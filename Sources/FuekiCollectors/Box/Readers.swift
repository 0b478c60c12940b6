internal import FuekiBackup
public import FuekiSystem
internal import FuekiWallet

/// How this program reads a stranger's files in processes of its own.
public struct Readers: Sendable {
  let executable: String
  private let stock: ReaderStock?
  let copier: DatabaseCopier?
  let isReady: @Sendable (ReaderBox) -> Void
  let isStalled: @Sendable (_ path: String, _ seconds: Double) -> Void

  /// - Parameters:
  ///   - executable: the program that is a reader when its name is ``SourceReader/name``.
  ///   - copier: copies databases; nil if none are copied.
  ///   - isReady: receives the restrictions of each reader's box.
  ///   - isStalled: receives the path of a file that does not answer a reader.
  public init(
    executable: String = CurrentProcess.executable, copier: DatabaseCopier? = nil,
    isReady: @escaping @Sendable (ReaderBox) -> Void,
    isStalled: @escaping @Sendable (_ path: String, _ seconds: Double) -> Void
  ) {
    (self.executable, self.isReady, self.isStalled) = (executable, isReady, isStalled)
    self.copier = copier
    stock = nil
  }

  /// Forks the process that starts the readers, for which this one must have no other thread and no secret yet.
  ///
  /// - Parameters:
  ///   - deadline: how many seconds a file system may take to answer.
  ///   - copier: copies databases.
  ///   - sentence: returns an error's words.
  ///   - isReady: receives the walls of each reader's box.
  ///   - isStalled: receives a file that stalls a reader.
  public init(
    forkingNow deadline: Double, copier: DatabaseCopier, sentence: (any Error) -> String,
    isReady: @escaping @Sendable (ReaderBox) -> Void,
    isStalled: @escaping @Sendable (_ path: String, _ seconds: Double) -> Void
  ) {
    (executable, self.isReady, self.isStalled) = (CurrentProcess.executable, isReady, isStalled)
    // If it cannot be forked, each reader is the program started again.
    stock = try? ReaderStock { socket in SourceReader.run(over: socket, deadline, copier, sentence) }
    self.copier = copier
  }

  func start() throws(SystemError) -> ReaderChild {
    if let stock { return try ReaderChild(from: stock) }
    return try ReaderChild(executable: executable, name: SourceReader.name)
  }
}
