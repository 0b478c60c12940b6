/// Why a secret record cannot be encoded or decoded.
public enum SecretRecordError: Error, Equatable, Sendable {
  /// Its bytes violate the wire format or its schema.
  case malformed(WireError)
  /// A required field is missing.
  case missing(field: UInt32)
  /// Protected memory for it is unavailable.
  case outOfMemory
}
