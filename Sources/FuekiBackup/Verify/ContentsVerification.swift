internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiSystem
package import FuekiWallet

extension OpenArchive {
  /// Reads everything that is open, and checks each record of the known sections like a restore.
  ///
  /// - Parameter progress: called for each part. An error that it throws ends the work.
  /// - Throws: ``ArchiveError`` for the first fault, ``CryptoError`` or ``SecretRecordError`` if memory cannot be
  ///   allocated, and errors from `progress`.
  func checkContentsAndRecords(progress: () throws -> Void) throws {
    try checkContents(judging: RecordCheck.judge) { _ in try progress() }
  }

  /// Does the same for the base of a differential archive that was checked itself, and for their combination.
  func checkJoinAndRecords(progress: () throws -> Void) throws {
    try checkJoin(judging: RecordCheck.judge) { _ in try progress() }
  }
}

extension UnjoinedArchive {
  /// As ``OpenArchive/checkContentsAndRecords(progress:)``, of what this file itself holds, and puts each original file
  /// together as it is put together when the files are put back.
  func checkContentsAndRecords(progress: () throws -> Void) throws {
    let files = FileAssembly()
    let judge = RecordCheck.judge
    try checkContents { id, message in
      try judge(id, message)
      if let section = Section(rawValue: id) { files.note(message, of: section) }
    } progress: { _ in
      try progress()
    }
    try files.check()
  }
}

extension RecordCheck {
  /// Judges each record of the sections that this version knows as a restore does.
  fileprivate static var judge: RecordJudge {
    // An array, because a dictionary's lookup for each of a million records takes longer than some checks.
    let count = (Section.allCases.map(\.rawValue).max() ?? 0) + 1
    let checks = (0..<count).map { Section(rawValue: $0).map { RecordCheck($0) } }
    return { id, message in
      guard id < checks.count, let check = checks[Int(id)] else { return }
      guard try check.accepts(message) else { throw ArchiveError.forged(.records(section: id)) }
    }
  }
}

/// Judges whether a message is a record of its section, down to the messages within it.
///
/// One rule for all that verify, restore and make archives: a record that one takes and another refuses would stop every
/// later backup. The rule is SwiftProtobuf's, which reads any valid encoding, or that of the secrets' own decoders; what
/// is spelled as our writers spell it is judged without making a message of it.
package struct RecordCheck: Sendable {
  private let kind: RecordKind
  private let isWellFormedSecret: (@Sendable (Span<UInt8>) throws(SecretRecordError) -> Bool)?
  /// Nil for secrets.
  private let scan: MessageScan?

  /// The rule for a section's records.
  package init(_ section: Section) { self.init(kind: section.kind) }

  /// The rule for a kind's records.
  package init(kind: RecordKind) {
    self.kind = kind
    if case .secret(let isWellFormed) = kind.form {
      (isWellFormedSecret, scan) = (isWellFormed, nil)
    } else {
      (isWellFormedSecret, scan) = (nil, MessageScan(record: kind.fields))
    }
  }

  /// Returns whether the bytes are one of the section's records, or some fields of one.
  ///
  /// Every copy of a secret will be wiped.
  ///
  /// - Throws: ``SecretRecordError/outOfMemory``.
  package func accepts(_ message: Span<UInt8>) throws(SecretRecordError) -> Bool {
    if let isWellFormedSecret { return try isWellFormedSecret(message) }
    if isStrict(message) { return true }
    guard let respelled = try? kind.respelled(message.copied()) else { return false }
    return (try? WireReader.walk(respelled.span)) != nil
  }

  /// Whether the bytes are one of the section's records as our writers spell it, which is not one of secrets.
  package func isStrict(_ message: Span<UInt8>) -> Bool { scan?.accepts(message) ?? false }
}

/// Checks a message in one pass, including the messages nested in it.
///
/// It accepts the bytes that ``WireReader`` reads to the end, in which each text is UTF-8 and each nested message passes
/// the same check. Fields may have any order. A field of another wire type is unknown to the schema.
struct MessageScan: Sendable {
  /// The condition for the content of a length-delimited field.
  private enum Rule {
    static let none: UInt16 = 0
    static let text: UInt16 = 1
    /// The rule for the first type of message; the next ones follow.
    static let firstMessage: UInt16 = 2
  }

  /// The numbers below this have a table, which is faster than a dictionary.
  private static let nearNumbers = 32

  /// The rules of the near fields, type by type.
  private var near: [UInt16] = []
  /// The rules of the other fields, by type and number.
  private var far: [UInt64: UInt16] = [:]

  /// Prepares for a record, whose field 15 is `extra`.
  init(record fields: [RecordField]) { _ = add(fields, hasExtra: true) }

  /// Adds a type of message.
  ///
  /// - Returns: its number.
  private mutating func add(_ fields: [RecordField], hasExtra: Bool) -> UInt16 {
    let type = UInt16(near.count / Self.nearNumbers)
    near += repeatElement(Rule.none, count: Self.nearNumbers)
    for field in fields {
      switch field.value {
      case .text: set(Rule.text, field.number, of: type)
      case .message(let inner): set(rule(for: inner.fields), field.number, of: type)
      default: continue
      }
    }
    if hasExtra { set(rule(for: RecordMessage.extra.fields), RecordKind.extraNumber, of: type) }
    return type
  }

  private mutating func rule(for fields: [RecordField]) -> UInt16 {
    Rule.firstMessage + add(fields, hasExtra: false)
  }

  private mutating func set(_ rule: UInt16, _ number: UInt32, of type: UInt16) {
    if number < Self.nearNumbers {
      near[Int(type) * Self.nearNumbers + Int(number)] = rule
    } else {
      far[Self.farKey(type, number)] = rule
    }
  }

  private static func farKey(_ type: UInt16, _ number: UInt32) -> UInt64 {
    UInt64(type) << 32 | UInt64(number)
  }

  /// Returns whether the message passes.
  func accepts(_ message: Span<UInt8>) -> Bool { accepts(message, 0..<message.count, near.span, of: 0) }

  private func accepts(
    _ bytes: Span<UInt8>, _ message: Range<Int>, _ near: Span<UInt16>, of type: UInt16
  ) -> Bool {
    let end = message.upperBound
    var position = message.lowerBound
    while position < end {
      guard let tag = Varint.read(bytes, at: &position, end: end), let key = UInt32(exactly: tag), key >= 8
      else { return false }
      switch WireType(rawValue: UInt8(key & 7)) {
      case .varint: guard Varint.read(bytes, at: &position, end: end) != nil else { return false }
      case .fixed64: position += 8
      case .fixed32: position += 4
      case .lengthDelimited:
        guard let length = Varint.read(bytes, at: &position, end: end), length <= UInt64(end - position)
        else { return false }
        let content = position..<position + Int(length)
        position = content.upperBound
        let number = key >> 3
        let rule =
          number < Self.nearNumbers
          ? near[Int(type) * Self.nearNumbers + Int(number)]
          : far[Self.farKey(type, number)] ?? Rule.none
        switch rule {
        case Rule.none: continue
        case Rule.text: guard Self.isUTF8(bytes, content) else { return false }
        default:
          guard accepts(bytes, content, near, of: rule - Rule.firstMessage) else { return false }
        }
      case nil: return false
      }
    }
    // A number of fixed width may have ended beyond the message.
    return position == end
  }

  @inline(__always)
  private static func isUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var all: UInt8 = 0
    for place in range { all |= bytes[place] }
    return all < 0x80 || (try? UTF8Span(validating: bytes.extracting(range))) != nil
  }
}

/// Checks that records of files make complete files, with the code that restores them.
///
/// The records may come in any order and on any thread. A repeated part with the same bytes counts once.
final class FileAssembly: Sendable {
  private let files = Locked<[OriginalFile.Key: FileParts]>([:])
  private let digests = SecretDigests()

  /// Adds a record of a section; records of other sections than those of files have no effect.
  func note(_ message: Span<UInt8>, of section: Section) {
    guard section.kind.traits.contains(.inParts), let part = PartHeader(message) else { return }
    let content = message.extracting(part.content)
    let digest = digests.digest(of: content)
    let key = OriginalFile.Key(section: section, id: part.id, source: part.source, path: part.path)
    files.withLock { files in
      var file = files.removeValue(forKey: key) ?? FileParts(total: part.total)
      _ = file.add(digest, count: content.count, at: part.offset, total: part.total)
      files[key] = file
    }
  }

  /// Adds framed records of a section.
  func note(framed records: Span<UInt8>, of section: Section) {
    guard section.kind.traits.contains(.inParts) else { return }
    try? RecordFraming.forEachRecord(in: records) { (message) throws(WireError) in note(message, of: section)
    }
  }

  /// Checks that each file is complete, except those with some ids.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` with the lowest section of an incomplete file.
  func check(besides ids: Set<[UInt8]> = []) throws {
    let broken = files.withLock { files in
      files.filter { !$0.value.areWhole && !ids.contains($0.key.id) }.map(\.key.section).min()
    }
    if let broken { throw ArchiveError.forged(.records(section: broken.rawValue)) }
  }
}

/// The fields of a file's part that tell where it belongs.
private struct PartHeader {
  var id: [UInt8] = []
  var source = ""
  var path: [UInt8] = []
  var offset: UInt64 = 0
  var total: UInt64 = 0
  var content = 0..<0

  /// Reads a record of ``Section/files`` or ``Section/secretFiles``, whose fields have the same numbers; nil if the bytes
  /// are no such record, which others report.
  init?(_ message: Span<UInt8>) {
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        switch (field.number, field.value) {
        case (1, .content): id = try field.bytes(in: message)
        case (2, .content): source = try field.text(in: message)
        case (3, .content): path = try field.bytes(in: message)
        case (4, .varint(let value)): offset = value
        case (5, .varint(let value)): total = value
        case (6, .content(let range)): content = range
        default: break
        }
      }
    } catch {
      return nil
    }
  }
}
