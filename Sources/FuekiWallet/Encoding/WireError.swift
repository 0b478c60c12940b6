/// Why bytes are not a valid message.
public enum WireError: Error, Equatable, Sendable {
  /// The bytes end inside a field.
  case truncated
  /// A varint is not minimal, or exceeds 64 bits.
  case varintNotMinimal
  /// A field's number or wire type is invalid.
  case invalidTag
  /// A field's wire type contradicts the schema.
  case wrongType(field: UInt32)
  /// A singular field occurs twice.
  case repeated(field: UInt32)
  /// A field's value is invalid by the schema.
  case invalidValue(field: UInt32)
}
