internal import FuekiArchive

/// A strict reader of the Protocol Buffers wire format, for messages whose content must not be copied freely.
///
/// It holds a position, not the bytes, which are passed to each call. It accepts neither groups nor varints
/// that are not minimal.
public struct WireReader: Sendable {
  private var position = 0

  /// Creates a reader at the first field.
  public init() {}

  /// Returns the next field; nil at the message's end.
  public mutating func next(in message: Span<UInt8>) throws(WireError) -> WireField? {
    guard position < message.count else { return nil }
    let start = position
    let tag = try varint(in: message)
    guard let number = UInt32(exactly: tag >> 3), 1...0x1fff_ffff ~= number,
      let type = WireType(rawValue: UInt8(tag & 7))
    else { throw .invalidTag }
    let value: WireField.Value
    switch type {
    case .varint: value = .varint(try varint(in: message))
    case .fixed64: value = .fixed64(try fixed(8, in: message))
    case .fixed32: value = .fixed32(UInt32(truncatingIfNeeded: try fixed(4, in: message)))
    case .lengthDelimited:
      let length = try varint(in: message)
      guard length <= UInt64(message.count - position) else { throw .truncated }
      value = .content(position..<(position + Int(length)))
      position += Int(length)
    }
    return WireField(number: number, value: value, range: start..<position)
  }

  /// Reads a message's top-level fields, to validate them.
  package static func walk(_ message: Span<UInt8>) throws(WireError) {
    var reader = WireReader()
    while try reader.next(in: message) != nil {}
  }

  private mutating func varint(in message: Span<UInt8>) throws(WireError) -> UInt64 {
    guard let value = Varint.read(message, at: &position, end: message.count) else {
      throw Varint.isCut(message, at: position, end: message.count) ? .truncated : .varintNotMinimal
    }
    return value
  }

  private mutating func fixed(_ count: Int, in message: Span<UInt8>) throws(WireError) -> UInt64 {
    guard count <= message.count - position else { throw .truncated }
    var value: UInt64 = 0
    for i in 0..<count { value |= UInt64(message[position + i]) << UInt64(8 * i) }
    position += count
    return value
  }
}
