internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// Whole copies of wallets that their programs may be writing.
enum WalletCopies {
  /// Copies a database through SQLite, for a process of its own.
  static let copier = DatabaseCopier(
    write: { (path, name, folder) throws(FileCopyingError) in
      try refusing { try DatabaseCopy.write(of: path, as: name, in: folder) }
    },
    readPaths: DatabaseCopy.readPaths(of:), indexPath: DatabaseCopy.indexPath(of:),
    byteLimit: { (path) throws(SystemError) in try DatabaseCopy.byteLimit(of: path) })

  /// Copies a node's wallet through the node, and a database through SQLite; other files are read as they are.
  ///
  /// - Parameter readers: the processes that copy databases; nil to copy them in this process.
  /// - Returns: the copier.
  static func copying(_ readers: Readers?) -> FileCopying {
    FileCopying { (path, beginning) throws(FileCopyingError) in
      try refusing { try copy(of: path, beginning, readers) }
    }
  }

  private static func copy(
    of path: String, _ beginning: [UInt8], _ readers: Readers?
  ) throws -> CopiedFile? {
    if let copy = try nodeCopy(path) { return copy }
    guard DatabaseCopy.isDatabase(beginning.span) else { return nil }
    if let copy = try readers?.copy(of: path, in: folder()) { return copy }
    return try CopiedFile(DatabaseCopy.take(of: path, in: folder()))
  }

  /// Returns a running node's copy of its wallet; nil if no node has it.
  private static func nodeCopy(_ path: String) throws -> CopiedFile? {
    if let attendant = RestoreSandbox.current?.attendant { return try attendant.nodeCopy(of: path) }
    guard let file = try nodeFile(path) else { return nil }
    return try CopiedFile(file)
  }

  /// Runs work whose failures belong in the report.
  private static func refusing<Answer: ~Copyable>(_ body: () throws -> Answer) throws(FileCopyingError)
    -> Answer
  {
    do {
      return try body()
    } catch let error as FileCopyingError {
      throw error
    } catch let error as DatabaseCopyError {
      if case .damaged = error { throw .damaged }
      throw .refused(reason: error.sentence)
    } catch let error as SystemError {
      throw .refused(reason: error.sentence)
    } catch {
      throw .refused(
        reason: "its node runs and does not copy it: \(Failure(describing: error).message)")
    }
  }

  /// Returns a running node's copy of its wallet, which has no name any more; nil if no node has it.
  ///
  /// - Throws: ``FileCopyingError``.
  static func nodeFile(_ path: String) throws(FileCopyingError) -> File? {
    try refusing {
      guard let wallet = NodeWallet(file: path) else { return nil }
      let folder = try folder()
      let name = ".fueki-wallet-\(UInt64.random(in: .min ... .max))"
      let directory = try Directory.open(folder)
      defer { try? directory.remove(name) }
      guard try AsyncWork.run({ try await wallet.copy(to: "\(folder)/\(name)") }) else { return nil }
      return try directory.openFile(name)
    }
  }

  /// Returns the folder for unfinished copies: this machine's state, which only its user can access.
  static func folder() throws -> String {
    let path = try AbsolutePath.of(Places.state().path)
    try Directory.makePrivateDirectories(path)
    return path
  }
}
