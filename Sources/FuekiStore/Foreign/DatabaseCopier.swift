public import FuekiSystem

/// A process of this program's own that copies another program's database in a box.
///
/// SQLite parses what a stranger may have written. It can read the database's files, lock them, and write into a folder
/// made for this one copy, and nothing else.
public enum DatabaseCopier {
  /// The name that the program is started with to be a copier.
  public static let name = "fueki-backup: copier"

  private enum Message: UInt8 {
    case request = 1
    case copy
    case busy
    case damaged
    case refused
    case system
  }

  // MARK: this process

  /// Copies a database, as ``DatabaseCopy/take(of:in:)`` does.
  ///
  /// A database whose copier fails counts as damaged: its own bytes are all that there is.
  ///
  /// - Throws: ``DatabaseCopyError``.
  public static func take(
    of path: String, in folder: String, executable: String
  ) throws(DatabaseCopyError) -> File {
    do {
      let parent = try Directory.open(folder)
      let scratch = ".fueki-copies-\(UInt64.random(in: .min ... .max))"
      try parent.makeDirectory(scratch)
      defer { try? parent.removeTree(scratch) }
      let child = try ReaderChild(executable: executable, name: name, sendsFiles: true)
      return try answer(of: child, path, "\(folder)/\(scratch)")
    } catch let error as DatabaseCopyError {
      throw error
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .damaged(path: path)
    }
  }

  private static func answer(of child: ReaderChild, _ path: String, _ scratch: String) throws -> File {
    let (kind, payload): (UInt8, [UInt8])
    do {
      try child.socket.append(Message.request.rawValue, path.pathBytes + [0] + scratch.pathBytes)
      try child.socket.flush()
      guard let head = try child.socket.next() else { throw DatabaseCopyError.damaged(path: path) }
      (kind, payload) = (head.kind, try child.socket.receive(head.count))
      if Message(rawValue: kind) == .copy {
        let file = File.taking(descriptor: try child.socket.receiveDescriptor(), path: path)
        guard try file.status().kind == .file else { throw DatabaseCopyError.damaged(path: path) }
        return file
      }
    } catch let error as SystemError where !error.isInterrupted {
      throw DatabaseCopyError.damaged(path: path)
    }
    let code = payload.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    switch Message(rawValue: kind) {
    case .busy: throw DatabaseCopyError.busy(path: path)
    case .refused: throw DatabaseCopyError.refused(code: Int32(bitPattern: code), path: path)
    case .system:
      let call = String(decoding: payload.dropFirst(4), as: UTF8.self)
      throw DatabaseCopyError.system(SystemError(code: Int32(bitPattern: code), call: call, path: path))
    default: throw DatabaseCopyError.damaged(path: path)
    }
  }

  // MARK: the other process

  /// Copies what the other end of standard input asks for; the exit status.
  public static func run() -> Int32 {
    do {
      let socket = try ReaderProcess.socket()
      guard let head = try socket.next(), head.kind == Message.request.rawValue else { return 1 }
      let parts = try socket.receive(head.count).split(separator: 0, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return 1 }
      let (path, scratch) = (PathText.text(Array(parts[0])), PathText.text(Array(parts[1])))
      _ = try ReaderBox.enter(rules(path, scratch), writing: true)
      do throws(DatabaseCopyError) {
        let copy = try DatabaseCopy.take(of: path, in: scratch)
        try? send(copy, over: socket)
      } catch {
        try tell(error, over: socket)
      }
      return 0
    } catch {
      return 1
    }
  }

  private static func send(_ copy: borrowing File, over socket: MessageSocket) throws(SystemError) {
    try socket.append(Message.copy.rawValue)
    try socket.send(copy)
  }

  private static func tell(_ error: DatabaseCopyError, over socket: MessageSocket) throws(SystemError) {
    func bytes(_ code: Int32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: UInt32(bitPattern: code) >> (8 * $0)) }
    }
    switch error {
    case .busy: try socket.append(Message.busy.rawValue)
    case .damaged: try socket.append(Message.damaged.rawValue)
    case .refused(let code, _): try socket.append(Message.refused.rawValue, bytes(code))
    case .system(let error):
      try socket.append(Message.system.rawValue, bytes(error.code) + Array(error.call.utf8))
    }
    try socket.flush()
  }

  /// The database, its journal and its log are read; of its files only the index of the log is written, which has
  /// the readers' locks.
  private static func rules(_ path: String, _ scratch: String) -> SandboxRules {
    var rules = SandboxRules()
    let real = CurrentProcess.absolutePath(of: path)
    for path in [path, real] {
      for ending in [""] + DatabaseBytes.logs { rules.allow(.read, "\(path)\(ending)") }
    }
    rules.allow(.write, "\(real)-shm")
    rules.allow(.write, scratch)
    return rules
  }
}
