/// A value whose default is empty: a list or table of nothing, or a flag that is not set.
public protocol EmptyByDefault: Codable, Equatable {
  /// Creates the empty value.
  init()
}

extension Array: EmptyByDefault where Element: Codable & Equatable {}
extension Dictionary: EmptyByDefault where Key: Codable, Value: Codable & Equatable {}
extension Bool: EmptyByDefault {}

/// A member that its type's coded form lacks while it is empty, as a state of an earlier version lacks it.
///
/// A type that synthesizes its coding uses the two container methods below for such a member.
@propertyWrapper
public struct OmittedIfEmpty<Value: EmptyByDefault>: Codable, Equatable {
  /// The value.
  public var wrappedValue: Value

  /// Creates a member.
  public init(wrappedValue: Value = Value()) { self.wrappedValue = wrappedValue }
}

extension OmittedIfEmpty: Sendable where Value: Sendable {}

extension KeyedDecodingContainer {
  func decode<Value>(
    _ type: OmittedIfEmpty<Value>.Type, forKey key: Key
  ) throws -> OmittedIfEmpty<Value> {
    OmittedIfEmpty(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? Value())
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Value>(_ member: OmittedIfEmpty<Value>, forKey key: Key) throws {
    if member.wrappedValue != Value() { try encode(member.wrappedValue, forKey: key) }
  }
}
