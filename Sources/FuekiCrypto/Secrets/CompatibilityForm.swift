internal import Foundation

/// The passage through Unicode's compatibility forms, for text that is not ASCII.
enum CompatibilityForm {
  /// Normalises UTF-8 bytes.
  static func normalise(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let text = bytes.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    guard let text else { throw .invalidPassphrase(.notText) }
    let normalised = Array(text.precomposedStringWithCompatibilityMapping.utf8)
    return try SecretBytes(copying: normalised.span)
  }

  /// Takes UTF-8 bytes apart, form KD, and leaves out the control characters C0, C1 and Delete.
  static func decomposedWithoutControls(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let text = bytes.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    guard let text else { throw .invalidPassphrase(.notText) }
    var kept = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
    where scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) {
      kept.append(scalar)
    }
    return try SecretBytes(copying: Array(String(kept).utf8).span)
  }
}
