internal import FuekiArchive
internal import FuekiSources
public import FuekiSystem

/// How a database that its program may be writing is copied, which this module does not know.
public struct DatabaseCopier: Sendable {
  /// Writes a copy with a name into a directory.
  public typealias Write =
    @Sendable (_ path: String, _ name: String, _ folder: String) throws(FileCopyingError) -> Void

  let write: Write
  let readPaths: @Sendable (_ path: String) -> [String]
  let indexPath: @Sendable (_ path: String) -> String
  let byteLimit: @Sendable (_ path: String) throws(SystemError) -> UInt64

  /// Creates a copier.
  ///
  /// - Parameters:
  ///   - write: writes a copy.
  ///   - readPaths: returns the files that are read.
  ///   - indexPath: returns the file next to the database that is written, if it exists.
  ///   - byteLimit: returns the most bytes that the copy may have.
  public init(
    write: @escaping Write, readPaths: @escaping @Sendable (_ path: String) -> [String],
    indexPath: @escaping @Sendable (_ path: String) -> String,
    byteLimit: @escaping @Sendable (_ path: String) throws(SystemError) -> UInt64
  ) {
    (self.write, self.readPaths, self.indexPath, self.byteLimit) = (write, readPaths, indexPath, byteLimit)
  }

  /// The files that belong to a database, to notice that its program opened or closed it.
  fileprivate func files(of path: String) -> [FileIdentity?] {
    (readPaths(path) + [indexPath(path)]).map { path in
      (try? FileStatus.of(path)).map { FileIdentity(device: $0.device, inode: $0.inode) }
    }
  }

  fileprivate struct FileIdentity: Equatable {
    let device, inode: UInt64
  }
}

extension Readers {
  private static let attempts = 8

  /// Copies a database in a process of its own, which can write only to the copy.
  ///
  /// - Parameters:
  ///   - path: the database's file.
  ///   - folder: a directory private to this user, where the copy temporarily has a name.
  /// - Returns: the copy; nil without a copier.
  /// - Throws: ``FileCopyingError``, and errors of the system.
  public func copy(of path: String, in folder: String) throws -> CopiedFile? {
    guard copier != nil else { return nil }
    for _ in 1...Self.attempts {
      if let copy = try attemptCopy(of: path, in: folder) { return copy }
    }
    throw FileCopyingError.refused(reason: "\(path) was opened and closed by its program all the time")
  }

  /// Returns nil if the program opened or closed the database meanwhile.
  private func attemptCopy(of path: String, in folder: String) throws -> CopiedFile? {
    let directory = try Directory.open(folder)
    let name = ".fueki-copy-\(UInt64.random(in: .min ... .max))"
    try directory.makeDirectory(name)
    defer { try? directory.removeTree(name) }
    let child = try start()
    do {
      var frame = FrameWriter()
      frame.add(path.pathBytes)
      frame.add("\(folder)/\(name)".pathBytes)
      try child.socket.append(.copyDatabase, frame.bytes)
      try child.socket.flush()
      while let (number, count) = try child.socket.next() {
        var frame = ByteReader(try child.socket.receive(count))
        switch ReaderFrame(rawValue: number) {
        case .ready: isReady(try frame.nextBox())
        case .stalled: isStalled(try frame.nextText(), Double(try frame.u32()))
        case .yes:
          // It must not write to the copy any more.
          child.end()
          return try CopiedFile(directory.openDirectory(name).openFile(BoxedCopy.name))
        case .no: return nil
        case .damaged: throw FileCopyingError.damaged
        case .refused: throw FileCopyingError.refused(reason: try frame.nextText())
        default: throw ReaderError.nonsense
        }
      }
    } catch let error as SystemError where error.isInterrupted {
      throw Interrupted()
    } catch let error as SystemError where !error.isBrokenPipe && !error.isEndOfFile {
      throw error
    } catch is SystemError {
      // It ended, as below.
    } catch let error as FileCopyingError {
      throw error
    } catch {
      throw FileCopyingError.failed(.nonsense)
    }
    throw FileCopyingError.failed(child.ownEnding().map { .ended($0) } ?? .nonsense)
  }
}

/// The process that copies a database.
enum BoxedCopy {
  /// The copy's name in its directory.
  static let name = "copy"

  /// Copies the database that a message states.
  static func make(
    _ message: [UInt8], _ copier: DatabaseCopier, isEntered: (ReaderBox) throws -> Void
  ) throws -> (ReaderFrame, [UInt8]) {
    var frame = ByteReader(message)
    let (path, folder) = (PathText.text(try frame.nextCounted()), PathText.text(try frame.nextCounted()))
    let files = copier.files(of: path)
    var rules = SandboxRules()
    for path in copier.readPaths(path) { rules.allow(.read, path) }
    rules.allow(.write, copier.indexPath(path))
    rules.allow(.write, folder)
    try isEntered(ReaderBox.enter(rules, for: .copying(fileByteCount: copier.byteLimit(path))))
    do {
      try copier.write(path, name, folder)
      return (.yes, [])
    } catch {
      // The rights are for the files that were there before.
      if copier.files(of: path) != files { return (.no, []) }
      switch error {
      case .damaged: return (.damaged, [])
      case .failed(let failure): return refusal(failure.sentence)
      case .refused(let reason): return refusal(reason)
      }
    }
  }

  private static func refusal(_ reason: String) -> (ReaderFrame, [UInt8]) {
    var frame = FrameWriter()
    frame.add(reason)
    return (.refused, frame.bytes)
  }
}
