internal import FuekiArchive
internal import FuekiCrypto

/// The keys derived from a keychain's file key.
final class KeychainKeys: Sendable {
  let fileKey: SharedSecret
  let keychainID: [UInt8]
  private let root: SharedSecret

  init(fileKey: SharedSecret, keychainID: [UInt8]) throws(CryptoError) {
    self.fileKey = fileKey
    self.keychainID = keychainID
    root = SharedSecret(try HKDF.extract(salt: keychainID, ikm: fileKey.bytes))
  }

  /// Returns the key of a version's items.
  func itemKey(_ stamp: KeychainStamp) throws(CryptoError) -> SecretBytes {
    var info = KeychainLayout.itemsLabel
    info.append(littleEndian: stamp.generation)
    return try HKDF.expand(prk: root.bytes, info: info + stamp.writeSalt, count: 32)
  }

  /// Returns the seal over the preceding bytes.
  func seal(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let info = KeychainLayout.sealLabel + SHA256.hash(bytes).bytes
    let seal = try HKDF.expand(prk: root.bytes, info: info, count: KeychainLayout.sealBytes)
    return seal.withBytes { $0.array($0.indices) }
  }

  /// Returns the data that an item's seal authenticates.
  static func additionalData(kind: UInt8, id: [UInt8], place: Int) -> [UInt8] {
    var data = [kind] + id
    data.append(littleEndian: UInt32(place))
    return data
  }
}
