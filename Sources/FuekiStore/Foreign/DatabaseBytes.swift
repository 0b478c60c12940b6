internal import FuekiSystem

/// The bytes of a database's file, and of the logs beside it, on their way into a copy.
struct DatabaseBytes {
  /// What is at the end of the names of the files that pages go to, or are kept in, while they change.
  static let logs = ["-journal", "-wal"]
  /// The bytes of the header that say whether changes go to a write-ahead log first: both are 2 then.
  private static let formats = 18...19
  private static let blockByteCount: UInt64 = 1 << 20

  /// The database's file.
  let path: String
  /// The copy's name.
  let name: String
  /// The folder of the copy.
  let folder: String

  /// The copy's path.
  var copy: String { "\(folder)/\(name)" }

  // MARK: nobody has it open

  /// Whether nobody has a database with a write-ahead log open: reading it through SQLite would leave the log's files
  /// beside it.
  func areAtRest() throws(SystemError) -> Bool {
    guard try Self.usesLog(File.openRegular(path)) else { return false }
    return try status("-wal") == nil
  }

  /// Copies the file's bytes, where nobody opens it meanwhile.
  func copyAtRest(in directory: borrowing Directory) throws(SystemError) -> Bool {
    let file = try File.openRegular(path)
    let before = try file.status()
    try copyBytes(of: file, before.size, as: name, in: directory)
    guard try areAtRest(), try file.status() == before else {
      try directory.openFileForWriting(name).truncate(to: 0)
      return false
    }
    return true
  }

  // MARK: SQLite holds it

  /// Copies the file's bytes while SQLite reads the database, where all of it is in them.
  ///
  /// Without a write-ahead log that is always so: who reads has a shared lock, with which nobody may write to the file,
  /// and a journal to be taken back would have kept SQLite from reading. With an empty log, SQLite reads the file alone,
  /// and nothing is carried over into it meanwhile.
  ///
  /// - Parameters:
  ///   - file: open since before SQLite opened it.
  ///   - directory: the folder of the copy.
  /// - Returns: false where the copy has to be made by SQLite; it may have been begun.
  /// - Throws: what the system refuses.
  func copyHeld(_ file: borrowing File, in directory: borrowing Directory) throws(SystemError) -> Bool {
    let before = try file.status()
    // Another file may have been put in its place before SQLite opened it.
    guard try status("")?.isSameFile(as: before) ?? false else { return false }
    if try Self.usesLog(file), let log = try status("-wal"), log.size > 0 { return false }
    try copyBytes(of: file, before.size, as: name, in: directory)
    return try file.status() == before
  }

  // MARK: its program was cut off

  /// Copies the file and the logs beside it, where none of them changes meanwhile.
  func copyWithLogs(in directory: borrowing Directory) throws(SystemError) -> Bool {
    let endings = [""] + Self.logs
    let before = try endings.map { (ending) throws(SystemError) in try status(ending) }
    for (ending, status) in zip(endings, before) {
      guard let status else { continue }
      let file = try File.openRegular("\(path)\(ending)")
      guard try file.status() == status else { return false }
      if !ending.isEmpty { _ = try directory.createFile("\(name)\(ending)") }
      try copyBytes(of: file, status.size, as: "\(name)\(ending)", in: directory)
    }
    return try before == endings.map { (ending) throws(SystemError) in try status(ending) }
  }

  // MARK: bytes

  private static func usesLog(_ file: borrowing File) throws(SystemError) -> Bool {
    var header = [UInt8](repeating: 0, count: formats.upperBound + 1)
    let count = try file.pread(into: &header, at: 0)
    return count == header.count && header[formats].allSatisfy { $0 == 2 }
  }

  /// What lies at the path with an ending, without opening it; nil where nothing does.
  private func status(_ ending: String) throws(SystemError) -> FileStatus? {
    let parts = PathParts(CurrentProcess.absolutePath(of: path))
    do {
      return try Directory.open(parts.folder).status(of: "\(parts.name)\(ending)")
    } catch let error where error.isNotFound {
      return nil
    }
  }

  private func copyBytes(
    of file: borrowing File, _ size: UInt64, as name: String, in directory: borrowing Directory
  ) throws(SystemError) {
    let copy = try directory.openFileForWriting(name)
    try copy.truncate(to: 0)
    var offset: UInt64 = 0
    while offset < size {
      let bytes = try file.readExactly(Int(min(Self.blockByteCount, size - offset)), at: offset)
      try copy.pwriteAll(bytes, at: offset)
      offset += UInt64(bytes.count)
    }
  }
}
