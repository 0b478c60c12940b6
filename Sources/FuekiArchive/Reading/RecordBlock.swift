/// Complete records of one section, authenticated and decoded, but not yet confirmed by the section's digest.
public struct RecordBlock: Sendable {
  /// The framed records.
  public let bytes: [UInt8]
  /// The range of each record's message in ``bytes``, without its length prefix.
  public let messages: [Range<Int>]

  /// Creates a block from records at known positions.
  package init(bytes: [UInt8], messages: [Range<Int>]) {
    self.bytes = bytes
    self.messages = messages
  }

  /// Splits a block into records of varint length ‖ message.
  ///
  /// Only a single record may exceed 1 MiB.
  package init(_ bytes: [UInt8], section: UInt16) throws(ArchiveError) {
    self.bytes = bytes
    messages = try Self.cut(bytes.span, section: section)
  }

  /// Returns the block with a subset of its records.
  package func keeping(where isKept: (Span<UInt8>) throws -> Bool) rethrows -> RecordBlock {
    let span = bytes.span
    return RecordBlock(bytes: bytes, messages: try messages.filter { try isKept(span.extracting($0)) })
  }

  /// Returns the ranges of the messages of framed records.
  package static func cut(_ bytes: Span<UInt8>, section: UInt16) throws(ArchiveError) -> [Range<Int>] {
    var messages: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      let message = try messageRange(bytes, at: position, section: section)
      messages.append(message)
      position = message.upperBound
    }
    guard bytes.count <= Limits.blockBytes || messages.count == 1 else {
      throw .forged(.records(section: section))
    }
    return messages
  }

  private static func messageRange(
    _ bytes: Span<UInt8>, at start: Int, section: UInt16
  ) throws(ArchiveError) -> Range<Int> {
    var first = start
    guard let length = Varint.read(bytes, at: &first, end: bytes.count) else {
      throw .forged(.records(section: section))
    }
    guard length <= UInt64(Limits.recordBytes - (first - start)) else { throw .overLimit(.recordLength) }
    guard Int(length) <= bytes.count - first else { throw .forged(.records(section: section)) }
    return first..<first + Int(length)
  }
}
