internal import FuekiArchive
internal import FuekiCrypto

/// A sealed file's entry in the keychain.
struct SealedFile: Sendable {
  /// The file name, unrelated to the contents.
  let name: [UInt8]
  let key: SharedSecret
  let recordCount: UInt64

  init(name: [UInt8], key: SharedSecret, recordCount: UInt64) {
    (self.name, self.key, self.recordCount) = (name, key, recordCount)
  }

  /// Splits an item's content: key (32) ‖ u64 number of records; nil if it is invalid.
  init?(_ item: KeychainItem) throws(CryptoError) {
    let keyEnd = XChaCha20Poly1305.keyByteCount
    let content = item.content
    guard content.bytes.count == keyEnd + 8 else { return nil }
    self.init(
      name: item.id, key: SharedSecret(try content.bytes.copy(0..<keyEnd)),
      recordCount: content.bytes.withBytes { $0.littleEndian(UInt64.self, at: keyEnd) })
  }

  /// Returns the keychain's item.
  func item() throws(CryptoError) -> KeychainItem {
    var tail: [UInt8] = []
    tail.append(littleEndian: recordCount)
    var content = try SecretBytes(count: key.bytes.count + tail.count)
    content.withMutableBytes { output in
      key.bytes.withBytes { output.write($0, at: 0) }
      output.write(tail.span, at: output.count - tail.count)
    }
    return KeychainItem(kind: KeychainItem.Kind.sealedFile, id: name, content: SharedSecret(content))
  }

  var fileName: String { Hex.encode(name) + SealedFileLayout.suffix }
}
