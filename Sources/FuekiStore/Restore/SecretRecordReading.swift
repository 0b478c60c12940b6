internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Reads secret records that come from an archive: one that cannot be read is the archive's fault and is told so.
enum SecretRecordReading {
  /// A record of section 65.
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

  /// A record of section 66.
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

  /// Takes a record into a keychain as it is.
  ///
  /// - Throws: As ``privateKey(_:)``, and what the keychain throws.
  static func add(
    _ message: borrowing SecretBytes, of section: Section, to editor: KeychainEditor
  ) throws {
    do {
      try editor.add(secretRecord: message, of: section)
    } catch let error as SecretRecordError {
      throw Self.error(error, in: section)
    }
  }

  /// Takes a record of section 66 into a sealed file beside a keychain.
  ///
  /// - Throws: As ``privateKey(_:)``, and what the keychain throws.
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
