public import FuekiCrypto
public import FuekiWallet

/// Servers' keys in the keychain, by their names in the configuration.
///
/// They are records of section 65 of their own kind: a backup includes them with private keys or not at all,
/// and a restore brings them back under their names.
extension Keychain {
  /// Returns the key with a name; nil if there is none.
  ///
  /// - Throws: ``SecretRecordError`` for an invalid record.
  public func endpointKey(named name: String) throws(SecretRecordError) -> SharedSecret? {
    let id = PrivateKeyRecord.endpointKeyID(name)
    return try privateKeys().first { $0.kind == PrivateKeyRecord.endpointKey && $0.id == id }?.secret
  }

  /// Returns all names, sorted.
  ///
  /// - Throws: ``SecretRecordError`` for an invalid record.
  public func endpointKeyNames() throws(SecretRecordError) -> [String] {
    try privateKeys().filter { $0.kind == PrivateKeyRecord.endpointKey }.map(\.name).sorted()
  }
}

extension KeychainEditor {
  /// Adds a server's key, replacing one with its name.
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
  /// Returns the id for a name, equal in every keychain, so that a merge recognises it.
  fileprivate static func endpointKeyID(_ name: String) -> [UInt8] {
    Array(SHA256.hash(Array("fueki/1 endpoint key".utf8), [0], Array(name.utf8)).bytes.prefix(idByteCount))
  }
}
