/// Why bytes are not a sequence of records.
public enum FramingError: Error, Equatable, Sendable {
  /// The bytes end inside a record or its length.
  case truncated(offset: Int)
  /// A length is not encoded minimally.
  case lengthNotMinimal(offset: Int)
  /// A record with its length exceeds 16 MiB.
  case tooLong(offset: Int)
}
