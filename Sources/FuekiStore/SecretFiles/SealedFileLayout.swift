internal import FuekiArchive
internal import FuekiCrypto

/// A sealed file `secret-files/<name in hexadecimal>.sealed` of a data directory, version 1.
///
/// It holds records of section 66, in order, of many files of other programs. Numbers and AEAD are as in
/// ``KeychainLayout``. The keychain has the name, the key and the number of records, so every file written
/// has a new key, and the keychain's own secrets can change independently of the files.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 8 | magic `89 46 4B 46 0D 0A 1A 0A` |
/// | 8 | 2 | u16 version = 1 |
/// | 10 | 16 | name: random, drawn for every file |
/// | 26 | … | records |
/// | … | 20 | end |
///
///     record = u32 length of what follows ‖ AEAD(key, nonce, message; the first 26 bytes)
///     end    = the same, of no message
///     nonce  = u64 number, from 0 ‖ u8 1 for the end, else 0 ‖ 15 zero bytes
///
/// Records cannot be removed, added, exchanged or taken from another file: their numbers and the end are in
/// their nonces, and no two files share a key.
enum SealedFileLayout {
  static let magic: [UInt8] = [0x89, 0x46, 0x4B, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 1
  static let nameBytes = 16
  static let headBytes = 26
  static let lengthBytes = 4
  /// The limit of an archive's record in bytes.
  static let recordLimit = 16 << 20
  static let suffix = ".sealed"
  /// How long a sealed file is before another one begins with the next file of another program, in bytes.
  ///
  /// To replace a secret file, the whole sealed file that holds it is written again.
  static let byteCount: UInt64 = 64 << 20

  static func head(_ name: [UInt8]) -> [UInt8] {
    var head = magic
    head.append(littleEndian: version)
    return head + name
  }

  static func nonce(_ number: UInt64, isEnd: Bool) -> [UInt8] {
    var nonce: [UInt8] = []
    nonce.append(littleEndian: number)
    nonce.append(isEnd ? 1 : 0)
    return nonce + [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceByteCount - nonce.count)
  }
}
