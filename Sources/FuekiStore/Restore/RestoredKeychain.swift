internal import FoundationEssentials
public import FuekiBackup
public import FuekiCrypto
public import FuekiWallet

/// The keychain of a restored data directory: filled, written once, and read back.
public final class RestoredKeychain: KeychainAccess {
  private var slots: [NewKeychainSlot]
  private let scratch: ScratchDirectory
  private var editor: KeychainEditor?
  private var names = SecretNames()
  private var writtenBack: Keychain?
  /// The secrets that an earlier run wrote and compared.
  public let staged: [Section: UInt64]?

  init(staged: [Section: UInt64], in scratch: ScratchDirectory) {
    self.staged = staged
    slots = []
    self.scratch = scratch
  }

  init(slots: [NewKeychainSlot], in scratch: ScratchDirectory) {
    self.slots = slots
    self.scratch = scratch
    staged = nil
  }

  /// Sets the slots for the keychain.
  public func create(opening slots: [NewKeychainSlot]) { self.slots = slots }

  /// Adds a key share to the keychain.
  ///
  /// - Throws: ``CollectError/keychain(_:)`` if it has no slots.
  public func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws {
    var named = descriptor
    named.id = Data(names.name([UInt8](descriptor.id), secret).id)
    try begun().add(share: named, secret: secret)
  }

  /// Adds a record of section 65 or 66, without a length prefix.
  public func add(secretRecord: borrowing SecretBytes, of section: Section) throws {
    let editor = try begun()
    guard section == .privateKeys else {
      return try SecretRecordReading.add(file: secretRecord, to: editor, in: try scratch.make())
    }
    var key = try SecretRecordReading.privateKey(secretRecord)
    let (name, _) = names.name(key.id, secretRecord)
    guard name != key.id else { return try SecretRecordReading.add(secretRecord, of: section, to: editor) }
    key.id = name
    try editor.add(key)
  }

  /// Writes the keychain next to the new store and reads it back from disk, if anything was added.
  public func write() throws {
    guard let editor else { return }
    let directory = try scratch.make()
    try editor.write(in: directory)
    // Read with the user's secret, not with the key in memory.
    writtenBack = try Keychain.read(
      directory, with: KeychainOpening(slots.map(\.secret), limits: slots.limits))
  }

  /// Whether the keychain read back holds this very share.
  public func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool {
    let name = Data(names.name(id, secret).id)
    guard let share = writtenBack?.shares.first(where: { $0.descriptor.id == name }) else {
      return false
    }
    return share.secret.bytes.isEqualInConstantTime(to: secret)
  }

  private func begun() throws -> KeychainEditor {
    if let editor { return editor }
    guard !slots.isEmpty else { throw CollectError.keychain(.missingSecret) }
    let made = try KeychainEditor(slots: slots)
    editor = made
    return made
  }
}

extension NewKeychainSlot {
  /// The secret that opens the slot.
  var secret: KeychainSecret {
    switch self {
    case .passphrase(let passphrase, _): .passphrase(passphrase)
    case .keyFile(let bytes): .keyFile(bytes)
    }
  }
}

extension [NewKeychainSlot] {
  /// Limits that include the slots' own costs, which were chosen here and not read from a file.
  var limits: KeychainLimits {
    var memory = KeychainLimits.standard.memoryKiB
    var passes = KeychainLimits.standard.passes
    for case .passphrase(_, let cost) in self {
      memory = Swift.min(memory.lowerBound, cost.memoryKiB)...Swift.max(memory.upperBound, cost.memoryKiB)
      passes = Swift.min(passes.lowerBound, cost.passes)...Swift.max(passes.upperBound, cost.passes)
    }
    return KeychainLimits(memoryKiB: memory, passes: passes)
  }
}
