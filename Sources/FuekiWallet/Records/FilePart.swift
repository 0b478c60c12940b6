internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Files that are public, or encrypted by their own wallet.
  static let filePart = RecordKind(
    .files, "files", .record(FilePart.self), in: .files, traits: .inParts, filePartFields)

  /// Files with unencrypted secrets.
  ///
  /// Their records have the same fields, and are decoded by hand.
  static let secretFilePart = RecordKind(
    .secretFiles, "secret-files", .decoded(by: SecretFilePart.init(decoding:)),
    in: .secretFiles, traits: .inParts, filePartFields)

  /// The content is exported to a separate file.
  private static let filePartFields: [RecordField] = [
    .always(1, "id", .bytes), .always(2, "source", .text), .always(3, "path", .fileName),
    .always(4, "offset", .unsigned64), .always(5, "total", .unsigned64), .always(6, "content", .omitted),
    .optional(7, "modified_at", .time), .optional(8, "mode", .unsigned32), .always(9, "format", .text),
    .always(10, "address", .packed), .always(11, "kdf", .text),
    .optional(16, "place", .fileName), .always(17, "program", .text), .always(18, "program_version", .text),
  ]
}

extension FilePart: SectionRecord {
  /// Section 8.
  public static var kind: RecordKind { .filePart }
  /// The file's modification time.
  public var lastChange: Int64? { hasModifiedAt ? modifiedAt : nil }
}
