internal import FoundationEssentials
public import FuekiCrypto
public import FuekiWallet
internal import SwiftProtobuf

/// Creates a keychain, or the next version of an opened one.
///
/// Nothing is written before ``write(in:)``, which replaces the keychain atomically.
public final class KeychainEditor {
  private var items: [KeychainItem]
  private var slots: [KeychainSlot]
  /// Slots whose keys are derived when the keychain is written.
  private var newSlots: [NewKeychainSlot] = []
  private var keys: KeychainKeys
  private var before: KeychainStamp?
  /// Secret files that are already written but not yet in a keychain.
  private var files: SecretFileWriting?
  /// Copies of sealed files of which parts are replaced.
  private var rewritten: SecretFileWriting?
  /// The secret files that others replace, and the offsets of their parts that stay.
  private var replaced: [[UInt8]: Set<UInt64>] = [:]

  /// Starts a keychain with a new key for these slots.
  ///
  /// Each passphrase costs a derivation, when the keychain is written.
  /// - Throws: ``KeychainError``.
  public init(slots: [NewKeychainSlot]) throws(KeychainError) {
    keys = try Self.newKeys(for: slots)
    self.slots = []
    newSlots = slots
    items = []
  }

  /// Starts with the contents of an opened keychain.
  public init(editing keychain: Keychain) {
    items = keychain.items
    slots = keychain.slots
    keys = keychain.keys
    before = keychain.stamp
  }

  /// Adds a key share, replacing one with its id.
  ///
  /// - Throws: errors of encoding the descriptor, or of protected memory.
  public func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws {
    guard descriptor.id.count == 16 else { throw KeychainError.crypto(.invalidLength) }
    let content = try KeychainShare.content(descriptor, secret)
    put(KeychainItem(kind: KeychainItem.Kind.keyShare, id: Array(descriptor.id), content: content))
  }

  /// Adds a private key or seed phrase, replacing one with its id.
  public func add(_ key: PrivateKeyRecord) throws {
    guard key.id.count == 16 else { throw KeychainError.crypto(.invalidLength) }
    let content = SharedSecret(try key.encoded())
    put(KeychainItem(kind: KeychainItem.Kind.privateKey, id: key.id, content: content))
  }

  /// Adds an encoded message of section 65, without a length prefix, replacing one with its id.
  ///
  /// - Throws: ``SecretRecordError`` for an invalid message.
  func add(privateKeyRecord message: borrowing SecretBytes) throws {
    let id = try message.withBytes { (message) throws(SecretRecordError) in try Self.id(of: message) }
    let content = SharedSecret(try message.copy(0..<message.count))
    put(KeychainItem(kind: KeychainItem.Kind.privateKey, id: id, content: content))
  }

  /// Writes a message of section 66 to a sealed file of the data directory that will hold the keychain.
  ///
  /// - Throws: ``SecretRecordError`` for an invalid message, and ``KeychainError``.
  public func add(secretFileRecord message: Span<UInt8>, in directory: String) throws {
    let id = try Self.id(of: message)
    let files = files ?? SecretFileWriting(in: directory)
    self.files = files
    try files.add(message, id: id)
  }

  /// Removes the parts of a secret file as it was in the keychain, but for those at some offsets.
  ///
  /// Parts added since stay.
  func replaceSecretFile(_ id: [UInt8], keeping offsets: Set<UInt64>) { replaced[id] = offsets }

  /// Removes all items of a kind with an id.
  func removeAll(of kind: UInt8, id: [UInt8]) {
    items.removeAll { $0.kind == kind && $0.id == id }
  }

  /// Adds a slot for another secret.
  public func addSlot(_ slot: NewKeychainSlot) throws(KeychainError) {
    let count = slots.count + newSlots.count + 1
    guard KeychainLayout.slotCounts.contains(count) else { throw .slotCount(count) }
    newSlots.append(slot)
  }

  /// Replaces the key, so that only these slots open it, even together with an older file.
  public func replaceSlots(with slots: [NewKeychainSlot]) throws(KeychainError) {
    keys = try Self.newKeys(for: slots)
    self.slots = []
    newSlots = slots
  }

  /// Writes the keychain to a data directory.
  ///
  /// Secret files are durable before the keychain with their keys, and unused ones are removed after it: a
  /// run killed in between leaves files that the next write removes.
  ///
  /// - Returns: the new version.
  /// - Throws: ``KeychainError/changedMeanwhile(path:)`` if the file has changed since it was read, or
  ///   ``KeychainError/alreadyThere(path:)`` if there should be none.
  @discardableResult
  public func write(in directory: String) throws(KeychainError) -> KeychainStamp {
    let draft = try draft(in: directory)
    try write(draft, try draft.deriveSlots())
    return draft.stamp
  }

  /// Finishes the sealed files, and returns the keychain that refers to them, whose slots any thread may derive.
  ///
  /// The editor must not change before ``write(_:_:)``.
  func draft(in directory: String) throws(KeychainError) -> KeychainDraft {
    let path = DataDirectory.keychainPath(in: directory)
    guard try KeychainFile.stamp(in: directory) == before else {
      throw before == nil ? .alreadyThere(path: path) : .changedMeanwhile(path: path)
    }
    let stamp = KeychainStamp(
      generation: (before?.generation ?? 0) + 1, writeSalt: RandomBytes.bytes(16))
    try sealFiles(in: directory)
    return KeychainDraft(
      directory: directory, items: items, slots: slots, newSlots: newSlots, keys: keys, stamp: stamp,
      isFirst: before == nil)
  }

  /// Writes a draft with its slots, keeps its sealed files, and removes unused ones.
  func write(_ draft: KeychainDraft, _ slots: [KeychainSlot]) throws(KeychainError) {
    try draft.write(slots)
    self.slots = slots
    newSlots = []
    before = draft.stamp
    rewritten?.keep()
    files?.keep()
    (rewritten, files) = (nil, nil)
    try removeOrphans(in: draft.directory)
  }

  /// Finishes files in progress, and writes those anew of which parts are replaced.
  private func sealFiles(in directory: String) throws(KeychainError) {
    var sealed: [SealedFile] = []
    if !replaced.isEmpty { sealed += try rewrite(in: directory) }
    sealed += try files?.finish() ?? []
    do {
      for file in sealed { items.append(try file.item()) }
    } catch {
      throw .crypto(error)
    }
  }

  /// Copies the sealed files that have replaced parts, without these, and takes the copies in their places.
  private func rewrite(in directory: String) throws(KeychainError) -> [SealedFile] {
    let rewritten = SecretFileWriting(in: directory)
    self.rewritten = rewritten
    var isStale: Set<[UInt8]> = []
    do {
      for item in items where item.kind == KeychainItem.Kind.sealedFile {
        guard let file = try SealedFile(item) else { continue }
        let reader = try SealedFileReader(file, in: directory)
        var stays: [Bool] = []
        try reader.forEachRecord { message in
          let part = try SecretRecordReading.filePart(message)
          stays.append(replaced[part.id]?.contains(part.offset) ?? true)
        }
        guard stays.contains(false) else { continue }
        isStale.insert(file.name)
        var number = 0
        try SealedFileReader(file, in: directory).forEachRecord { message in
          defer { number += 1 }
          guard stays[number] else { return }
          try message.withBytes { try rewritten.add($0, id: try Self.id(of: $0)) }
        }
      }
    } catch let error as KeychainError {
      throw error
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .damaged(path: DataDirectory.keychainPath(in: directory))
    }
    items.removeAll { $0.kind == KeychainItem.Kind.sealedFile && isStale.contains($0.id) }
    replaced = [:]
    return try rewritten.finish()
  }

  private func removeOrphans(in directory: String) throws(KeychainError) {
    var kept: [SealedFile] = []
    do {
      for item in items where item.kind == KeychainItem.Kind.sealedFile {
        if let file = try SealedFile(item) { kept.append(file) }
      }
    } catch {
      throw .crypto(error)
    }
    do {
      try SecretFilesFolder.removeAll(but: kept, in: directory)
    } catch {
      throw .system(error)
    }
  }

  private func put(_ item: KeychainItem) {
    items.removeAll { $0.kind == item.kind && $0.id == item.id }
    items.append(item)
  }

  private static func newKeys(for slots: [NewKeychainSlot]) throws(KeychainError) -> KeychainKeys {
    guard KeychainLayout.slotCounts.contains(slots.count) else { throw .slotCount(slots.count) }
    do {
      let key = SharedSecret(try SecretBytes.random(count: 32))
      return try KeychainKeys(fileKey: key, keychainID: RandomBytes.bytes(16))
    } catch {
      throw .crypto(error)
    }
  }

  /// Returns the id in field 1 of a message of section 65 or 66.
  private static func id(of message: Span<UInt8>) throws(SecretRecordError) -> [UInt8] {
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        guard field.number == 1 else { continue }
        let id = message.array(try field.content())
        guard id.count == 16 else { break }
        return id
      }
    } catch {
      throw .malformed(error)
    }
    throw .missing(field: 1)
  }
}
