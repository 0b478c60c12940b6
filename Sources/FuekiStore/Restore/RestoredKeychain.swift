internal import FoundationEssentials
public import FuekiBackup
public import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// The keychain of a restored data directory: filled, written once, and read back.
///
/// Both derive a key from a passphrase, on a thread of its own. Files are read and written on the caller's thread alone.
public final class RestoredKeychain: KeychainAccess {
  private var slots: [NewKeychainSlot]
  private let scratch: ScratchDirectory
  private var editor: KeychainEditor?
  private var names = SecretNames()
  private var writing: Writing?
  private var writtenBack: Keychain?
  /// Called when every share that was read back equals the archive's.
  var didConfirm: () throws -> Void = {}
  /// Whether the keychain is being written, or its shares are not compared yet.
  private(set) var isUnconfirmed = false
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

  /// The step that another thread does, or the error of an earlier one.
  private enum Writing {
    case deriving(OrderedWorkers<[KeychainSlot]>, for: KeychainDraft)
    case readingBack(OrderedWorkers<Keychain>)
    case failed(any Error)

    var hasResult: Bool {
      switch self {
      case .deriving(let worker, _): worker.hasResult
      case .readingBack(let worker): worker.hasResult
      case .failed: true
      }
    }
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
    guard name != key.id else { return try SecretRecordReading.add(key: secretRecord, to: editor) }
    key.id = name
    try editor.add(key)
  }

  /// Starts to write the keychain next to the new store, and to read it back from disk, if anything was added.
  public func write() throws {
    guard let editor else { return }
    let draft = try editor.draft(in: try scratch.make())
    isUnconfirmed = true
    writing = .deriving(Self.started { try draft.deriveSlots() }, for: draft)
    // Key files take no time.
    if slots.allSatisfy(\.isKeyFile) { try finishWriting() }
  }

  /// Whether the keychain is written and read back, as far as that needs no waiting.
  public func continueWriting() throws -> Bool {
    while let writing, writing.hasResult { try takeStep() }
    return writing == nil
  }

  /// Waits until the keychain is written and read back.
  public func finishWriting() throws {
    while writing != nil { try takeStep() }
  }

  private func takeStep() throws {
    do {
      writing = try next()
    } catch {
      writing = .failed(error)
      throw error
    }
  }

  private func next() throws -> Writing? {
    switch writing {
    case .deriving(let worker, for: let draft):
      guard let editor, let slots = try worker.next() else { return nil }
      try editor.write(draft, slots)
      let directory = draft.directory
      let bytes = try KeychainFile.read(in: directory)
      // Opened with the user's secret, not with the key in memory.
      let opening = KeychainOpening(self.slots.map(\.secret), limits: self.slots.limits)
      return .readingBack(Self.started { try Keychain.open(bytes, of: directory, with: opening) })
    case .readingBack(let worker):
      writtenBack = try worker.next()
      return nil
    case .failed(let error): throw error
    case nil: return nil
    }
  }

  /// Starts a step on a thread of its own.
  ///
  /// An interruption does not end it at once: a restore can be resumed only if its keychain is complete.
  private static func started<Result: Sendable>(
    _ step: @escaping @Sendable () throws -> Result
  ) -> OrderedWorkers<Result> {
    let worker = OrderedWorkers<Result>(width: 1, window: 1)
    worker.submit { try DerivationGrace.forCleanup(step) }
    return worker
  }

  /// Reports that every share equals the archive's.
  public func confirm() throws {
    guard isUnconfirmed else { return }
    isUnconfirmed = false
    try didConfirm()
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
  fileprivate var isKeyFile: Bool {
    if case .keyFile = self { true } else { false }
  }

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
