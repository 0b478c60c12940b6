internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Decodes an archive's secret records.
///
/// An invalid one is reported as the archive's fault.
enum SecretRecordReading {
  /// Decodes a record of section 65.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``, ``CryptoError/outOfMemory``.
  static func privateKey(_ message: borrowing SecretBytes) throws -> PrivateKeyRecord {
    do {
      return try message.withBytes { (message) throws(SecretRecordError) in
        try PrivateKeyRecord(decoding: message)
      }
    } catch {
      throw Self.error(error, in: .privateKeys)
    }
  }

  /// Decodes a record of section 66.
  ///
  /// - Throws: As ``privateKey(_:)``.
  static func filePart(_ message: borrowing SecretBytes) throws -> SecretFilePart {
    do {
      return try message.withBytes { (message) throws(SecretRecordError) in
        try SecretFilePart(decoding: message)
      }
    } catch {
      throw Self.error(error, in: .secretFiles)
    }
  }

  /// Adds a record of section 65 unchanged to a keychain.
  ///
  /// - Throws: As ``privateKey(_:)``, and the keychain's errors.
  static func add(key message: borrowing SecretBytes, to editor: KeychainEditor) throws {
    do {
      try editor.add(privateKeyRecord: message)
    } catch let error as SecretRecordError {
      throw Self.error(error, in: .privateKeys)
    }
  }

  /// Adds a record of section 66 to a sealed file next to a keychain.
  ///
  /// - Throws: As ``privateKey(_:)``, and the keychain's errors.
  static func add(
    file message: borrowing SecretBytes, to editor: KeychainEditor, in directory: String
  ) throws {
    do {
      try message.withBytes { try editor.add(secretFileRecord: $0, in: directory) }
    } catch let error as SecretRecordError {
      throw Self.error(error, in: .secretFiles)
    }
  }

  private static func error(_ error: SecretRecordError, in section: Section) -> any Error {
    error == .outOfMemory ? CryptoError.outOfMemory : RecordsError.malformedRecord(section: section.name)
  }
}
