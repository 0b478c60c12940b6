internal import FuekiArchive
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem

/// The process that reads one source's files in a box, and tells the program what it found.
public enum SourceReader {
  /// The name that the program is started with to be a reader.
  public static let name = "fueki-backup: reader"

  /// Reads what the other end of standard input asks for.
  ///
  /// - Parameters:
  ///   - deadline: how many seconds a file system may take to answer.
  ///   - copier: copies databases.
  ///   - sentence: returns the words of errors that are reported as a sentence.
  /// - Returns: the exit status.
  public static func run(
    deadline: Double, copier: DatabaseCopier, sentence: (any Error) -> String
  ) -> Int32 {
    guard let socket = try? ReaderProcess.socket() else { return 1 }
    return run(over: socket, deadline, copier, sentence)
  }

  static func run(
    over socket: MessageSocket, _ deadline: Double, _ copier: DatabaseCopier,
    _ sentence: (any Error) -> String
  ) -> Int32 {
    let line = ReaderLine(socket)
    guard let (task, bytes) = try? line.request() else { return 1 }
    do {
      switch task {
      case .request: try read(bytes, line, deadline)
      case .copyDatabase:
        let (answer, payload) = try BoxedCopy.make(bytes, copier) { box in
          try begin(box, line, deadline)
        }
        try line.reply(answer, payload)
      default: return 1
      }
      return 0
    } catch {
      return (try? line.send(error, sentence)) == nil ? 1 : 0
    }
  }

  private static func read(_ bytes: [UInt8], _ line: ReaderLine, _ deadline: Double) throws {
    let asked = try ReadRequest(bytes, changes: line.changes)
    let kind = try CollectorKind(named: asked.kind)
    try begin(try ReaderBox.enter(SourcePlace(path: asked.path).rules), line, deadline)
    let request = asked.request
    guard !asked.onlyKeeps else {
      let files = UnreadFiles(kind: kind.name, path: asked.path, request: request, gap: .readerFailed)
      return try line.send(try files.keepAll(kind.reach))
    }
    let source = kind.source(
      at: asked.path, passphrase: asked.hasPassphrase ? line.passphrase : nil,
      copying: asked.hasCopying ? line.copying : nil)
    try line.send(request.isForBackup ? try source.recordsOrFiles(request) : try source.read(request))
  }

  /// Reports the box, and from then on a file system that does not answer.
  private static func begin(_ box: ReaderBox, _ line: ReaderLine, _ deadline: Double) throws {
    StallWatch.start(limit: deadline) { path, seconds in
      line.stalled(path, seconds)
      ImmediateExit.exit(status: 1)
    }
    try line.ready(box)
  }
}

/// The reader's end of the conversation.
///
/// One thread reads a source. A lock still keeps questions and answers in order.
private final class ReaderLine: Sendable {
  private struct Line {
    let socket: MessageSocket
    /// The numbers of files that came from the other side, by their descriptors here.
    var numbers: [Int32: UInt32] = [:]
  }

  private let line: Locked<Guarded<Line>>

  init(_ socket: MessageSocket) { line = Locked(Guarded(Line(socket: socket))) }

  func request() throws -> (ReaderFrame, [UInt8]) {
    try line.withLock { line in
      guard let (number, count) = try line.value.socket.next(), let task = ReaderFrame(rawValue: number)
      else {
        throw ReaderError.nonsense
      }
      return (task, try line.value.socket.receive(count))
    }
  }

  func reply(_ kind: ReaderFrame, _ payload: [UInt8]) throws {
    try line.withLock { line in
      try line.value.socket.append(kind, payload)
      try line.value.socket.flush()
    }
  }

  func ready(_ box: ReaderBox) throws {
    var frame = FrameWriter()
    frame.add(UInt8(clamping: box.landlock ?? 0))
    frame.add(box.hasCallFilter)
    try line.withLock { line in
      try line.value.socket.append(.ready, frame.bytes)
      try line.value.socket.flush()
    }
  }

  func send(_ records: ImportedRecords) throws {
    try line.withLock { line in
      let numbers = line.value.numbers
      try records.send(to: line.value.socket) { numbers[$0] }
    }
  }

  func send(_ error: any Error, _ sentence: (any Error) -> String) throws {
    var frame = FrameWriter()
    ToldError.write(error, to: &frame, sentence: sentence)
    try line.withLock { line in
      try line.value.socket.append(.failure, frame.bytes)
      try line.value.socket.flush()
    }
  }

  /// Tells of a file that does not answer, while the thread that reads waits for it.
  func stalled(_ path: String, _ seconds: Double) {
    var frame = FrameWriter()
    frame.add(path)
    frame.add(UInt32(seconds))
    try? line.withLock { line in
      try line.value.socket.append(.stalled, frame.bytes)
      try line.value.socket.flush()
    }
  }

  // MARK: questions

  var passphrase: SourcePassphrase {
    SourcePassphrase {
      try self.ask(.askPassphrase, []) { answer, line in
        guard case .secret(let secret) = answer else { throw ToldError.NoPassphrase() }
        return secret
      }
    }
  }

  var copying: FileCopying {
    FileCopying { (path, beginning) throws(FileCopyingError) in
      var frame = FrameWriter()
      frame.add(path.pathBytes)
      frame.add(beginning)
      do {
        return try self.ask(.askCopy, frame.bytes) { answer, _ in
          switch answer {
          case .file(let descriptor):
            return try CopiedFile(File.taking(descriptor: descriptor, path: path))
          case .damaged: throw FileCopyingError.damaged
          case .refused(let reason): throw FileCopyingError.refused(reason: reason)
          case .no, .yes, .secret: return nil
          }
        }
      } catch let error as FileCopyingError {
        throw error
      } catch {
        throw .refused(reason: "the program gave no copy of it")
      }
    }
  }

  var changes: SourceChanges {
    SourceChanges(
      SourceChanges.Elsewhere(
        needsCopy: { path, status in
          var frame = FrameWriter()
          frame.add(path)
          frame.add(status)
          return (try? self.ask(.askNeedsCopy, frame.bytes) { answer, _ in answer.isYes }) ?? false
        },
        makeFile: {
          let descriptor: Int32? = try self.ask(.askFile, []) { answer, _ in
            guard case .file(let descriptor) = answer else { return nil }
            return descriptor
          }
          return descriptor.map { File.taking(descriptor: $0, path: "copy") }
        }))
  }

  private enum Answer {
    case no
    case yes
    case secret(SharedSecret)
    case file(descriptor: Int32)
    case damaged
    case refused(reason: String)

    var isYes: Bool { if case .yes = self { true } else { false } }
  }

  private func ask<Result: Sendable>(
    _ kind: ReaderFrame, _ payload: [UInt8], _ use: (Answer, inout Line) throws -> Result
  ) throws -> Result {
    try line.withLock { line in
      try line.value.socket.append(kind, payload)
      try line.value.socket.flush()
      return try use(try Self.answer(&line.value), &line.value)
    }
  }

  private static func answer(_ line: inout Line) throws -> Answer {
    guard let (number, count) = try line.socket.next(), let kind = ReaderFrame(rawValue: number) else {
      throw ReaderError.nonsense
    }
    switch kind {
    case .secret: return .secret(SharedSecret(try line.socket.receiveSecret(count)))
    case .no: return .no
    case .yes: return .yes
    case .damaged: return .damaged
    case .refused:
      var frame = ByteReader(try line.socket.receive(count))
      return .refused(reason: try frame.nextText())
    case .copy:
      var frame = ByteReader(try line.socket.receive(count))
      let number = try frame.u32()
      let descriptor = try line.socket.receiveDescriptor()
      line.numbers[descriptor] = number
      return .file(descriptor: descriptor)
    default: throw ReaderError.nonsense
    }
  }
}
