public import FuekiSystem
internal import GRDB

/// Copies another program's SQLite database at one moment, while that program continues to write.
///
/// The file's bytes alone are not enough: pages change during the copy, and the newest may be in a log. While
/// SQLite reads, it keeps writers from the file, whose bytes are then the database. If the newest pages are
/// in a log, SQLite's backup interface reads them in a transaction.
public enum DatabaseCopy {
  /// The time limit for a program to release the database, in seconds.
  public static let patience = 10.0
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Whether a file's first bytes are those of a database.
  public static func isDatabase(_ beginning: Span<UInt8>) -> Bool {
    beginning.count >= magic.count && magic.indices.allSatisfy { beginning[$0] == magic[$0] }
  }

  /// Copies a database.
  ///
  /// - Parameters:
  ///   - path: the database's file.
  ///   - folder: a directory private to this user, where the copy temporarily has a name.
  ///   - patience: the time limit for a program to release the database, in seconds.
  /// - Returns: the copy, open for reading and already unlinked. Its bytes equal the file's unless the newest
  ///   pages are in a log.
  /// - Throws: ``DatabaseCopyError``.
  public static func take(
    of path: String, in folder: String, patience: Double = patience
  ) throws(DatabaseCopyError) -> File {
    let name = ".fueki-copy-\(UInt64.random(in: .min ... .max))"
    defer {
      for ending in [""] + DatabaseBytes.logs + ["-shm"] {
        try? Directory.open(folder).remove("\(name)\(ending)")
      }
    }
    try write(of: path, as: name, in: folder, patience: patience)
    do {
      return try Directory.open(folder).openFile(name)
    } catch {
      throw .system(error)
    }
  }

  /// Writes a copy, which the caller removes together with other files whose names start with the copy's.
  ///
  /// - Parameters:
  ///   - path: the database's file.
  ///   - name: the copy's name, which does not exist yet.
  ///   - folder: a directory private to this user.
  ///   - patience: the time limit for a program to release the database, in seconds.
  /// - Throws: ``DatabaseCopyError``.
  public static func write(
    of path: String, as name: String, in folder: String, patience: Double = patience
  ) throws(DatabaseCopyError) {
    do {
      let directory = try Directory.open(folder)
      // Created here so that it is private from the first byte.
      _ = try directory.createFile(name)
      // The logs are next to the real file, not next to a link to it.
      let bytes = DatabaseBytes(path: CurrentProcess.absolutePath(of: path), name: name, folder: folder)
      if try bytes.areAtRest(), try bytes.copyAtRest(in: directory) { return }
      guard try bytes.indexIsAlone(), try !bytes.logsHaveHoles() else {
        throw DatabaseCopyError.damaged(path: path)
      }
      do {
        try copy(bytes, in: directory, patience: patience)
      } catch let error as DatabaseError
        where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
      {
        // The program was interrupted, and recovery needs write access: perform it on the copy.
        guard try bytes.copyWithLogs(in: directory) else { throw DatabaseCopyError.busy(path: path) }
        guard try !bytes.journalNamesFile(in: directory) else { throw DatabaseCopyError.damaged(path: path) }
        try end(bytes, in: directory)
      }
    } catch let error as DatabaseCopyError {
      throw error
    } catch let error as DatabaseError {
      throw failure(error, path)
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .refused(code: 1, path: path)
    }
  }

  /// The paths that a copy reads.
  public static func readPaths(of path: String) -> [String] {
    let real = CurrentProcess.absolutePath(of: path)
    return ([""] + DatabaseBytes.logs).map { "\(real)\($0)" }
  }

  /// The file next to a database in which readers and writers of its log register.
  public static func indexPath(of path: String) -> String { "\(CurrentProcess.absolutePath(of: path))-shm" }

  /// The most bytes that a copy of a database may have.
  public static func byteLimit(of path: String) throws(SystemError) -> UInt64 {
    try DatabaseBytes(path: CurrentProcess.absolutePath(of: path), name: "", folder: "").copyLimit()
  }

  /// Copies the content that SQLite reads: the file's bytes if they are complete.
  private static func copy(
    _ bytes: DatabaseBytes, in directory: borrowing Directory, patience: Double
  ) throws {
    // Opened before SQLite locks the file and closed after it releases it, because closing any descriptor of
    // a file drops all locks of the process on it.
    let file = try File.openRegular(bytes.path)
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(patience)
    let source = try DatabaseQueue(at: bytes.path, configuration: configuration)
    let isCopied = try source.read { database in
      // From here to the end of the transaction, other programs cannot write to the file.
      _ = try Int.fetchOne(database, sql: "PRAGMA schema_version")
      if try bytes.copyHeld(file, in: directory) { return true }
      try checkSize(database, bytes)
      return false
    }
    if !isCopied {
      try directory.openFileForWriting(bytes.name).truncate(to: 0)
      let destination = try scratch(bytes)
      try source.backup(to: destination)
      try destination.close()
    }
    try source.close()
  }

  /// Lets SQLite roll back or replay logs in the copy.
  private static func end(_ bytes: DatabaseBytes, in directory: borrowing Directory) throws {
    do {
      let copy = try DatabaseQueue(at: bytes.copy)
      _ = try copy.read { database in
        _ = try Int.fetchOne(database, sql: "PRAGMA schema_version")
        try checkSize(database, bytes)
      }
      try copy.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try copy.close()
    } catch let error as DatabaseError where error.resultCode != .SQLITE_FULL {
      // No other program has the copy open: the logs do not fit the database.
      throw DatabaseCopyError.damaged(path: bytes.path)
    }
    guard try directory.openFile(bytes.name).size() <= bytes.copyLimit() else {
      throw DatabaseCopyError.damaged(path: bytes.path)
    }
  }

  /// Refuses a database that states more pages than its files can have.
  private static func checkSize(_ database: Database, _ bytes: DatabaseBytes) throws {
    let count = try UInt64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let size = try UInt64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let (product, isTooMany) = count.multipliedReportingOverflow(by: size)
    guard !isTooMany, product <= (try bytes.copyLimit()) else {
      throw DatabaseCopyError.damaged(path: bytes.path)
    }
  }

  private static func scratch(_ bytes: DatabaseBytes) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    // An unfinished copy is discarded, so it needs no journal.
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    return try DatabaseQueue(at: bytes.copy, configuration: configuration)
  }

  private static func failure(_ error: DatabaseError, _ path: String) -> DatabaseCopyError {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged(path: path)
    default: .refused(code: error.extendedResultCode.rawValue, path: path)
    }
  }
}

/// Why a database could not be copied.
public enum DatabaseCopyError: Error, Equatable, Sendable {
  /// Its program holds an exclusive lock.
  case busy(path: String)
  /// It is not a database, or its pages are inconsistent.
  case damaged(path: String)
  /// SQLite refused, with its extended result code.
  case refused(code: Int32, path: String)
  /// The system refused a file operation.
  case system(SystemError)
}
