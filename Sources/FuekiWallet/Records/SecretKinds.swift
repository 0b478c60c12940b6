internal import SwiftProtobuf

/// The kinds of records that consist of a secret.
///
/// Secret files are defined with the other files.
extension RecordKind {
  /// Key shares, each sealed a second time.
  static let keyShare = RecordKind(
    .keyShares, "key-shares",
    .secret { (try? KeyShare(serializedBytes: $0.copied()))?.id.count == PrivateKeyRecord.idByteCount },
    in: .keyShares, belongingTo: .share(field: 1),
    [.always(1, "id", .bytes), .always(2, "sealed", .omitted)])

  /// Private keys and seed phrases.
  static let privateKey = RecordKind(
    .privateKeys, "private-keys", .decoded(by: PrivateKeyRecord.init(decoding:)),
    in: .privateKeys, belongingTo: .wallet(field: 2),
    [
      .always(1, "id", .bytes), .optional(2, "wallet_id", .packed), .always(3, "kind", .text),
      .always(4, "name", .text), .always(5, "secret", .omitted), .optional(6, "created_at", .time),
    ])
}

extension RecordKind.Form {
  /// Returns the form of secrets with their own decoder.
  static func decoded<Record>(
    by decode: @escaping @Sendable (Span<UInt8>) throws(SecretRecordError) -> Record
  ) -> RecordKind.Form {
    .secret { (message) throws(SecretRecordError) in
      do throws(SecretRecordError) {
        _ = try decode(message)
        return true
      } catch {
        guard error != .outOfMemory else { throw error }
        return false
      }
    }
  }
}
