internal import FuekiSystem

/// Copies the bytes of a database file and of the logs next to it.
struct DatabaseBytes {
  /// The suffixes of the files that hold pages during a change.
  static let logs = ["-journal", "-wal"]
  /// The header bytes that are both 2 for a database with a write-ahead log.
  private static let formats = 18...19
  private static let blockByteCount: UInt64 = 1 << 20
  /// The end of a journal that names another file.
  private static let nameMark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// The bytes that a program may add during a copy, beyond the size that the files had.
  private static let growth: UInt64 = 64 << 20

  /// The database's file.
  let path: String
  /// The copy's name.
  let name: String
  /// The copy's directory.
  let folder: String

  /// The copy's path.
  var copy: String { "\(folder)/\(name)" }

  // MARK: not open anywhere

  /// Whether a database with a write-ahead log is closed.
  ///
  /// Reading it through SQLite would leave the log's files next to it.
  func areAtRest() throws(SystemError) -> Bool {
    guard try Self.usesLog(File.openRegular(path)) else { return false }
    return try status("-wal") == nil
  }

  /// Copies the file's bytes; false if a program opens it meanwhile.
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

  // MARK: held by SQLite

  /// Copies the file's bytes while SQLite reads the database, if the file alone is complete.
  ///
  /// Without a write-ahead log it always is: a reader has a shared lock, which keeps writers from the file,
  /// and a journal to be rolled back would have kept SQLite from reading. With an empty log, SQLite reads
  /// only the file, and no checkpoint changes it meanwhile.
  ///
  /// - Parameters:
  ///   - file: opened before SQLite opened it.
  ///   - directory: the copy's directory.
  /// - Returns: false if SQLite must make the copy, which may have been started.
  /// - Throws: errors of the system.
  func copyHeld(_ file: borrowing File, in directory: borrowing Directory) throws(SystemError) -> Bool {
    let before = try file.status()
    // The file may have been replaced before SQLite opened it.
    guard try status("")?.isSameFile(as: before) ?? false else { return false }
    if try Self.usesLog(file), let log = try status("-wal"), log.size > 0 { return false }
    try copyBytes(of: file, before.size, as: name, in: directory)
    return try file.status() == before
  }

  // MARK: interrupted program

  /// Whether a log is longer than what is stored of it, so that a copy would be, too.
  func logsHaveHoles() throws(SystemError) -> Bool {
    for ending in Self.logs {
      guard let log = try open(ending) else { continue }
      if log.holeByteCount() > Self.growth { return true }
    }
    return false
  }

  /// Whether SQLite may write to the index next to the database.
  ///
  /// A link leads to another file, which SQLite would overwrite.
  func indexIsAlone() throws(SystemError) -> Bool {
    guard let index = try status("-shm") else { return true }
    return index.kind == .file && index.linkCount == 1
  }

  /// Copies the file and its logs; false if any of them changes meanwhile.
  func copyWithLogs(in directory: borrowing Directory) throws(SystemError) -> Bool {
    let endings = [""] + Self.logs
    let before = try endings.map { (ending) throws(SystemError) in try status(ending) }
    for (ending, status) in zip(endings, before) {
      guard let status else { continue }
      guard let file = try open(ending) else { return false }
      guard try file.status() == status else { return false }
      if !ending.isEmpty { _ = try directory.createFile("\(name)\(ending)") }
      try copyBytes(of: file, status.size, as: "\(name)\(ending)", in: directory)
    }
    return try before == endings.map { (ending) throws(SystemError) in try status(ending) }
  }

  /// Whether the copied journal names a file, which rolling back would read and remove.
  ///
  /// SQLite writes the name for a change of several databases, and accepts any path there.
  func journalNamesFile(in directory: borrowing Directory) throws(SystemError) -> Bool {
    do {
      let journal = try directory.openFile("\(name)-journal")
      let mark = Self.nameMark
      let size = try journal.size()
      guard size >= UInt64(mark.count) else { return false }
      return try journal.readExactly(mark.count, at: size - UInt64(mark.count)) == mark
    } catch let error where error.isNotFound {
      return false
    }
  }

  // MARK: bytes

  /// The most bytes that a copy may have.
  ///
  /// A header can state more pages than the files have. A program may also add to the database during the copy.
  func copyLimit() throws(SystemError) -> UInt64 {
    var sum: UInt64 = 0
    for ending in [""] + Self.logs {
      sum += min(try status(ending)?.size ?? 0, UInt64(Int64.max) / 8)
    }
    return 2 * sum + Self.growth
  }

  private static func usesLog(_ file: borrowing File) throws(SystemError) -> Bool {
    var header = [UInt8](repeating: 0, count: formats.upperBound + 1)
    let count = try file.pread(into: &header, at: 0)
    return count == header.count && header[formats].allSatisfy { $0 == 2 }
  }

  /// Returns the status of the path with a suffix, without opening it; nil if there is no such file.
  func status(_ ending: String) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus.of("\(path)\(ending)", symbolicLinks: .refuse)
    } catch let error where error.isNotFound {
      return nil
    }
  }

  /// Opens the path with a suffix; nil if there is no such file, because a program removes a journal at any moment.
  private func open(_ ending: String) throws(SystemError) -> File? {
    do {
      return try File.openRegular("\(path)\(ending)")
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
