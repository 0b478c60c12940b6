public import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// An opened keychain of a wallet.
///
/// Its secrets are in protected memory until it is released.
public final class Keychain: Sendable {
  /// The version of the keychain that was read.
  public let stamp: KeychainStamp
  /// The key shares.
  public let shares: [KeychainShare]
  /// The directory from which it was read.
  public let directory: String
  let items: [KeychainItem]
  /// The files with secrets, and the keys to open them.
  let sealedFiles: [SealedFile]
  let slots: [KeychainSlot]
  let keys: KeychainKeys

  init(
    stamp: KeychainStamp, items: [KeychainItem], slots: [KeychainSlot], keys: KeychainKeys, directory: String
  ) throws(KeychainError) {
    self.stamp = stamp
    self.items = items
    self.slots = slots
    self.keys = keys
    self.directory = directory
    var shares: [KeychainShare] = []
    var sealedFiles: [SealedFile] = []
    do {
      for item in items where item.kind == KeychainItem.Kind.keyShare {
        if let share = try KeychainShare(item) { shares.append(share) }
      }
      for item in items where item.kind == KeychainItem.Kind.sealedFile {
        guard let file = try SealedFile(item) else {
          throw KeychainError.damaged(path: DataDirectory.keychainPath(in: directory))
        }
        sealedFiles.append(file)
      }
    } catch let error as KeychainError {
      throw error
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .crypto(.unavailable)
    }
    self.shares = shares
    self.sealedFiles = sealedFiles
  }

  /// Opens the keychain of a data directory.
  ///
  /// - Throws: ``KeychainError``. Damage is detected first, and limits are checked before any derivation.
  public static func read(_ directory: String, with opening: KeychainOpening) throws(KeychainError)
    -> Keychain
  {
    try open(try KeychainFile.read(in: directory), of: directory, with: opening)
  }

  /// Opens the bytes of a data directory's keychain.
  static func open(
    _ bytes: [UInt8], of directory: String, with opening: KeychainOpening
  ) throws(KeychainError) -> Keychain {
    let path = DataDirectory.keychainPath(in: directory)
    let encoding = try KeychainEncoding(bytes, path: path)
    let keys = try unlock(encoding, with: opening, path: path)
    return try Keychain(
      stamp: encoding.stamp, items: try encoding.open(keys, path: path), slots: encoding.slots, keys: keys,
      directory: directory)
  }

  /// Returns the version of the keychain in a data directory, without any key; nil if there is none.
  ///
  /// The number is not authenticated: it reveals only whether the file changed.
  public static func currentStamp(in directory: String) throws(KeychainError) -> KeychainStamp? {
    try KeychainFile.stamp(in: directory)
  }

  private static func unlock(
    _ encoding: KeychainEncoding, with opening: KeychainOpening, path: String
  ) throws(KeychainError) -> KeychainKeys {
    let pairs = opening.secrets.flatMap { secret in
      encoding.slots.filter { $0.takes(secret) }.map { (secret: secret, slot: $0) }
    }
    guard !pairs.isEmpty else { throw .missingSecret }
    guard pairs.allSatisfy({ $0.slot.isWithin(opening.limits) }),
      pairs.reduce(0, { $0 + $1.slot.work }) <= opening.limits.work
    else { throw .overLimit(path: path) }
    do {
      for (secret, slot) in pairs {
        if let key = try slot.open(secret, keychainID: encoding.keychainID) {
          return try KeychainKeys(fileKey: SharedSecret(key), keychainID: encoding.keychainID)
        }
      }
    } catch {
      throw error == .notAuthentic ? .damaged(path: path) : .crypto(error)
    }
    throw .wrongSecret
  }

  /// Decodes the private keys and seed phrases.
  ///
  /// - Throws: ``SecretRecordError`` for an invalid record.
  public func privateKeys() throws(SecretRecordError) -> [PrivateKeyRecord] {
    var keys: [PrivateKeyRecord] = []
    for item in items where item.kind == KeychainItem.Kind.privateKey {
      let key = try item.content.bytes.withBytes { (message) throws(SecretRecordError) in
        try PrivateKeyRecord(decoding: message)
      }
      keys.append(key)
    }
    return keys
  }

  /// The encoded messages of section 65.
  public var privateKeyRecords: [SharedSecret] {
    items.filter { $0.kind == KeychainItem.Kind.privateKey }.map(\.content)
  }
}

extension Keychain {
  /// The number of messages of section 66.
  public var secretFileRecordCount: UInt64 {
    sealedFiles.reduce(0) { $0 + $1.recordCount }
  }

  /// Passes the encoded messages of section 66 to `body`, one at a time, from their sealed files.
  ///
  /// - Parameter body: receives each message, which is valid only during the call.
  /// - Throws: ``KeychainError/damaged(path:)`` for a file that is missing or altered, and the errors of
  ///   `body`.
  public func forEachSecretFileRecord(_ body: (borrowing SecretBytes) throws -> Void) throws {
    for file in sealedFiles { try SealedFileReader(file, in: directory).forEachRecord(body) }
  }
}
