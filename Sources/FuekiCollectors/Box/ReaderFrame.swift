internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet
package import FuekiArchive

/// The kinds of messages between this program and a reader of its own.
enum ReaderFrame: UInt8 {
  // From the reader: what it found.
  case ready = 1
  case record
  case share
  case shareSecret
  case privateKey
  case secretFile
  case file
  case finding
  case problem
  case exclusion
  case end
  case failure
  case stalled
  // From the reader: what it asks for.
  case askPassphrase = 32
  case askCopy
  case askNeedsCopy
  case askFile
  // To the reader.
  case request = 64
  case no
  case yes
  case secret
  case copy
  case damaged
  case refused
  case copyDatabase
}

/// Values in a message's order: numbers with their lowest byte first, texts and bytes with their length before them.
package struct FrameWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add<I: FixedWidthInteger & UnsignedInteger>(_ value: I) {
    bytes.append(littleEndian: value)
  }

  package mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  package mutating func add(_ value: [UInt8]) {
    add(UInt32(clamping: value.count))
    bytes += value
  }

  package mutating func add(_ text: String) { add(Array(text.utf8)) }

  package mutating func add(_ texts: [String]) {
    add(UInt32(clamping: texts.count))
    for text in texts { add(text) }
  }

  package mutating func add(optional value: [UInt8]?) {
    add(value != nil)
    if let value { add(value) }
  }
}

extension ByteReader {
  package mutating func nextFlag() throws(Exhausted) -> Bool { try u8() != 0 }

  package mutating func nextCounted() throws(Exhausted) -> [UInt8] { try bytes(Int(try u32())) }

  package mutating func nextText() throws(Exhausted) -> String {
    String(decoding: try nextCounted(), as: UTF8.self)
  }

  package mutating func nextTexts() throws(Exhausted) -> [String] {
    let count = Int(try u32())
    // Every text has a length before it.
    guard count <= remaining / 4 else { throw Exhausted() }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try nextText()) }
    return texts
  }

  package mutating func nextOptional() throws(Exhausted) -> [UInt8]? {
    try nextFlag() ? try nextCounted() : nil
  }

  /// The walls of a box that its process reports.
  mutating func nextBox() throws(Exhausted) -> ReaderBox {
    let version = try u8()
    return ReaderBox(landlock: version > 0 ? Int(version) : nil, hasCallFilter: try nextFlag())
  }
}

/// A reader's task.
struct ReadRequest {
  let kind: String
  let path: String
  let request: CollectionRequest
  /// Whether the files are only kept, because a reader failed before.
  let onlyKeeps: Bool
  let hasPassphrase: Bool
  let hasCopying: Bool

  var frame: [UInt8] {
    var frame = FrameWriter()
    frame.add(kind)
    frame.add(path)
    for flag in [
      onlyKeeps, hasPassphrase, hasCopying, request.includesPrivateKeys, request.secretsAreUnwanted,
      request.isForBackup,
    ] { frame.add(flag) }
    frame.add(request.condition)
    frame.add(request.selection.sections.map(\.name).sorted())
    // The reader leaves out archives of targets below its source; others it does not see.
    frame.add(request.targetFolders)
    return frame.bytes
  }
}

extension ReadRequest {
  /// Reads a request of another process, which keeps track of files that change.
  init(_ bytes: [UInt8], changes: SourceChanges) throws {
    var frame = ByteReader(bytes)
    kind = try frame.nextText()
    path = try frame.nextText()
    onlyKeeps = try frame.nextFlag()
    hasPassphrase = try frame.nextFlag()
    hasCopying = try frame.nextFlag()
    let (withKeys, areUnwanted, isForBackup) = (
      try frame.nextFlag(), try frame.nextFlag(), try frame.nextFlag()
    )
    let condition = try frame.nextText()
    var request = CollectionRequest(
      selection: try SectionSelection(only: try frame.nextTexts(), exclude: []), includesPrivateKeys: withKeys
    )
    (request.secretsAreUnwanted, request.isForBackup) = (areUnwanted, isForBackup)
    (request.condition, request.changes) = (condition, changes)
    request.targetFolders = try frame.nextTexts()
    self.request = request
    try frame.finish()
  }
}
