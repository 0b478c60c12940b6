public import FuekiSystem
internal import GRDB

/// Another program's SQLite database as it is at one moment, while that program goes on writing.
///
/// The bytes of the file are not that: pages change under the copy, and what was written last may be in a file beside
/// it. SQLite's backup interface reads the database as a transaction does.
public enum DatabaseCopy {
  /// How long a program may hold the database before this is given up.
  private static let patience = 10.0
  private static let magic = Array("SQLite format 3\0".utf8)
  /// The bytes of the header that say whether changes go to a write-ahead log first.
  private static let formats = 18...19

  /// Whether a file that begins so is a database.
  public static func isDatabase(_ beginning: Span<UInt8>) -> Bool {
    beginning.count >= magic.count && magic.indices.allSatisfy { beginning[$0] == magic[$0] }
  }

  /// Copies a database.
  ///
  /// - Parameters:
  ///   - path: the database's file.
  ///   - folder: a folder of this person's alone, where the copy has a name until it is done.
  /// - Returns: the copy, open for reading; it has no name any more, and is gone when it is closed.
  /// - Throws: ``DatabaseCopyError``.
  public static func take(of path: String, in folder: String) throws(DatabaseCopyError) -> File {
    let name = ".fueki-copy-\(UInt64.random(in: .min ... .max))"
    do {
      let directory = try Directory.open(folder)
      // Made here, so that it is this person's alone from the first byte on.
      _ = try directory.createFile(name)
      defer { try? directory.remove(name) }
      if try isAtRest(path), try copyAtRest(path, name, directory) { return try directory.openFile(name) }
      try backUp(path, to: "\(folder)/\(name)")
      return try directory.openFile(name)
    } catch let error as DatabaseError {
      throw failure(error, path)
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .refused(code: 1, path: path)
    }
  }

  private static func backUp(_ path: String, to copy: String) throws {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(patience)
    let source = try DatabaseQueue(path: path, configuration: configuration)
    var scratch = GRDB.Configuration()
    // A copy that is not finished is thrown away, so it needs no journal.
    scratch.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
    let destination = try DatabaseQueue(path: copy, configuration: scratch)
    try source.backup(to: destination)
    try destination.close()
    try source.close()
  }

  /// Whether nobody has a database with a write-ahead log open: reading it through SQLite would leave the log's files
  /// beside it.
  private static func isAtRest(_ path: String) throws(SystemError) -> Bool {
    var header = [UInt8](repeating: 0, count: formats.upperBound + 1)
    let count = try File.openRegular(path).pread(into: &header, at: 0)
    guard count == header.count, header[formats].allSatisfy({ $0 == 2 }) else { return false }
    let parts = PathParts(CurrentProcess.absolutePath(of: path))
    let folder = try Directory.open(parts.folder)
    return try !folder.contains("\(parts.name)-wal")
  }

  /// Copies the file's bytes, where nobody opens it meanwhile.
  private static func copyAtRest(
    _ path: String, _ name: String, _ directory: borrowing Directory
  ) throws(SystemError) -> Bool {
    let file = try File.openRegular(path)
    let before = try file.status()
    let copy = try directory.openFileForWriting(name)
    var offset: UInt64 = 0
    while offset < before.size {
      let bytes = try file.readExactly(Int(min(1 << 20, before.size - offset)), at: offset)
      try copy.pwriteAll(bytes, at: offset)
      offset += UInt64(bytes.count)
    }
    guard try isAtRest(path), try file.status() == before else {
      try copy.truncate(to: 0)
      return false
    }
    return true
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

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .busy(let path): "\(path) is locked by its program: close the program, or export the wallet from it"
    case .damaged(let path): "\(path) is damaged, or not a database"
    case .refused(let code, let path): "SQLite cannot read \(path) (code \(code))"
    case .system(let error): error.sentence
    }
  }
}
