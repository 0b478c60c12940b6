internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Verifiable credentials.
  static let credential = RecordKind(
    .credentials, "credentials", .record(Credential.self), in: .credentials,
    [
      .always(1, "id", .packed), .always(2, "format", .text), .always(3, "credential", .text),
      .optional(4, "c_nonce", .text), .optional(5, "c_nonce_expires_in", .signed32),
      .optional(6, "iss", .text), .optional(7, "iat", .zigzag), .optional(8, "exp", .zigzag),
      .optional(9, "type", .text), .optional(10, "access_token", .text),
      .optional(11, "credential_issuer_metadata", .text),
    ])
}

extension Credential: SectionRecord {
  /// Section 7.
  public static var kind: RecordKind { .credential }
  /// Nil: a credential states when it was issued, not when it was received.
  public var lastChange: Int64? { nil }
}
