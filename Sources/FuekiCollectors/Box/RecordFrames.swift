internal import FuekiArchive
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

extension ImportedRecords {
  /// Sends everything that was read; `copyNumber` has the number of the copy with a descriptor.
  func send(to socket: MessageSocket, copyNumber: (Int32) -> UInt32?) throws {
    for list in Self.lists {
      for record in list.records(self) {
        var frame = FrameWriter()
        frame.add(list.section.rawValue)
        try socket.append(.record, frame.bytes + record.serializedBytes())
      }
    }
    for share in shares {
      var frame = FrameWriter()
      frame.add(share.faults)
      try socket.append(.share, frame.bytes + share.descriptor.serializedBytes())
      try socket.send(.shareSecret, share.secret.bytes)
    }
    for key in privateKeys { try socket.send(.privateKey, key.encoded()) }
    for part in secretFiles { try socket.send(.secretFile, part.encoded()) }
    for stream in streams {
      var frame = FrameWriter()
      stream.read.write(to: &frame)
      let number = stream.copyDescriptor.flatMap(copyNumber)
      guard (number == nil) == (stream.copyDescriptor == nil) else { throw ReaderError.nonsense }
      frame.add(number != nil)
      if let number { frame.add(number) }
      try socket.append(.file, frame.bytes)
    }
    for finding in findings { try socket.append(.finding, finding.frame) }
    for problem in problems { try socket.append(.problem, problem.serializedBytes()) }
    for exclusion in excluded { try socket.append(.exclusion, exclusion.serializedBytes()) }
    var frame = FrameWriter()
    frame.add(isComplete)
    frame.add(UInt32(clamping: unkeptShareFiles))
    frame.add(UInt32(clamping: unnamedCount))
    frame.add(SecretBytes.lockedMemoryWasRefused)
    try socket.append(.end, frame.bytes)
    try socket.flush()
  }
}

/// Records as they come from a reader.
struct ReceivedRecords {
  private(set) var records = ImportedRecords()
  private var share: ImportedRecords.Share?

  /// Adds what a message without secrets says.
  ///
  /// - Returns: true for the last one.
  mutating func add(
    _ kind: ReaderFrame, _ payload: [UInt8], file: (ReadFile, _ copy: UInt32?) throws -> StreamedFile
  )
    throws -> Bool
  {
    var frame = ByteReader(payload)
    switch kind {
    case .record:
      let section = try frame.u16()
      guard let list = ImportedRecords.lists.first(where: { $0.section.rawValue == section }) else {
        throw ReaderError.nonsense
      }
      try list.addMessage(try frame.bytes(frame.remaining), &records)
    case .share:
      let faults = try frame.nextTexts()
      share = ImportedRecords.Share(
        descriptor: try KeyShareDescriptor(serializedBytes: try frame.bytes(frame.remaining)),
        secret: SharedSecret(try SecretBytes(count: 0)), faults: faults)
    case .file:
      let read = try ReadFile(from: &frame)
      records.streams.append(try file(read, try frame.nextFlag() ? try frame.u32() : nil))
    case .finding: records.findings.append(try WalletFinding(from: &frame))
    case .problem: records.problems.append(try RecordProblem(serializedBytes: payload))
    case .exclusion: records.excluded.append(try Exclusion(serializedBytes: payload))
    case .end:
      records.isComplete = try frame.nextFlag()
      records.unkeptShareFiles = Int(try frame.u32())
      records.unnamedCount = Int(try frame.u32())
      if try frame.nextFlag() { SecretBytes.noteLockRefusal() }
      return true
    default: throw ReaderError.nonsense
    }
    return false
  }

  /// Adds what a message with secrets says.
  mutating func add(_ kind: ReaderFrame, secret: consuming SecretBytes) throws {
    switch kind {
    case .shareSecret:
      guard var described = share else { throw ReaderError.nonsense }
      described.secret = SharedSecret(secret)
      records.shares.append(described)
      share = nil
    case .privateKey:
      records.privateKeys.append(try secret.withBytes { try PrivateKeyRecord(decoding: $0) })
    case .secretFile:
      records.secretFiles.append(try secret.withBytes { try SecretFilePart(decoding: $0) })
    default: throw ReaderError.nonsense
    }
  }
}

extension ReaderFrame {
  /// Whether the message has secret bytes.
  var isSecret: Bool {
    switch self {
    case .shareSecret, .privateKey, .secretFile, .secret: true
    default: false
    }
  }
}

extension MessageSocket {
  func append(_ kind: ReaderFrame, _ payload: [UInt8] = []) throws { try append(kind.rawValue, payload) }

  func send(_ kind: ReaderFrame, _ secret: borrowing SecretBytes) throws {
    try secret.withBytes { (bytes) throws(SystemError) in try send(kind.rawValue, secret: bytes) }
  }

  func receiveSecret(_ count: Int) throws -> SecretBytes {
    try SecretBytes(count: count) { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try receive(into: &bytes)
    }
  }
}

extension WalletFinding {
  fileprivate var frame: [UInt8] {
    var frame = FrameWriter()
    for text in [kind, name, result.verdict, result.reason, detail] { frame.add(text) }
    frame.add(isInClear)
    return frame.bytes
  }

  fileprivate init(from frame: inout ByteReader) throws {
    let (kind, name) = (try frame.nextText(), try frame.nextText())
    guard let result = Result(verdict: try frame.nextText(), reason: try frame.nextText()) else {
      throw ReaderError.nonsense
    }
    self.init(kind: kind, name: name, result, detail: try frame.nextText(), isInClear: try frame.nextFlag())
  }
}

/// A file that is kept byte for byte, as its reader describes it to the process that writes the archive.
struct ReadFile {
  let section: Section
  let path: [UInt8]
  let name: [UInt8]
  let status: FileStatus
  let id: [UInt8]
  let origin: FileOrigin
  let file: KeptFile

  func write(to frame: inout FrameWriter) {
    frame.add(section.rawValue)
    frame.add(path)
    frame.add(name)
    frame.add(status)
    frame.add(id)
    frame.add(optional: origin.place)
    frame.add(origin.program)
    frame.add(origin.version)
    frame.add(file.source)
    frame.add(file.collector)
    frame.add(file.format)
    frame.add(file.hazards)
    frame.add(file.address)
    frame.add(file.kdf)
  }
}

extension ReadFile {
  init(from frame: inout ByteReader) throws {
    guard let section = Section(rawValue: try frame.u16()), section == .files || section == .secretFiles
    else {
      throw ReaderError.nonsense
    }
    self.section = section
    path = try frame.nextCounted()
    name = try frame.nextCounted()
    status = try frame.nextStatus()
    id = try frame.nextCounted()
    origin = FileOrigin(
      place: try frame.nextOptional(), program: try frame.nextText(), version: try frame.nextText())
    file = try KeptFile(from: &frame, isSecret: section == .secretFiles)
    guard id.count == SecretFilePart.idByteCount, status.kind == .file else { throw ReaderError.nonsense }
  }
}

extension KeptFile {
  fileprivate init(from frame: inout ByteReader, isSecret: Bool) throws {
    (source, collector) = (try frame.nextText(), try frame.nextText())
    (self.isSecret, format, hazards) = (isSecret, try frame.nextText(), try frame.nextTexts())
    (address, kdf) = (try frame.nextText(), try frame.nextText())
  }
}

extension FileKind {
  private static let all: [FileKind] = [.file, .directory, .symbolicLink, .other]

  fileprivate var number: UInt8 {
    switch self {
    case .file: 0
    case .directory: 1
    case .symbolicLink: 2
    case .other: 3
    }
  }

  fileprivate init?(number: UInt8) {
    guard Self.all.indices.contains(Int(number)) else { return nil }
    self = Self.all[Int(number)]
  }
}

extension FrameWriter {
  mutating func add(_ status: FileStatus) {
    add(status.kind.number)
    add(status.size)
    add(status.permissions)
    add(status.owner)
    add(status.group)
    add(UInt64(bitPattern: status.modificationTime.seconds))
    add(UInt64(bitPattern: status.modificationTime.nanoseconds))
    add(status.device)
    add(status.inode)
    add(status.linkCount)
  }
}

extension ByteReader {
  mutating func nextStatus() throws(Exhausted) -> FileStatus {
    guard let kind = FileKind(number: try u8()) else { throw Exhausted() }
    return FileStatus(
      kind: kind, size: try u64(), permissions: try u16(), owner: try u32(), group: try u32(),
      modificationTime: FileTime(
        seconds: Int64(bitPattern: try u64()), nanoseconds: Int64(bitPattern: try u64())),
      device: try u64(), inode: try u64(), linkCount: try u64())
  }
}
