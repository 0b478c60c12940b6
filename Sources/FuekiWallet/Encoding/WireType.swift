/// The encoding of a field's value.
public enum WireType: UInt8, Sendable {
  /// Seven bits per byte, lowest first.
  case varint = 0
  /// Eight bytes, little-endian.
  case fixed64 = 1
  /// A varint length, and that many bytes.
  case lengthDelimited = 2
  /// Four bytes, little-endian.
  case fixed32 = 5
}
