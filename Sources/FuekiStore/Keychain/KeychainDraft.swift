internal import FuekiCrypto

/// A keychain that is complete except for the keys of its new slots.
///
/// Deriving them takes most of the time of writing it, so that may happen on another thread.
struct KeychainDraft: Sendable {
  let directory: String
  let items: [KeychainItem]
  let slots: [KeychainSlot]
  let newSlots: [NewKeychainSlot]
  let keys: KeychainKeys
  let stamp: KeychainStamp
  /// Whether there must not be a keychain yet.
  let isFirst: Bool

  /// Derives the keys of the new slots.
  ///
  /// - Returns: all slots.
  func deriveSlots() throws(KeychainError) -> [KeychainSlot] {
    var slots = slots
    for slot in newSlots {
      slots.append(try KeychainSlot(slot, fileKey: keys.fileKey.bytes, keychainID: keys.keychainID))
    }
    return slots
  }

  /// Writes the keychain with all slots, which replaces an earlier one atomically.
  func write(_ slots: [KeychainSlot]) throws(KeychainError) {
    let bytes: [UInt8]
    do {
      bytes = try KeychainEncoding.seal(items, slots: slots, keys: keys, stamp: stamp)
    } catch {
      throw .crypto(error)
    }
    guard bytes.count <= KeychainLayout.fileLimit, items.count <= KeychainLayout.itemLimit else {
      throw .overLimit(path: DataDirectory.keychainPath(in: directory))
    }
    try KeychainFile.write(bytes, in: directory, replacing: !isFirst)
  }
}
