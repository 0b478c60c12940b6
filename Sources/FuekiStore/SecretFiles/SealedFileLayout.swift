internal import FuekiArchive
internal import FuekiCrypto

/// A sealed file `secret-files/<name in hexadecimal>.sealed` of a data directory, version 1.
///
/// It holds the records of section 66 of one file of another program, in order. Numbers and AEAD are as in
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

/// A sealed file's entry in the keychain.
struct SealedFile: Sendable {
  /// The id of the records, which all belong to one file.
  let id: [UInt8]
  /// The file name, unrelated to the contents.
  let name: [UInt8]
  let key: SharedSecret
  let recordCount: UInt64

  init(id: [UInt8], name: [UInt8], key: SharedSecret, recordCount: UInt64) {
    (self.id, self.name, self.key, self.recordCount) = (id, name, key, recordCount)
  }

  /// Splits an item's content: name ‖ key (32) ‖ u64 number of records; nil if it is invalid.
  init?(_ item: KeychainItem) throws(CryptoError) {
    let (nameEnd, keyEnd) = (SealedFileLayout.nameBytes, SealedFileLayout.nameBytes + 32)
    let content = item.content
    guard content.bytes.count == keyEnd + 8 else { return nil }
    self.init(
      id: item.id, name: content.bytes.withBytes { $0.array(0..<nameEnd) },
      key: SharedSecret(try content.bytes.copy(nameEnd..<keyEnd)),
      recordCount: content.bytes.withBytes { $0.littleEndian(UInt64.self, at: keyEnd) })
  }

  /// Returns the keychain's item.
  func item() throws(CryptoError) -> KeychainItem {
    let head = name
    var tail: [UInt8] = []
    tail.append(littleEndian: recordCount)
    var content = try SecretBytes(count: head.count + key.bytes.count + tail.count)
    content.withMutableBytes { output in
      output.write(head.span, at: 0)
      key.bytes.withBytes { output.write($0, at: head.count) }
      output.write(tail.span, at: output.count - tail.count)
    }
    return KeychainItem(kind: KeychainItem.Kind.sealedFile, id: id, content: SharedSecret(content))
  }

  var fileName: String { Hex.encode(name) + SealedFileLayout.suffix }
}
