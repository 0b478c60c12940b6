internal import FuekiArchive
internal import FuekiBackup
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
