internal import FuekiArchive
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet
public import FuekiSystem

/// A source that is read by a process of its own, in a box.
///
/// Whatever its files do to their reader, this process only receives messages, which it checks. The reader has only the
/// source's files, and neither a key of this process nor a network.
struct BoxedSource: ForeignSource {
  let kind: CollectorKind
  let path: String
  let passphrase: SourcePassphrase?
  let copying: FileCopying?
  let readers: Readers

  var name: String { "\(kind.name):\(path)" }

  /// Has the files read; if their reader fails, has another one keep them without reading them.
  func read(_ request: CollectionRequest) throws -> ImportedRecords {
    do {
      return try read(request, onlyKeeps: false)
    } catch let failure as ReaderError where failure.isFailure && request.isForBackup {
      var records = try read(request, onlyKeeps: true)
      records.exclude(path, "\(failure.sentence). Its files are kept as they are", loss: .possible)
      return records
    }
  }

  private func read(_ request: CollectionRequest, onlyKeeps: Bool) throws -> ImportedRecords {
    let child = try readers.start()
    let conversation = ReaderConversation(source: self, request: request, socket: child.socket)
    do {
      return try conversation.run(onlyKeeps: onlyKeeps)
    } catch let told as ReaderConversation.Told {
      throw told.error
    } catch let error as SystemError where error.isInterrupted {
      throw Interrupted()
    } catch let error as SystemError {
      // The socket closed, or ends within a message.
      guard let ending = child.ownEnding(), ending != .exited(0) else { throw ReaderError.nonsense }
      throw error.isBrokenPipe || error.isEndOfFile ? ReaderError.ended(ending) : ReaderError.nonsense
    } catch {
      // Any decoding failure of a message.
      throw ReaderError.nonsense
    }
  }
}

/// The exchange between this program and a reader.
private final class ReaderConversation {
  /// A source never has more bytes of records, or its reader is not what it should be.
  private static let longestAnswer = 8 << 30

  /// An error that is not one of the conversation: the reader told it, or this program met it on the reader's behalf.
  struct Told: Error { let error: any Error }

  /// A file that the reader writes to or reads from, and that this program reads later.
  private final class HeldFile: Sendable {
    let file: File

    init(_ file: consuming File) { self.file = file }
  }

  private let source: BoxedSource
  private let request: CollectionRequest
  private let socket: MessageSocket
  private let place: SourcePlace
  private var received = ReceivedRecords()
  private var byteCount = 0
  private var files: [HeldFile] = []
  private var withheld: (any Error)?

  init(source: BoxedSource, request: CollectionRequest, socket: MessageSocket) {
    (self.source, self.request, self.socket) = (source, request, socket)
    place = SourcePlace(path: source.path)
  }

  func run(onlyKeeps: Bool) throws -> ImportedRecords {
    let asked = ReadRequest(
      kind: source.kind.name, path: source.path, request: request, onlyKeeps: onlyKeeps,
      hasPassphrase: source.passphrase != nil && !onlyKeeps, hasCopying: source.copying != nil && !onlyKeeps)
    try reply(.request, asked.frame)
    while true {
      guard let (number, count) = try socket.next() else {
        throw SystemError.ended(call: "read", path: "socket")
      }
      byteCount += count
      guard let kind = ReaderFrame(rawValue: number), byteCount <= Self.longestAnswer else {
        throw ReaderError.nonsense
      }
      guard !kind.isSecret else {
        try received.add(kind, secret: try socket.receiveSecret(count))
        continue
      }
      if try answer(kind, try socket.receive(count)) { return received.records }
    }
  }

  /// - Returns: true after the last message.
  private func answer(_ kind: ReaderFrame, _ payload: [UInt8]) throws -> Bool {
    var frame = ByteReader(payload)
    switch kind {
    case .ready:
      source.readers.isReady(try frame.nextBox())
    case .stalled: source.readers.isStalled(try frame.nextText(), Double(try frame.u32()))
    case .failure:
      let error = try ToldError.read(&frame, source: source.name)
      throw Told(error: error is ToldError.NoPassphrase ? withheld ?? error : error)
    case .askPassphrase: try givePassphrase()
    case .askNeedsCopy:
      let (path, status) = (try frame.nextCounted(), try frame.nextStatus())
      try reply(request.changes.needsCopy(path, status, of: source.name) ? .yes : .no)
    case .askFile:
      let made: HeldFile?
      do {
        made =
          switch try request.changes.makeFile() {
          case let file?: HeldFile(file)
          case nil: nil
          }
      } catch {
        throw Told(error: error)
      }
      try give(made)
    case .askCopy:
      let (path, beginning) = (try checked(try frame.nextCounted()), try frame.nextCounted())
      guard let copy = try refusing({ try source.copying?.copy(of: path, beginning) }) else { break }
      try give(try copy.map { HeldFile(try File.duplicating(descriptor: $0.file.descriptor)) })
    default:
      return try received.add(kind, payload) { try file($0, copy: $1) }
    }
    return false
  }

  /// A file that is kept: the reader's copy, or the file itself if the reader may read it.
  private func file(_ read: ReadFile, copy number: UInt32?) throws -> StreamedFile {
    guard let number else {
      guard place.contains(read.path) else { throw ReaderError.nonsense }
      return StreamedFile(read, copy: nil, request.changes)
    }
    guard files.indices.contains(Int(number)) else { throw ReaderError.nonsense }
    let copy = try CopiedFile(File.duplicating(descriptor: files[Int(number)].file.descriptor))
    return StreamedFile(read, copy: copy, request.changes)
  }

  private func reply(_ kind: ReaderFrame, _ payload: [UInt8] = []) throws {
    try socket.append(kind, payload)
    try socket.flush()
  }

  private func givePassphrase() throws {
    let secret: SharedSecret?
    do {
      secret = try source.passphrase?.read()
    } catch {
      withheld = error
      return try reply(.no)
    }
    if let secret { try socket.send(.secret, secret.bytes) } else { try reply(.no) }
  }

  private func give(_ held: HeldFile?) throws {
    guard let held else { return try reply(.no) }
    var frame = FrameWriter()
    frame.add(UInt32(clamping: files.count))
    try socket.append(.copy, frame.bytes)
    try socket.send(held.file)
    files.append(held)
  }

  /// A path that the reader may read.
  private func checked(_ path: [UInt8]) throws -> String {
    let text = PathText.text(path)
    guard place.contains(CurrentProcess.absolutePath(of: text).pathBytes) else { throw ReaderError.nonsense }
    return text
  }

  /// Runs a step; nil if it was refused, after reporting that to the reader.
  private func refusing<Answer>(_ make: () throws -> Answer) throws -> Answer? {
    do {
      return try make()
    } catch FileCopyingError.failed(let failure) {
      throw Told(error: failure)
    } catch FileCopyingError.damaged {
      try reply(.damaged)
    } catch FileCopyingError.refused(let reason) {
      var frame = FrameWriter()
      frame.add(reason)
      try reply(.refused, frame.bytes)
    }
    return nil
  }
}

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
  package init(
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
