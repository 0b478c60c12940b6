public import FuekiCrypto
public import FuekiWallet

/// Servers' keys that the keychain holds, by the names that the configuration has for them.
///
/// They are records of section 65 of a kind of their own: they leave with private keys or not at all, and a restore
/// brings them back under their names.
extension Keychain {
  /// The key with a name; nil where there is none.
  ///
  /// - Throws: ``SecretRecordError`` for a record that cannot be read.
  public func endpointKey(named name: String) throws(SecretRecordError) -> SharedSecret? {
    let id = PrivateKeyRecord.endpointKeyID(name)
    return try privateKeys().first { $0.kind == PrivateKeyRecord.endpointKey && $0.id == id }?.secret
  }

  /// The names of all of them, sorted.
  ///
  /// - Throws: ``SecretRecordError`` for a record that cannot be read.
  public func endpointKeyNames() throws(SecretRecordError) -> [String] {
    try privateKeys().filter { $0.kind == PrivateKeyRecord.endpointKey }.map(\.name).sorted()
  }
}

extension KeychainEditor {
  /// Adds a server's key, in the place of one with its name.
  public func add(endpointKey secret: SharedSecret, named name: String, createdAt: Int64) throws {
    try add(
      PrivateKeyRecord(
        id: PrivateKeyRecord.endpointKeyID(name), walletID: nil, kind: PrivateKeyRecord.endpointKey,
        name: name, secret: secret, createdAt: createdAt))
  }

  /// Removes the server's key with a name.
  public func removeEndpointKey(named name: String) {
    removeAll(of: KeychainItem.Kind.privateKey, id: PrivateKeyRecord.endpointKeyID(name))
  }
}

extension PrivateKeyRecord {
  /// The id of the server's key with a name: the same in every keychain, so that a merge knows it again.
  fileprivate static func endpointKeyID(_ name: String) -> [UInt8] {
    Array(SHA256.hash(Array("fueki/1 endpoint key".utf8), [0], Array(name.utf8)).bytes.prefix(idByteCount))
  }
}
