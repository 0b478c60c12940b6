internal import FuekiArchive
internal import FuekiCrypto

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
