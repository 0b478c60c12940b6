/// Passwords of validators' keystores.
///
/// See EIP-2335, "Password requirements".
public enum KeystorePassword {
  private static let byteCountLimit = 8192

  /// The form that keys are derived from: Unicode NFKD without control characters, as UTF-8.
  ///
  /// ASCII stays in protected memory; other text passes through a string, because only Foundation knows the tables.
  ///
  /// - Throws: ``CryptoError/invalidPassphrase(_:)`` for what is no text or too long, or what making a
  ///   ``SecretBytes`` throws.
  public static func form(of password: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    guard password.count <= byteCountLimit else { throw .invalidPassphrase(.tooLong) }
    let isASCII = password.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] < 0x80 } }
    guard isASCII else { return try CompatibilityForm.decomposedWithoutControls(password) }
    var kept = try SecretBytes(count: password.count)
    let count = password.withBytes { bytes in
      kept.withMutableBytes { kept in
        var count = 0
        for index in bytes.indices where bytes[index] >= 0x20 && bytes[index] != 0x7F {
          kept[count] = bytes[index]
          count += 1
        }
        return count
      }
    }
    return try kept.copy(0..<count)
  }
}
