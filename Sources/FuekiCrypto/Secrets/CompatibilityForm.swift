internal import Foundation

/// The passage through Unicode normalisation form KC, for text that is not ASCII.
enum CompatibilityForm {
  /// Normalises UTF-8 bytes.
  static func normalise(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let text = bytes.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    guard let text else { throw .invalidPassphrase(.notText) }
    let normalised = Array(text.precomposedStringWithCompatibilityMapping.utf8)
    return try SecretBytes(copying: normalised.span)
  }
}
