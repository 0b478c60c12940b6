public import FuekiSystem
internal import GRDB

/// Another program's SQLite database as it is at one moment, while that program goes on writing.
///
/// The bytes of the file alone are not that: pages change under the copy, and what was written last may be in a file
/// beside it. While SQLite reads, it keeps writers from the file, and then the bytes are the database; where the newest
/// pages are in a log, its backup interface reads them as a transaction does.
public enum DatabaseCopy {
  /// How long a program may hold the database before this is given up.
  private static let patience = 10.0
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Whether a file that begins so is a database.
  public static func isDatabase(_ beginning: Span<UInt8>) -> Bool {
    beginning.count >= magic.count && magic.indices.allSatisfy { beginning[$0] == magic[$0] }
  }

  /// Copies a database.
  ///
  /// - Parameters:
  ///   - path: the database's file.
  ///   - folder: a folder of this person's alone, where the copy has a name until it is done.
  /// - Returns: the copy, open for reading; it has no name any more, and is gone when it is closed. Its bytes are the
  ///   file's, but for a database whose newest pages lie in a file beside it.
  /// - Throws: ``DatabaseCopyError``.
  public static func take(of path: String, in folder: String) throws(DatabaseCopyError) -> File {
    let name = ".fueki-copy-\(UInt64.random(in: .min ... .max))"
    do {
      let directory = try Directory.open(folder)
      // Made here, so that it is this person's alone from the first byte on.
      _ = try directory.createFile(name)
      defer {
        for ending in [""] + DatabaseBytes.logs + ["-shm"] { try? directory.remove("\(name)\(ending)") }
      }
      // The logs are next to the real file, not next to a link to it.
      let bytes = DatabaseBytes(path: CurrentProcess.absolutePath(of: path), name: name, folder: folder)
      if try bytes.areAtRest(), try bytes.copyAtRest(in: directory) { return try directory.openFile(name) }
      do {
        try copy(bytes, in: directory)
      } catch let error as DatabaseError
        where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
      {
        // Its program was cut off, and only who may write can end what it began: that is done in the copy.
        guard try bytes.copyWithLogs(in: directory) else { throw DatabaseCopyError.busy(path: path) }
        try end(bytes)
      }
      return try directory.openFile(name)
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

  /// Copies what SQLite reads: the file's bytes where all is in them.
  private static func copy(_ bytes: DatabaseBytes, in directory: borrowing Directory) throws {
    // Open before SQLite locks the file, and until it let go of it: whoever closes a file gives up all locks that the
    // process has on it.
    let file = try File.openRegular(bytes.path)
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(patience)
    let source = try DatabaseQueue(path: bytes.path, configuration: configuration)
    let isCopied = try source.read { database in
      // From here to the end of the transaction, nobody writes to the file.
      _ = try Int.fetchOne(database, sql: "PRAGMA schema_version")
      return try bytes.copyHeld(file, in: directory)
    }
    if !isCopied {
      try directory.openFileForWriting(bytes.name).truncate(to: 0)
      let destination = try scratch(bytes)
      try source.backup(to: destination)
      try destination.close()
    }
    try source.close()
  }

  /// Has SQLite take back what was not ended, or carry over what was, in the copy.
  private static func end(_ bytes: DatabaseBytes) throws {
    let copy = try DatabaseQueue(path: bytes.copy)
    _ = try copy.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
    try copy.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try copy.close()
  }

  private static func scratch(_ bytes: DatabaseBytes) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    // A copy that is not finished is thrown away, so it needs no journal.
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    return try DatabaseQueue(path: bytes.copy, configuration: configuration)
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
  /// Its program holds it for itself.
  case busy(path: String)
  /// It is no database, or its pages contradict one another.
  case damaged(path: String)
  /// SQLite refused, with its extended result code.
  case refused(code: Int32, path: String)
  /// The system refused a file operation.
  case system(SystemError)
}
