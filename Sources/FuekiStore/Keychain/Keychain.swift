public import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// A wallet's keychain, opened: its secrets are in protected memory until it is let go.
public final class Keychain: Sendable {
  /// Which write of the keychain was read.
  public let stamp: KeychainStamp
  /// The key shares.
  public let shares: [KeychainShare]
  /// The directory that it was read from.
  public let directory: String
  let items: [KeychainItem]
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
    do {
      for item in items where item.kind == KeychainItem.Kind.keyShare {
        if let share = try KeychainShare(item) { shares.append(share) }
      }
    } catch {
      throw .crypto(error)
    }
    self.shares = shares
  }

  /// Opens the keychain of a data directory.
  ///
  /// - Throws: ``KeychainError``. Limits are checked before anything is derived, and damage is found before that.
  public static func read(_ directory: String, with opening: KeychainOpening) throws(KeychainError)
    -> Keychain
  {
    let path = DataDirectory.keychainPath(in: directory)
    let encoding = try KeychainEncoding(try KeychainFile.read(in: directory), path: path)
    let keys = try unlock(encoding, with: opening, path: path)
    return try Keychain(
      stamp: encoding.stamp, items: try encoding.open(keys, path: path), slots: encoding.slots, keys: keys,
      directory: directory)
  }

  /// Which write of the keychain lies in a data directory, without any key; nil where there is none.
  ///
  /// The number is not authenticated: it tells whether the file changed, nothing else.
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

  /// The private keys and seed phrases.
  ///
  /// - Throws: ``SecretRecordError`` for one that cannot be read.
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

  /// The messages of section 65 or 66, as they are encoded by hand; none for another section.
  public func secretRecords(of section: Section) -> [SharedSecret] {
    guard let kind = Self.kind(of: section) else { return [] }
    return items.filter { $0.kind == kind }.map(\.content)
  }

  static func kind(of section: Section) -> UInt8? {
    switch section {
    case .privateKeys: KeychainItem.Kind.privateKey
    case .secretFiles: KeychainItem.Kind.secretFile
    default: nil
    }
  }
}
