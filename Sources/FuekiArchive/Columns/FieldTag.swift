/// A field's key: its number * 8 + its wire type.
struct FieldTag {
  enum WireType: UInt32 {
    case varint = 0
    case eightBytes = 1
    case lengthDelimited = 2
    case fourBytes = 5

    /// Whether its column states its length in bytes.
    var hasByteLength: Bool { self == .varint || self == .lengthDelimited }
  }

  let rawValue: UInt32
  let wireType: WireType

  /// Nil for a group, an undefined wire type, or a number out of range.
  init?(_ key: UInt64) {
    guard let rawValue = UInt32(exactly: key), let wireType = WireType(rawValue: rawValue & 7),
      ColumnLimits.fieldNumbers.contains(rawValue >> 3)
    else { return nil }
    self.rawValue = rawValue
    self.wireType = wireType
  }
}
