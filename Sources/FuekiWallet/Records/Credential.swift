internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Verifiable credentials.
  static let credential = RecordKind(
    .credentials, "credentials", .record(Credential.self), in: .credentials,
    [
      .always(1, "id", .packed), .always(2, "format", .text), .always(3, "credential", .text),
      .optional(4, "c_nonce", .text), .optional(5, "c_nonce_expires_in", .signed32),
      .optional(6, "iss", .text, by: .key), .optional(7, "iat", .zigzag),
      .optional(8, "exp", .zigzag, by: .limit),
      .optional(9, "type", .text, by: .key), .optional(10, "access_token", .text),
      .optional(11, "credential_issuer_metadata", .text),
    ])
}

extension Credential: SectionRecord {
  /// Section 7.
  public static var kind: RecordKind { .credential }
  /// Nil: a credential states when it was issued, not when it was received.
  public var lastChange: Int64? { nil }
}

extension RecordKind {
  /// Presentations of credentials.
  static let credentialSharing = RecordKind(
    .credentialSharing, "credential-sharing", .record(CredentialSharing.self), in: .credentials,
    [
      .always(1, "id", .packed), .always(2, "platform", .text), .always(3, "rp", .text, by: .key),
      .optional(4, "account_index", .unsigned32), .optional(5, "created_at", .time),
      .always(6, "credential_id", .text, by: .key), .list(7, "claims", .message(claim)),
      .optional(8, "rp_name", .text), .optional(9, "rp_location", .text),
      .optional(10, "rp_contact_url", .text), .optional(11, "privacy_policy_url", .text),
      .optional(12, "logo_url", .text),
    ])

  private static let claim = RecordMessage(
    .always(1, "key", .text), .always(2, "value", .text), .optional(3, "purpose", .text))
}

extension CredentialSharing: SectionRecord {
  /// Section 34.
  public static var kind: RecordKind { .credentialSharing }
  /// The time of presentation.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}

extension RecordKind {
  /// Presentations of ID tokens.
  static let idTokenSharing = RecordKind(
    .idTokenSharing, "id-token-sharing", .record(IdTokenSharing.self), in: .credentials,
    [
      .always(1, "id", .packed), .always(2, "platform", .text), .always(3, "rp", .text, by: .key),
      .optional(4, "account_index", .unsigned32), .optional(5, "created_at", .time),
    ])
}

extension IdTokenSharing: SectionRecord {
  /// Section 35.
  public static var kind: RecordKind { .idTokenSharing }
  /// The time of presentation.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
